// Tests the release pages: create, add, check, compare, publish, schedule, cancel, roll back.
import Domain
import Operations
import Store
import TestSupport
import Testing

@testable import Admin

@Suite("Release pages", .databases)
struct ReleasePagesTests {
    @Test("A release is created, filled from an entry's page, and published exactly as planned")
    func line() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher)
        let id = try await site.article("A walk")
        #expect(try await visit.get("/releases").holds("No open releases."))
        let made = try await visit.follow(try await visit.post("/releases", [("title", "Spring")]))
        #expect(made.holds("Release 1 created.") && made.holds("This release is empty."))
        try await site.change(id, "title", to: "A long walk", .approveOnly)
        let put = try await visit.follow(
            try await visit.post("/entries/\(id)/release", [("release", "1"), ("action", "show")]))
        #expect(put.holds("Version 2 added to release 1."))
        let page = try await visit.get("/releases/1")
        #expect(page.holds("Publish version 2, replacing version 1") && page.holds("Every version is approved"))
        #expect(!page.holds("Blocked") && !page.holds(">Warning</span>") && !page.holds("Add all pending changes"))
        #expect(page.holds("<ins>A long walk</ins>"))
        let seen = page.seen ?? ""
        #expect(!seen.isEmpty)
        // Another change of the same row: the page is shown again with the new plan.
        try await site.change(id, "title", to: "Between", .now)
        let moved = try await visit.post("/releases/1/publish", [("seen", seen)])
        #expect(moved.status == 409 && moved.holds("The plan has changed since you saw it."))
        #expect(try await site.rows("item", "title") == ["Between"])
        let time = [("action", "at"), ("local", "2099-02-28T10:00"), ("zone", "UTC")]
        let asked = try await visit.post("/releases/1/schedule", time)
        #expect(asked.status == 422 && asked.holds("Confirm that this release replaces it."))
        #expect(asked.holds("Replace newer versions") && asked.holds("2099-02-28T10:00"))
        let past = [("action", "at"), ("local", "2020-01-01T00:00"), ("zone", "UTC"), ("replace_newer", "1")]
        let refused = try await visit.post("/releases/1/schedule", past)
        #expect(refused.status == 422 && refused.holds("value=\"1\" checked> Replace newer versions"))
        let set = try await visit.follow(
            try await visit.post("/releases/1/schedule", time + [("replace_newer", "1")]))
        #expect(set.holds("This release replaces newer versions of 1 entry."))
        let now = moved.seen ?? ""
        let done = try await visit.follow(try await visit.post("/releases/1/publish", [("seen", now)]))
        let number = try await site.test.database.publications.current()
        #expect(done.holds("Release 1 published in publication \(number)."))
        #expect(try await site.rows("item", "title") == ["A long walk"])
        #expect(try await visit.post("/releases/1/publish", [("seen", now)]).status == 409)
        #expect(try await visit.get("/publications/\(number)").holds("version 2, replaces"))
    }

    @Test(
        "Entries are found, added and approved on the page of a release; a scheduled one leads to a preview of its time"
    )
    func compose() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher)
        let id = try await site.article("A walk")
        try await site.change(id, "title", to: "A long walk", .draft)
        _ = try await visit.post("/releases", [("title", "Spring")])
        #expect(try await visit.visit("/releases/1?q=nothing").says("No titles match."))
        let found = try await visit.visit("/releases/1?q=walk")
        #expect(!found.says("No titles match.") && !found.says("More were found."))
        let added = try await visit.press("Add version 2", on: found)
        #expect(added.url == "/releases/1" && added.says("Version 2 added to release 1."))
        #expect(added.says("Not approved") && !added.says("Preview the app at this time"))
        // Approving is offered to people who may.
        #expect(try await !site.browser(.curator).visit("/releases/1").hasButton("Approve"))
        let approved = try await visit.press("Approve", on: added)
        #expect(approved.url == "/releases/1" && !approved.says("Not approved") && !approved.hasButton("Approve"))
        let set = try await visit.follow(
            try await visit.post(
                "/releases/1/schedule", [("action", "at"), ("local", "2099-02-28T10:00"), ("zone", "Europe/London")]))
        let preview = try await visit.visit(try set.link("Preview the app at this time"))
        #expect(preview.holds("value=\"2099-02-28T10:00\"") && preview.holds("value=\"Spring\""))
        // An account with an access scope can't open previews, so no link leads there.
        let restricted = try await site.browser(.editor, name: "Restricted")
        let account = try #require(try await site.test.database.accounts.list().first { $0.name == "Restricted" })
        try await site.test.services.manageAccount.setScope(
            account, AccessScope(types: ["article"], groups: []), by: TestDatabase.administrator)
        let seen = try await restricted.visit("/releases/1")
        #expect(seen.says("A long walk") && !seen.says("Preview the app at this time"))
    }

    @Test("A conflict is reported and compared field by field: before, this release, the other")
    func conflict() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .editor)
        let id = try await site.article("A walk")
        try await site.change(id, "title", to: "From one", .approveOnly)
        _ = try await visit.post("/entries/\(id)/release", [("action", "show")])
        try await site.change(id, "summary", to: "From two", .approveOnly)
        _ = try await visit.post("/entries/\(id)/release", [("action", "show")])
        let page = try await visit.get("/releases/1")
        #expect(page.holds("Also in release 2") && page.holds("Version 3 is newer"))
        let compared = try await visit.get("/releases/1/items/\(id)")
        #expect(compared.holds("From one") && compared.holds("From two") && compared.holds("A walk"))
        #expect(compared.holds("both made the same change") && compared.holds("only release 2 changed it"))
        #expect(try await visit.get("/releases/1/items/\(SeedEntry.unsorted)").status == 404)
        let out = try await visit.follow(try await visit.post("/releases/1/items/\(id)/delete", []))
        #expect(out.holds("Removed from this release."))
        #expect(try await visit.post("/releases/1/items/\(id)/delete", []).status == 404)
        #expect(!(try await visit.get("/releases/2").holds("Also in release")))
    }

    @Test("A release is scheduled, shown on its day, unscheduled and canceled")
    func schedule() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher)
        _ = try await site.article("Waiting", .approveOnly)
        _ = try await visit.post("/releases", [("title", "Autumn")])
        let added = try await visit.follow(try await visit.post("/releases/1/items", []))
        #expect(added.holds("Added 1 entry."))
        let past = try await visit.post(
            "/releases/1/schedule", [("action", "at"), ("local", "2020-01-01T10:00"), ("zone", "UTC")])
        #expect(past.status == 422 && past.isTimeMarked && past.holds("2020-01-01T10:00"))
        let set = try await visit.follow(
            try await visit.post(
                "/releases/1/schedule", [("action", "at"), ("local", "2099-02-28T10:00"), ("zone", "Europe/London")]))
        #expect(set.holds("scheduled for 2099-02-28 10:00 Europe/London"))
        let month = try await visit.get("/schedule?month=2099-02")
        #expect(month.says("February 2099") && month.holds("10:00 <a href=\"/releases/1\" dir=\"auto\">Autumn</a>"))
        let unscheduled = try await visit.follow(try await visit.post("/releases/1/schedule", [("action", "open")]))
        #expect(unscheduled.holds("Release 1 unscheduled."))
        _ = try await visit.post("/releases/1/cancel", [])
        #expect(try await visit.get("/releases/1").holds("Canceled"))
        #expect(try await visit.get("/releases/2").status == 404)
        #expect(try await visit.post("/releases", [("title", "  ")]).status == 422)
    }

    @Test(
        "The check runs the publication: it names each blocked entry with a link; a failed release can be rescheduled")
    func blocked() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher)
        let id = try await site.article("A walk")
        let compose = site.test.services.composeRelease
        let actor = TestDatabase.administrator
        let number = try await compose.create(
            title: "Gone", items: [LiveChange(entry: SeedEntry.unsorted, revision: nil)], by: actor)
        let page = try await visit.get("/releases/\(number)")
        #expect(page.holds("Blocked") && page.holds("href=\"/entries/\(id)\""))
        #expect(page.says("Article \"A walk\": Categories: every published item needs"), "without its ID")
        #expect(!page.hasButton("Publish now") && page.says("To publish it now, first fix"))
        let set = try await visit.follow(
            try await visit.post(
                "/releases/\(number)/schedule", [("action", "at"), ("local", "2099-02-28T10:00"), ("zone", "UTC")]))
        #expect(set.says("It will fail unless you fix it before: Article \"A walk\""))
        try await site.makeDue(number)
        _ = try await site.test.services.publishRelease.due()
        let failed = try await visit.get("/releases/\(number)")
        #expect(failed.says("Publishing failed") && failed.says("Article \"A walk\": Categories:"))
        #expect(failed.hasButton("Reschedule") && failed.says("It was scheduled for"))
        #expect(try failed.link("Open the entry") == "/entries/\(id)")
        #expect(try failed.link("Publish or reschedule") == "#go")
        #expect(failed.main.ranges(of: "primary\"").count == 1, "one leads to what has to be fixed")
        // Every other page says so to those who can act, with the entry, the cause and what they may do.
        let banner = "href=\"/releases/\(number)\" dir=\"auto\">\(number) Gone</a>"
        let cause = "Article \"A walk\": Categories: every published item needs"
        for path in ["/queue", "/entries", "/publications"] {
            let publisher = try await visit.get(path)
            #expect(publisher.holds(banner) && publisher.says(cause), "\(path)")
            #expect(try publisher.link("Fix") == "/entries/\(id)")
            #expect(try publisher.link("Reschedule") == "/releases/\(number)#schedule")
            #expect(try publisher.link("Retry") == "/releases/\(number)#go")
            let editor = try await site.browser(.editor).get(path)
            #expect(editor.holds(banner) && editor.says(cause), "\(path)")
            #expect(!editor.links.contains { $0.text == "Reschedule" }, "editors can't schedule")
            let curator = try await site.browser(.curator).get(path)
            #expect(!curator.holds(banner) && !curator.says(cause), "\(path)")
        }
        #expect(!failed.holds(banner), "its own page says more")
        let list = try await visit.get("/releases")
        #expect(!list.holds(banner) && list.holds("<h2 id=\"failed\">Failed</h2>") && list.says(cause))
        let form = try #require(failed.forms.first { $0.id == "schedule" })
        #expect(form.action == "/releases/\(number)/schedule" && failed.holds("<details open>"))
        let again = try await visit.follow(
            try await visit.post(
                "/releases/\(number)/schedule",
                [("action", "at"), ("local", "2099-02-28T10:00"), ("zone", "UTC"), ("was", "2020-01-01 00:00 UTC")]))
        #expect(again.says("Scheduled for 2099-02-28 10:00 UTC") && !again.says("Publishing failed"))
        #expect(!again.says("Failed to publish, so readers"))
    }

    @Test("A newer version published after scheduling is a warning, then a failure; rescheduling asks and replaces it")
    func newer() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher)
        let id = try await site.article("A walk")
        try await site.change(id, "title", to: "Prepared", .approveOnly)
        let prepared = try await site.test.database.revisions.newest(of: id)?.id
        let number = try await site.test.services.composeRelease.create(
            title: "Spring", items: [LiveChange(entry: id, revision: prepared)],
            at: try WallTime(local: "2099-02-28T10:00", zone: "UTC"), by: TestDatabase.administrator)
        let path = "/releases/\(number)"
        let calm = try await visit.get(path)
        #expect(!calm.holds("Replace newer versions") && !calm.holds("fails at its time"))
        try await site.change(id, "title", to: "Newer", .now)
        let warned = try await visit.get(path)
        #expect(warned.holds("Replace newer versions") && warned.holds("since it was scheduled: 1."))
        try await site.makeDue(number)
        _ = try await site.test.services.publishRelease.due()
        let failed = try await visit.get(path)
        #expect(failed.says("Article \"Newer\": A newer version was published after"))
        #expect(failed.says("It can be published now") && failed.hasButton("Publish now"))
        let time = [("action", "at"), ("local", "2099-02-28T10:00"), ("zone", "UTC")]
        let asked = try await visit.post("\(path)/schedule", time)
        #expect(asked.status == 422 && asked.holds("A newer version of 1 entry is published."))
        let set = try await visit.follow(try await visit.post("\(path)/schedule", time + [("replace_newer", "1")]))
        #expect(set.holds("This release replaces newer versions of 1 entry.") && !set.holds("fails at its time"))
        try await site.makeDue(number)
        _ = try await site.test.services.publishRelease.due()
        #expect(try await site.rows("item", "title") == ["Prepared"])
    }

    @Test("A failed release that nobody needs any more is canceled; the banner has the newest three")
    func cancelFailed() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher)
        _ = try await site.article("A walk")
        let compose = site.test.services.composeRelease
        let actor = TestDatabase.administrator
        var numbers: [Int64] = []
        for title in ["One", "Two", "Three", "Four"] {
            let number = try await compose.create(
                title: title, items: [LiveChange(entry: SeedEntry.unsorted, revision: nil)], by: actor)
            try await site.makeDue(number)
            _ = try await site.test.services.publishRelease.due()
            numbers.append(number)
        }
        func named() async throws -> [Bool] {
            let page = try await visit.get("/queue")
            return numbers.map { page.holds("href=\"/releases/\($0)\" dir=\"auto\"") }
        }
        #expect(try await named() == [false, true, true, true])
        let page = try await visit.get("/queue")
        #expect(try page.link("Show all failed releases") == "/releases" && page.says("Failed releases 4"))
        let list = try await visit.get("/releases")
        #expect(list.main.ranges(of: "<span class=\"tag bad\">Failed</span>").count == 4)
        let canceled = try await visit.follow(try await visit.post("/releases/\(numbers[3])/cancel", []))
        #expect(canceled.says("Canceled") && !canceled.says("Publishing failed"))
        #expect(try await named() == [true, true, true, false])
        #expect(try await !visit.get("/queue").says("Show all failed releases"))
    }

    @Test("A rollback shows its plan first, then restores the published state")
    func back() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher)
        let id = try await site.article("First")
        let number = try await site.test.database.publications.current()
        try await site.change(id, "title", to: "Second", .now)
        #expect(!(try await visit.get("/publications/\(number + 1)").holds("Roll back to this publication")))
        #expect(try await visit.get("/publications/\(number)").holds("Roll back to this publication"))
        let page = try await visit.get("/publications/\(number)/rollback")
        #expect(page.holds("<del>Second</del>") && page.holds("It changes 1 entry.") && page.says("1 change"))
        let done = try await visit.follow(
            try await visit.post("/publications/\(number)/rollback", [("seen", page.seen ?? "")]))
        #expect(done.holds("publication \(number + 2)"))
        #expect(try await site.rows("item", "title") == ["First"])
        let again = try await visit.get("/publications/\(number)/rollback")
        let same = try await visit.follow(
            try await visit.post("/publications/\(number)/rollback", [("seen", again.seen ?? "")]))
        #expect(same.holds("Nothing was published."))
        #expect(try await visit.get("/publications/99").status == 404)
    }

    @Test("A plan names what readers will see: entries with their feeds, texts by their titles, and languages")
    func namedPlan() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher)
        let feed = try await site.feed("Mornings")
        let number = try await site.test.database.publications.current()
        try await site.publish("article", "Coffee", ["feeds": .entries([feed])])
        _ = try await site.create(
            "text",
            [
                "title": "Greeting", "key": "app.greeting", "section": "app", "format": "plain",
                "values": .array([.object(["locale": "de", "value": "Hallo"])]),
            ])
        let page = try await visit.get("/publications/\(number)/rollback")
        let words = page.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("Coffee Article Unpublished") && words.contains("Greeting · German Text Unpublished"))
        #expect(words.contains("Coffee · Mornings Entry in a feed Removed"))
        let plain = page.main.prefix(upTo: try #require(page.main.firstRange(of: "Show database rows")).lowerBound)
        #expect(!plain.contains("app.greeting") && !plain.contains(">de<") && !plain.contains("Deleted"))
    }
}

extension BrowserPage {
    /// The plan that a form of this page sends back.
    fileprivate var seen: String? {
        html.firstRange(of: "name=\"seen\" value=\"").map { String(html[$0.upperBound...].prefix { $0 != "\"" }) }
    }
}
