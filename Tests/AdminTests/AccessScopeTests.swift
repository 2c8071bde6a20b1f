// Tests what restricted accounts see and may do, by content type and category group, and what unrestricted ones may.
import Accounts
import Domain
import Editorial
import Postgres
import Publishing
import Review
import Store
import TestSupport
import Testing

@testable import Admin

@Suite("Access scope", .databases)
struct AccessScopeTests {
    private static let first = ID<Entry>("00000000-0000-7000-8000-000000000011")
    private static let second = ID<Entry>("00000000-0000-7000-8000-000000000012")

    @Test(
        "An empty scope allows everything; other types are outside; one matching group is enough; no group is unrestricted"
    )
    func rule() throws {
        let (one, two) = (try #require(Self.first), try #require(Self.second))
        #expect(AccessScope.all.contains(type: "video", groups: [one]))
        let types = AccessScope(types: ["article"], groups: [])
        #expect(types.contains(type: "article", groups: [two]) && !types.contains(type: "video"))
        let groups = AccessScope(types: [], groups: [one])
        #expect(groups.contains(type: "video", groups: [one, two]) && groups.contains(type: "text"))
        #expect(!groups.contains(type: "video", groups: [two]))
        let both = AccessScope(types: ["article"], groups: [one])
        #expect(both.contains(type: "article", groups: [one]) && !both.contains(type: "video", groups: [one]))
        #expect(!both.contains(type: "article", groups: [two]))
    }

    /// A signed-in account with this scope, which is also stored in the database.
    private func person(
        _ fixture: AdminFixture, _ role: Role, _ scope: AccessScope
    ) async throws -> (visit: Browser, actor: Actor) {
        let name = "Restricted \(role.rawValue)"
        let visit = try await fixture.browser(role, name: name)
        let account = try #require(
            try await fixture.test.database.accounts.list().first { $0.name == name })
        try await ManageAccount(database: fixture.test.database).setScope(
            account, scope, by: TestDatabase.administrator)
        return (
            visit, Actor(kind: .account, id: account.id.uuid, name: name, role: role, scope: scope)
        )
    }

    private func category(_ fixture: AdminFixture, _ title: String, _ group: ID<Entry>?) async throws -> ID<Entry> {
        try await fixture.test.write.create(
            type: "category", fields: ["title": .string(title), "group": .string(group?.description ?? "")],
            publishTiming: .now, by: TestDatabase.administrator
        ).entry
    }

    private func article(_ fixture: AdminFixture, _ title: String, in categories: [ID<Entry>], by actor: Actor)
        async throws
        -> ID<Entry>
    {
        try await fixture.test.write.create(
            type: "article",
            fields: [
                "title": .string(title), "body": "<p>Hello</p>",
                "categories": .array(categories.map { .string($0.description) }),
            ], publishTiming: .now, by: actor
        ).entry
    }

    @Test("The queue shows only submissions in scope; others are refused with a message")
    func queue() async throws {
        let fixture = try await AdminFixture.make()
        let article = try await fixture.submit("Ten cafés")
        let video = try await fixture.submit("A film", type: "video")
        let (visit, _) = try await person(fixture, .curator, AccessScope(types: ["article"], groups: []))
        let page = try await visit.get("/queue")
        #expect(page.says("Ten cafés") && !page.says("A film"))
        #expect(try await visit.get("/queue/\(article)").status == 200)
        let other = try await visit.get("/queue/\(video)")
        #expect(other.status == 403 && other.says("outside your access scope"))
        for action in ["claim", "decision", "snooze", "notes"] {
            #expect(try await visit.post("/queue/\(video)/\(action)", [("action", "reject")]).status == 403)
        }
        let bulkAction = try await visit.post(
            "/bulk-actions", [("action", "reject"), ("id", "\(article)"), ("id", "\(video)")])
        #expect(bulkAction.status == 403 && bulkAction.says("Some of these submissions are outside"))
        #expect(try await visit.post("/bulk-actions", [("action", "reject"), ("id", "\(article)")]).status == 303)
        let everybody = try await fixture.browser(.curator, name: "Everything")
        #expect(try await everybody.get("/queue").says("A film"))
    }

    @Test("The gate refuses the submission or entry of every endpoint that declares one, if it is outside the scope")
    func gate() async throws {
        let fixture = try await AdminFixture.make()
        let video = try await fixture.submit("A film", type: "video")
        let museums = try await category(fixture, "Museums", Self.second)
        let scope = AccessScope(types: ["article"], groups: [])
        let (visit, _) = try await person(fixture, .administrator, scope)
        var refused = 0
        for endpoint in AdminSite.endpoints(TestDatabase.packs) {
            let id: String
            switch endpoint.scope {
            case .submission("id"): id = video.description
            case .entry("id"): id = museums.description
            default: continue
            }
            let path = endpoint.pattern.replacing("{id}", with: id).replacing("{other}", with: id)
            let page = endpoint.method == "GET" ? try await visit.get(path) : try await visit.post(path, [])
            #expect(page.status == 403 && page.says("outside your access scope"), "\(endpoint.pattern)")
            refused += 1
        }
        #expect(refused > 14)
        // A missing one is missing, not forbidden.
        let missing = "00000000-0000-7000-8000-00000000ffff"
        #expect(try await visit.get(AdminURL.submission(missing)).status == 404)
    }

