// Tests what narrowed accounts see and may do: by content type, by category group, and with nothing said.
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

@Suite("What somebody works on", .databases)
struct AccessScopeTests {
    private static let first = ID<Entry>("00000000-0000-7000-8000-000000000011")
    private static let second = ID<Entry>("00000000-0000-7000-8000-000000000012")

    @Test(
        "Nothing said is all; a type that is not named is outside; of several groups one is enough, and none is not narrowed"
    )
    func rule() throws {
        let (one, two) = (try #require(Self.first), try #require(Self.second))
        #expect(AccessScope.all.holds(type: "video", groups: [one]))
        let types = AccessScope(types: ["article"], groups: [])
        #expect(types.holds(type: "article", groups: [two]) && !types.holds(type: "video"))
        let groups = AccessScope(types: [], groups: [one])
        #expect(groups.holds(type: "video", groups: [one, two]) && groups.holds(type: "text"))
        #expect(!groups.holds(type: "video", groups: [two]))
        let both = AccessScope(types: ["article"], groups: [one])
        #expect(both.holds(type: "article", groups: [one]) && !both.holds(type: "video", groups: [one]))
        #expect(!both.holds(type: "article", groups: [two]))
    }

    /// Somebody signed in who works on this only, as the database has it too.
    private func person(
        _ desk: Desk, _ role: Role, _ scope: AccessScope
    ) async throws -> (visit: EditorVisit, actor: Actor) {
        let name = "Narrow \(role.rawValue)"
        let visit = try await EditorSite(desk: desk).visitor(role, name: name)
        let account = try #require(
            try await desk.test.database.accounts.list().first { $0.name == name })
        try await ManageAccount(database: desk.test.database).setScope(account, scope, by: TestDatabase.administrator)
        return (
            visit, Actor(kind: .account, id: account.id.uuid, name: name, role: role, scope: scope)
        )
    }

    private func category(_ desk: Desk, _ title: String, _ group: ID<Entry>?) async throws -> ID<Entry> {
        try await WriteEntry(database: desk.test.database, rules: desk.test.rules).create(
            type: "category", fields: ["title": .string(title), "group": .string(group?.description ?? "")],
            publishTiming: .now, by: TestDatabase.administrator
        ).entry
    }

    private func article(_ desk: Desk, _ title: String, in categories: [ID<Entry>], by actor: Actor) async throws
        -> ID<Entry>
    {
        try await WriteEntry(database: desk.test.database, rules: desk.test.rules).create(
            type: "article",
            fields: [
                "title": .string(title), "body": "<p>Hello</p>",
                "categories": .array(categories.map { .string($0.description) }),
            ], publishTiming: .now, by: actor
        ).entry
    }

    @Test("The queue shows only what one works on, and another's submission is refused with a sentence")
    func queue() async throws {
        let desk = try await Desk.make()
        let article = try await desk.submit("Ten cafés")
        let video = try await desk.submit("A film", type: "video")
        let (visit, _) = try await person(desk, .curator, AccessScope(types: ["article"], groups: []))
        let page = try await visit.get("/queue")
        #expect(page.says("Ten cafés") && !page.says("A film"))
        #expect(try await visit.get("/queue/\(article)").status == 200)
        let other = try await visit.get("/queue/\(video)")
        #expect(other.status == 403 && other.says("outside of what you work on"))
        for action in ["claim", "decision", "snooze", "notes"] {
            #expect(try await visit.post("/queue/\(video)/\(action)", [("action", "reject")]).status == 403)
        }
        let bulkAction = try await visit.post(
            "/bulk-actions", [("action", "reject"), ("id", "\(article)"), ("id", "\(video)")])
        #expect(bulkAction.status == 403 && bulkAction.says("Some of these submissions are outside"))
        #expect(try await visit.post("/bulk-actions", [("action", "reject"), ("id", "\(article)")]).status == 303)
        let everybody = try await EditorSite(desk: desk).visitor(.curator, name: "Everything")
        #expect(try await everybody.get("/queue").says("A film"))
    }

    @Test("By group: what wishes for a category of another group is not shown, what wishes for none is")
    func wishes() async throws {
        let desk = try await Desk.make()
        let pizza = try await category(desk, "Pizza", Self.first)
        _ = try await category(desk, "Museums", Self.second)
        try await desk.submit("About dough", category: "pizza")
        try await desk.submit("About art", category: "Museums")
        try await desk.submit("About nothing")
        let one = try #require(Self.first)
        let (visit, actor) = try await person(desk, .publisher, AccessScope(types: [], groups: [one]))
        let page = try await visit.get("/queue")
        #expect(page.says("About dough") && page.says("About nothing") && !page.says("About art"))
        _ = try await article(desk, "Dough", in: [pizza], by: actor)
        // What was put nowhere so far is nobody's in particular.
        _ = try await article(desk, "Nothing", in: [SeedEntry.unsorted], by: actor)
    }

