// Tests duplicating releases and moving entries between them.
import Domain
import Operations
import Store
import TestSupport
import Testing

@testable import Admin

@Suite("Duplicated and split releases", .databases)
struct ReleaseSplitTests {
    private static let time = [("action", "at"), ("local", "2099-02-28T10:00"), ("zone", "UTC")]

    /// A release of a new version of one entry and the unpublishing of another one.
    private func release(_ site: AdminFixture) async throws -> (number: Int64, edited: ID<Entry>, gone: ID<Entry>) {
        let (edited, gone) = (try await site.article("A walk"), try await site.article("Old news"))
        try await site.change(edited, "title", to: "A long walk", .approveOnly)
        let version = try await site.test.database.revisions.newest(of: edited)?.id
        let number = try await site.test.services.composeRelease.create(
            title: "Spring",
            items: [LiveChange(entry: edited, revision: version), LiveChange(entry: gone, revision: nil)],
            by: TestDatabase.administrator)
        return (number, edited, gone)
    }

    /// Titles and versions; version 0 unpublishes.
    private func items(_ number: Int64, _ site: AdminFixture) async throws -> [String] {
        let release = try #require(try await site.test.database.releases.find(number: number))
        let page = try await site.test.database.releaseItems.page(of: release.id, cursor: nil, limit: 50)
        return page.items.map { "\($0.title) \($0.revision ?? 0)" }.sorted()
    }

    private func actions(_ number: Int64, _ site: AdminFixture) async throws -> [String] {
        let rows = try await site.test.client.query(
            """
            select action from ops.audit_event where object_type = 'release' and object_id = \(String(number))
            order by id
            """)
        return try rows.map { try $0("action") }
    }

    private let contents = ["A long walk 2", "Old news 0"]

    @Test("A copy has the same contents, a title of its own and no time, whatever became of the release")
    func duplicate() async throws {
        let site = try await AdminFixture.make()
        let (number, _, _) = try await release(site)
        let visit = try await site.browser(.publisher)
        #expect(try await visit.post("/releases/\(number)/schedule", Self.time).status == 303)
        var form = try await visit.get("/releases/\(number)").form("Duplicate release")
        #expect(form.value("copy_title") == "Spring (copy)")
        try form.fill("copy_title", "  ")
        let refused = try await visit.press("Duplicate release", in: form)
        #expect(refused.status == 422 && refused.links.contains { $0.url == "#copy_title" })
        #expect(refused.holds("id=\"copy_title-error\"") && !refused.holds("id=\"title-error\""))
        try form.fill("copy_title", "Autumn")
        let page = try await visit.press("Duplicate release", in: form)
        #expect(page.url == "/releases/\(number + 1)" && page.says("Release \(number) duplicated"))
        let copy = try #require(try await site.test.database.releases.find(number: number + 1))
        #expect(copy.state == .open && copy.localTime == nil && copy.title == "Autumn")
        #expect(try await items(copy.number, site) == contents)
        #expect(try await items(number, site) == contents)
        #expect(try await site.test.database.releases.find(number: number)?.state == .scheduled)
        #expect(try await actions(number, site).last == "release.duplicate")
        #expect(try await actions(copy.number, site) == ["release.create"])
        // Published and canceled ones, too.
        _ = try await site.test.services.publishRelease.release(
            copy.number, seen: nil, by: TestDatabase.administrator)
        #expect(try await visit.post("/releases/\(number)/cancel", []).status == 303)
        for finished in [number, copy.number] {
            let again = try await visit.follow(
                try await visit.post("/releases/\(finished)/duplicate", [("copy_title", "Again")]))
            #expect(again.says("Release \(finished) duplicated") && again.says("2 entries"))
        }
        let curator = try await site.browser(.curator)
        #expect(try await !curator.get("/releases/\(number)").hasButton("Duplicate release"))
        #expect(try await curator.post("/releases/\(number)/duplicate", [("copy_title", "Again")]).status == 403)
        #expect(try await visit.post("/releases/99/duplicate", [("copy_title", "Again")]).status == 404)
    }

