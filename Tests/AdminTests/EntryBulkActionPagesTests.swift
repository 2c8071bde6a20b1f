// Tests bulk actions on entries in the browser: select, review, run, view the results and undo, without scripts.
import Domain
import FoundationEssentials
import HTTP
import Store
import TestSupport
import Testing

@Suite("Bulk actions on entries in the browser", .databases)
struct EntryBulkActionPagesTests {
    private func state(_ id: ID<Entry>, _ fixture: AdminFixture) async throws -> [Int?] {
        let entry = try #require(try await fixture.test.database.entries.find(id))
        return [entry.newest, entry.approved, entry.live]
    }

    @Test("Selected entries are published after a page that says what happens to each, and undone together")
    func selected() async throws {
        let fixture = try await AdminFixture.make()
        let ids = [
            try await fixture.article("One", .approveOnly), try await fixture.article("Two"),
            try await fixture.article("Three", .approveOnly),
        ]
        try await fixture.edit(ids[1], ["summary": "Newer."], publishTiming: .approveOnly)
        let draft = try await fixture.article("Draft", .draft)
        let browser = try await fixture.browser(.publisher)
        var list = try await browser.visit("/entries?type=article").form("Publish…")
        for id in [ids[0], ids[1], draft] { try list.tick("id", id.description) }
        let plan = try await browser.press("Publish…", in: list)
        #expect(plan.says("Publish: 2 entries") && plan.says("1 entry will be skipped."))
        #expect(plan.says("Publish version 1") && plan.says("Publish version 2 in place of version 1"))
        #expect(plan.says("No version is approved.") && !plan.says("Three"))
        #expect(try plan.link("Cancel") == "/entries?type=article")
        #expect(try await state(ids[0], fixture) == [1, 1, nil], "nothing has changed yet")
        let form = try plan.form("Publish 2 entries")
        let done = try await browser.press("Publish 2 entries", in: form)
        #expect(done.says("Done: 2 entries, 1 skipped.") && done.says("publication"))
        #expect(try await state(ids[1], fixture) == [2, 2, 2])
        let twice = try await browser.press("Publish 2 entries", in: form)
        #expect(twice.status == 409 && twice.says("This bulk action has already run."))
        let undone = try await browser.press("Undo for all", on: done)
        #expect(undone.says("2 undone") && !undone.hasButton("Undo for all"))
        for (id, title) in zip(ids, ["One", "Two"]) {
            #expect(undone.links.contains { $0.url == "/entries/\(id)" && $0.text == title }, "\(title)")
        }
        #expect(undone.html.split(separator: "<span class=\"tag \">Undone</span>").count == 3)
        #expect(try await state(ids[1], fixture) == [2, 2, 1])
    }

    @Test("Without scripts, one check box selects the page and another one all that match")
    func pages() async throws {
        let fixture = try await AdminFixture.make()
        for number in 1...30 { try await fixture.article("Harbour \(number)", .draft) }
        try await fixture.article("Another thing", .draft)
        let browser = try await fixture.browser(.editor)
        let url = "/entries?q=harbour&state=draft"
        #expect(try await browser.visit(url).says("Select all 30 (up to 5,000)"))
        var list = try await browser.visit(url).form("Approve…")
        try list.tick("page", "1")
        #expect(try await browser.press("Approve…", in: list).says("Approve: 25 entries"))
        let plan = try await browser.press("Approve…", on: browser.visit(url), ticking: ["all": "1"])
        #expect(plan.says("Approve: 30 entries") && plan.says("Approve version 1"))
        let done = try await browser.press("Approve 30 entries", on: plan)
        #expect(done.says("Done: 30 entries."))
        #expect(try await fixture.test.database.publications.readyCount() == 30)
    }