    @Test(
        "The database refuses a decision, a version, a consent and a publication outside of it, whatever way they come")
    func database() async throws {
        let desk = try await Desk.make()
        let database = desk.test.database
        let pizza = try await category(desk, "Pizza", Self.first)
        let museums = try await category(desk, "Museums", Self.second)
        let one = try #require(Self.first)
        let (_, narrow) = try await person(desk, .publisher, AccessScope(types: ["article"], groups: [one]))
        // As if the action had forgotten to ask.
        let careless = Actor(kind: .account, id: narrow.id, name: narrow.name, role: .publisher)
        let video = try await desk.submit("A film", type: "video")
        let decide = DecideSubmission(database: database, rules: desk.test.rules)
        let draft = Decision.Draft(verdict: .reject, reason: .spam)
        for actor in [narrow, careless] {
            await #expect(throws: Failure.self) { try await decide(video, draft, version: nil, by: actor) }
        }
        #expect(try await desk.state(video) == .pending)

        let mine = try await article(desk, "Dough", in: [pizza], by: careless)
        let both = try await article(desk, "Dough and art", in: [pizza, museums], by: careless)
        await #expect(throws: Failure.self) { try await article(desk, "Art", in: [museums], by: careless) }
        let theirs = try await article(desk, "Art", in: [museums], by: TestDatabase.administrator)
        let write = WriteEntry(database: database, rules: desk.test.rules)
        for (id, isHeld) in [(mine, true), (both, true), (theirs, false)] {
            if isHeld {
                _ = try await write.unpublish(id, by: careless)
            } else {
                await #expect(throws: Failure.self) { try await write.unpublish(id, by: careless) }
            }
        }
        await #expect(throws: Failure.self) {
            try await write.create(
                type: "feed", fields: ["title": "City", "tier": "free"], publishTiming: .now, by: careless)
        }
        // To take something away from the others is refused as well.
        let newest = try #require(try await database.revisions.newest(of: theirs))
        await #expect(throws: Failure.self) {
            var fields = newest.content.fields
            fields["categories"] = .array([.string(pizza.description)])
            _ = try await write.edit(theirs, fields: fields, base: newest.number, by: careless)
        }
        // With nothing said, all of it is free again.
        let account = try #require(try await database.accounts.list().first { $0.id.uuid == narrow.id })
        try await ManageAccount(database: database).setScope(account, .all, by: TestDatabase.administrator)
        _ = try await write.unpublish(theirs, by: careless)
    }

    @Test("A release holds only what its maker works on")
    func releases() async throws {
        let desk = try await Desk.make()
        let (_, narrow) = try await person(desk, .publisher, AccessScope(types: ["article"], groups: []))
        let pizza = try await category(desk, "Pizza", Self.first)
        let mine = try await article(desk, "Dough", in: [pizza], by: TestDatabase.administrator)
        let compose = ComposeRelease(database: desk.test.database)
        let release = try await compose.make(title: "Friday", by: narrow)
        try await compose.put([LiveChange(entry: mine, revision: nil)], into: release, by: narrow)
        await #expect(throws: Failure.self) {
            try await compose.put([LiveChange(entry: pizza, revision: nil)], into: release, by: narrow)
        }
    }

    @Test("The pages of an entry offer only what one may do; the page of the account says what that is")
    func pages() async throws {
        let desk = try await Desk.make()
        let museums = try await category(desk, "Museums", Self.second)
        let art = try await article(desk, "Art", in: [museums], by: TestDatabase.administrator)
        let (visit, actor) = try await person(desk, .publisher, .all)
        #expect(try await visit.get("/entries/\(art)").links.contains { $0.words == "Edit" })
        let administrator = try await EditorSite(desk: desk).visitor(.administrator, name: "Admin")
        let place = "/accounts/\(ID<Account>(actor.id ?? art.uuid))"
        #expect(try await administrator.get(place).says("Everything: nothing is ticked."))
        let wrong = try await administrator.post(place + "/scope", [("types", "nothing"), ("groups", art.description)])
        #expect(wrong.status == 422 && wrong.says("Choose content types of the list."))
        let one = try #require(Self.first)
        let set = try await administrator.post(
            place + "/scope", [("types", "article"), ("types", "feed"), ("groups", one.description)])
        #expect(set.status == 303)
        let page = try await administrator.get(place)
        #expect(page.says("Only what is ticked.") && page.holds(#"name="types" value="article" checked"#))
        let shown = try await visit.get("/entries/\(art)")
        #expect(shown.says("outside of what you work on") && !shown.links.contains { $0.words == "Edit" })
        #expect(!shown.links.contains { $0.words == "Withdraw…" })
        #expect(try await visit.get("/entries/\(art)/revisions").status == 403)
        let kinds = try await visit.get("/entries/new")
        #expect(kinds.says("Article") && !kinds.says("Video"))
    }
}