    @Test("By group: a submission that requests a category of another group is hidden, one that requests none is shown")
    func requestedCategories() async throws {
        let fixture = try await AdminFixture.make()
        let pizza = try await category(fixture, "Pizza", Self.first)
        _ = try await category(fixture, "Museums", Self.second)
        try await fixture.submit("About dough", category: "pizza")
        try await fixture.submit("About art", category: "Museums")
        try await fixture.submit("About nothing")
        let one = try #require(Self.first)
        let (visit, actor) = try await person(fixture, .publisher, AccessScope(types: [], groups: [one]))
        let page = try await visit.get("/queue")
        #expect(page.says("About dough") && page.says("About nothing") && !page.says("About art"))
        _ = try await article(fixture, "Dough", in: [pizza], by: actor)
        // The default category belongs to no one in particular.
        _ = try await article(fixture, "Nothing", in: [SeedEntry.unsorted], by: actor)
    }

    @Test(
        "The database refuses decisions, revisions, approvals and publications outside the scope, whatever code requests them"
    )
    func database() async throws {
        let fixture = try await AdminFixture.make()
        let database = fixture.test.database
        let pizza = try await category(fixture, "Pizza", Self.first)
        let museums = try await category(fixture, "Museums", Self.second)
        let one = try #require(Self.first)
        let (_, restricted) = try await person(fixture, .publisher, AccessScope(types: ["article"], groups: [one]))
        // As if the code had not checked the scope.
        let unchecked = Actor(kind: .account, id: restricted.id, name: restricted.name, role: .publisher)
        let video = try await fixture.submit("A film", type: "video")
        let decide = fixture.test.services.decideSubmission
        let draft = Decision.Draft(verdict: .reject, reason: .spam)
        for actor in [restricted, unchecked] {
            await #expect(throws: Failure.self) { try await decide(video, draft, version: nil, by: actor) }
        }
        #expect(try await fixture.state(video) == .pending)

        let mine = try await article(fixture, "Dough", in: [pizza], by: unchecked)
        let both = try await article(fixture, "Dough and art", in: [pizza, museums], by: unchecked)
        await #expect(throws: Failure.self) { try await article(fixture, "Art", in: [museums], by: unchecked) }
        let theirs = try await article(fixture, "Art", in: [museums], by: TestDatabase.administrator)
        let write = WriteEntry(database: database, rules: fixture.test.rules)
        for (id, isHeld) in [(mine, true), (both, true), (theirs, false)] {
            if isHeld {
                _ = try await write.unpublish(id, by: unchecked)
            } else {
                await #expect(throws: Failure.self) { try await write.unpublish(id, by: unchecked) }
            }
        }
        await #expect(throws: Failure.self) {
            try await write.create(
                type: "feed", fields: ["title": "City", "tier": "free"], publishTiming: .now, by: unchecked)
        }
        // Moving an entry out of another group is refused as well.
        let newest = try #require(try await database.revisions.newest(of: theirs))
        await #expect(throws: Failure.self) {
            var fields = newest.content.fields
            fields["categories"] = .array([.string(pizza.description)])
            _ = try await write.edit(theirs, fields: fields, base: newest.number, by: unchecked)
        }
        // An empty scope allows everything again.
        let account = try #require(try await database.accounts.list().first { $0.id.uuid == restricted.id })
        try await ManageAccount(database: database).setScope(account, .all, by: TestDatabase.administrator)
        _ = try await write.unpublish(theirs, by: unchecked)
    }

    @Test("Only entries in scope can be added to a release")
    func releases() async throws {
        let fixture = try await AdminFixture.make()
        let (_, restricted) = try await person(fixture, .publisher, AccessScope(types: ["article"], groups: []))
        let pizza = try await category(fixture, "Pizza", Self.first)
        let mine = try await article(fixture, "Dough", in: [pizza], by: TestDatabase.administrator)
        let compose = ComposeRelease(database: fixture.test.database)
        let release = try await compose.create(title: "Friday", by: restricted)
        try await compose.add([LiveChange(entry: mine, revision: nil)], to: release, by: restricted)
        await #expect(throws: Failure.self) {
            try await compose.add([LiveChange(entry: pizza, revision: nil)], to: release, by: restricted)
        }
    }

    @Test("Entry pages offer only permitted actions; the account page shows the scope")
    func pages() async throws {
        let fixture = try await AdminFixture.make()
        let museums = try await category(fixture, "Museums", Self.second)
        let art = try await article(fixture, "Art", in: [museums], by: TestDatabase.administrator)
        let (visit, actor) = try await person(fixture, .publisher, .all)
        #expect(try await visit.get("/entries/\(art)").links.contains { $0.text == "Edit" })
        let administrator = try await fixture.browser(.administrator, name: "Admin")
        let place = "/accounts/\(ID<Account>(actor.id ?? art.uuid))"
        #expect(try await administrator.get(place).says("Unrestricted: nothing is selected."))
        let wrong = try await administrator.post(place + "/scope", [("types", "nothing"), ("groups", art.description)])
        #expect(wrong.status == 422 && wrong.says("Choose content types from the list."))
        let one = try #require(Self.first)
        let set = try await administrator.post(
            place + "/scope", [("types", "article"), ("types", "feed"), ("groups", one.description)])
        #expect(set.status == 303)
        let page = try await administrator.get(place)
        #expect(page.says("Restricted to the selection.") && page.holds(#"name="types" value="article" checked"#))
        let shown = try await visit.get("/entries/\(art)")
        #expect(shown.says("outside your access scope") && !shown.links.contains { $0.text == "Edit" })
        #expect(!shown.links.contains { $0.text == "Unpublish…" })
        #expect(try await visit.get("/entries/\(art)/revisions").status == 403)
        let kinds = try await visit.get("/entries/new")
        #expect(kinds.says("Article") && !kinds.says("Video"))
    }
}