    @Test("A copy knows what was published when its entries were added, so it doesn't replace newer versions unasked")
    func newer() async throws {
        let site = try await AdminFixture.make()
        let (number, edited, _) = try await release(site)
        try await site.change(edited, "title", to: "Newer", .now)
        let visit = try await site.browser(.publisher)
        let page = try await visit.follow(
            try await visit.post("/releases/\(number)/duplicate", [("copy_title", "Autumn")]))
        #expect(page.says("Entries published again since they were added: 1"))
        let asked = try await visit.post("\(page.url)/schedule", Self.time)
        #expect(asked.status == 422 && asked.says("Confirm that this release replaces it."))
    }

    @Test("Selected entries move to a new release, and back to the open one")
    func move() async throws {
        let site = try await AdminFixture.make()
        let (number, edited, _) = try await release(site)
        let visit = try await site.browser(.editor)
        var form = try await visit.get("/releases/\(number)").form("Move entries")
        try form.fill("title", "Later")
        let none = try await visit.press("Move entries", in: form)
        #expect(none.status == 422 && none.says("Select at least one entry."))
        #expect(none.holds("<p class=\"error\">Select at least one entry."), "beside the form, too")
        #expect(try none.form("Move entries").value("title") == "Later")
        try form.fill("title", "")
        try form.tick("entry", edited.description)
        let untitled = try await visit.press("Move entries", in: form)
        #expect(untitled.status == 422 && untitled.says("Enter a title of 1 to 300 characters."))
        #expect(untitled.holds("id=\"title-error\"") && !untitled.holds("id=\"copy_title-error\""))
        #expect(try untitled.form("Move entries").value("entry") == edited.description)
        try form.fill("title", "Later")
        let page = try await visit.press("Move entries", in: form)
        #expect(page.url == "/releases/\(number + 1)" && page.says("Moved 1 entry from release \(number)"))
        #expect(try await items(number, site) == ["Old news 0"])
        #expect(try await items(number + 1, site) == ["A long walk 2"])
        #expect(try await actions(number, site).last == "release.move")
        #expect(try await actions(number + 1, site) == ["release.create"])
        var back = try page.form("Move entries")
        try back.fill("release", String(number))
        try back.tick("entry", edited.description)
        #expect(try await visit.press("Move entries", in: back).url == "/releases/\(number)")
        #expect(try await items(number, site) == contents)
        #expect(try await items(number + 1, site).isEmpty)
        #expect(try await actions(number, site).last == "release.add")
    }

    @Test("A move that a release can't take changes nothing and says why")
    func refused() async throws {
        let site = try await AdminFixture.make()
        let (number, edited, gone) = try await release(site)
        let compose = site.test.services.composeRelease
        let unpublishing = LiveChange(entry: edited, revision: nil)
        let other = try await compose.create(title: "Other", items: [unpublishing], by: TestDatabase.administrator)
        let visit = try await site.browser(.publisher)
        func move(_ entries: [ID<Entry>], _ target: String) async throws -> BrowserPage {
            try await visit.post(
                "/releases/\(number)/move", entries.map { ("entry", $0.description) } + [("release", target)])
        }
        let contained = try await move([gone, edited], String(other))
        #expect(contained.status == 409)
        #expect(contained.says("Release \(other) already contains “A long walk”."))
        #expect(try contained.form("Move entries").controls.count { $0.kind == .box && $0.isOn } == 2)
        let absent = try await move([gone, SeedEntry.unsorted], String(other))
        #expect(absent.status == 409 && absent.says("are not in release \(number)"))
        let same = try await move([gone], String(number))
        #expect(same.status == 422 && same.says("Choose another release."))
        let unknown = try await move([gone], "99")
        #expect(unknown.status == 422 && unknown.says("There is no release 99."))
        #expect(try await visit.post("/releases/\(other)/schedule", Self.time).status == 303)
        let scheduled = try await move([gone], String(other))
        #expect(scheduled.status == 409 && scheduled.says("Release \(other) is scheduled. Choose an open release"))
        #expect(try await items(number, site) == contents)
        #expect(try await items(other, site) == ["A long walk 0"])
        // Only publishers change what is scheduled.
        let editor = try await site.browser(.editor)
        let fixed = try await editor.get("/releases/\(other)")
        for button in ["Move entries", "Remove", "Find entries"] {
            #expect(!fixed.hasButton(button), "\(button)")
            #expect(try await editor.get("/releases/\(number)").hasButton(button), "\(button)")
        }
        let taken = [("entry", edited.description), ("title", "Mine")]
        #expect(try await editor.post("/releases/\(other)/move", taken).status == 403)
        #expect(try await visit.post("/releases/\(other)/cancel", []).status == 303)
        let canceled = try await visit.post("/releases/\(other)/move", taken)
        #expect(canceled.status == 409 && canceled.says("Release \(other) is already canceled."))
        #expect(try await items(other, site) == ["A long walk 0"])
    }