    @Test("Categories are chosen and previewed before anything is written")
    func categories() async throws {
        let fixture = try await AdminFixture.make()
        let walks = try await fixture.category("Walks")
        let unused = try await fixture.category("Unused")
        let ids = [try await fixture.article("One"), try await fixture.article("Two", in: [walks])]
        let browser = try await fixture.browser(.publisher)
        var list = try await browser.visit("/entries?type=article").form("Change categories…")
        for id in ids { try list.tick("id", id.description) }
        let plan = try await browser.press("Change categories…", in: list)
        #expect(plan.says("Unsorted") && !plan.hasButton("Change categories of"))
        #expect(plan.holds("id=\"removed-\(walks)\"") && plan.holds("id=\"added-\(unused)\""))
        #expect(!plan.holds("id=\"removed-\(unused)\""), "none of the entries has it")
        #expect(plan.holds("<button class=\"primary\">Preview changes</button>"))
        #expect(try plan.link("Cancel") == "/entries?type=article")
        let preview = try await browser.press(
            "Preview changes", on: plan, filling: ["publish": "now"], ticking: ["added": walks.description])
        #expect(preview.says("Unsorted → Unsorted, Walks") && preview.says("Skipped: Its categories don't change."))
        #expect(preview.says("1 entry will be skipped.") && preview.holds("<button>Preview changes</button>"))
        #expect(preview.links.count { $0.text == "Cancel" } == 1)
        #expect(try await state(ids[0], fixture) == [1, 1, 1])
        let done = try await browser.press("Change categories of 1 entry", on: preview)
        #expect(done.says("Done: 1 entry, 1 skipped."))
        #expect(try await state(ids[0], fixture) == [2, 2, 2])
        #expect(try await browser.press("Undo for all", on: done).says("1 undone"))
    }

    @Test("Entries are added to a release; a missing title and a strange release are rejected at the field")
    func release() async throws {
        let fixture = try await AdminFixture.make()
        let id = try await fixture.article("One", .draft)
        let browser = try await fixture.browser(.editor)
        let plan = try await browser.press(
            "Add to release…", on: browser.visit("/entries"), ticking: ["id": id.description])
        let button = "Add 1 entry to the release"
        let untitled = try await browser.press(button, on: plan)
        #expect(untitled.status == 422 && untitled.links.contains { $0.url == "#title" })
        #expect(untitled.holds("<p class=\"error\" id=\"title-error\">Enter a title of 1 to 300 characters."))
        var form = try plan.form(button)
        let csrf = try #require(form.value("csrf"))
        let strange = try await browser.send("POST", "\(plan.url)/run", [("csrf", csrf), ("release", "x")])
        #expect(strange.status == 422)
        #expect(strange.holds("<p class=\"error\" id=\"release-error\">There is no such release."))
        try form.fill("title", "Friday")
        let done = try await browser.press(button, in: form)
        #expect(done.says("Done: 1 entry.") && done.says("release 1"))
    }

    @Test(
        "Each role gets the actions that it may do with one entry; an empty selection and a forged action are rejected")
    func refused() async throws {
        let fixture = try await AdminFixture.make()
        let id = try await fixture.article("One", .draft)
        let curator = try await fixture.browser(.curator, name: "Cora")
        let page = try await curator.visit("/entries")
        #expect(page.hasButton("Change categories…") && !page.hasButton("Publish…") && !page.hasButton("Approve…"))
        let csrf = try #require(try page.form("Change categories…").value("csrf"))
        func send(_ fields: [(String, String)]) async throws -> BrowserPage {
            try await curator.send("POST", "/bulk-actions", [("csrf", csrf), ("object", "entry")] + fields)
        }
        #expect(try await send([("action", "publish"), ("id", "\(id)")]).status == 403)
        #expect(try await send([("action", "snooze"), ("id", "\(id)")]).status == 422)
        #expect(
            try await curator.send("POST", "/bulk-actions", [("object", "entry"), ("action", "update")]).status == 403)
        let nothing = try await curator.press("Change categories…", on: page)
        #expect(nothing.status == 422 && nothing.says("Select at least one entry."))
        let ann = try await fixture.browser(.publisher, name: "Ann")
        let plan = try await ann.press("Approve…", on: ann.visit("/entries"), ticking: ["id": id.description])
        #expect(try await curator.visit(plan.url).status == 403)
        let bob = try await fixture.browser(.publisher, name: "Bob")
        let stolen = try await bob.press("Approve 1 entry", on: try await bob.visit(plan.url))
        #expect(stolen.status == 403 && stolen.says("Only Ann may run this bulk action."))
    }
}