    @Test("The entry that a release failed for moves to another one, which opens the release again")
    func failed() async throws {
        let site = try await AdminFixture.make()
        let (number, _, _) = try await release(site)
        let compose = site.test.services.composeRelease
        // An item needs its category.
        let blocked = LiveChange(entry: SeedEntry.unsorted, revision: nil)
        try await compose.add([blocked], to: number, by: TestDatabase.administrator)
        try await site.makeDue(number)
        _ = try await site.test.services.publishRelease.due()
        #expect(try await site.test.database.releases.find(number: number)?.state == .failed)
        let moved = try await compose.move(
            [SeedEntry.unsorted], from: number, to: .new(title: "Later"), by: TestDatabase.administrator)
        #expect(moved == number + 1)
        #expect(try await site.test.database.releases.find(number: number)?.state == .open)
        #expect(try await items(number, site) == contents)
    }

    @Test("S15: restricted people copy no release with entries that they can't see, and move only their own")
    func scope() async throws {
        let site = try await AdminFixture.make()
        let (number, edited, _) = try await release(site)
        let feed = try await site.feed()
        let compose = site.test.services.composeRelease
        try await compose.add([LiveChange(entry: feed, revision: nil)], to: number, by: TestDatabase.administrator)
        _ = try await site.test.actor(.administrator, name: "Unrestricted")
        let visit = try await site.browser(.editor, name: "Restricted")
        let scope = AccessScope(types: ["article"], groups: [])
        let account = try #require(try await site.test.database.accounts.list().first { $0.name == "Restricted" })
        try await site.test.services.manageAccount.setScope(account, scope, by: TestDatabase.administrator)
        #expect(try await !visit.get("/releases/\(number)").hasButton("Duplicate release"))
        let copied = try await visit.post("/releases/\(number)/duplicate", [("copy_title", "Mine")])
        #expect(copied.status == 403 && copied.says("contains entries outside your access scope"))
        func move(_ entries: [ID<Entry>]) async throws -> BrowserPage {
            try await visit.post(
                "/releases/\(number)/move", entries.map { ("entry", $0.description) } + [("title", "Mine")])
        }
        let both = try await move([edited, feed])
        #expect(both.status == 409 && both.says("outside your access scope"))
        // Other interfaces have no scope of a page: the database refuses it.
        let actor = Actor(kind: .account, id: account.id.uuid, name: "Restricted", role: .editor, scope: scope)
        await #expect(throws: Failure.self) {
            try await compose.move([feed], from: number, to: .new(title: "Mine"), by: actor)
        }
        #expect(try await items(number, site).count == 3)
        #expect(try await move([edited]).status == 303)
        #expect(try await items(number, site).count == 2)
    }
}
