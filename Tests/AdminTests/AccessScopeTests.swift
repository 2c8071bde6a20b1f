// Tests what restricted accounts see and may do, by content type and category group, and what unrestricted ones may.
import Domain
import FoundationEssentials
import Operations
import Platform
import Postgres
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
    func rule() async throws {
        let superuser = try await TestDatabase.make().superuser()
        func contains(_ types: String?, _ groups: String?, type: String, in given: String) async throws -> Bool? {
            try await superuser.query(
                "select ops.in_access_scope(\(types)::text[], \(groups)::uuid[], \(type), \(given)::uuid[]) as is_in"
            ).first.map { try $0("is_in") }
        }
        let (one, two) = (try #require(Self.first).description, try #require(Self.second).description)
        #expect(try await contains(nil, nil, type: "video", in: "{\(one)}") == true)
        #expect(try await contains("{article}", nil, type: "article", in: "{\(two)}") == true)
        #expect(try await contains("{article}", nil, type: "video", in: "{}") == false)
        #expect(try await contains(nil, "{\(one)}", type: "video", in: "{\(one),\(two)}") == true)
        #expect(try await contains(nil, "{\(one)}", type: "text", in: "{}") == true)
        #expect(try await contains(nil, "{\(one)}", type: "video", in: "{\(two)}") == false)
        #expect(try await contains("{article}", "{\(one)}", type: "article", in: "{\(one)}") == true)
        #expect(try await contains("{article}", "{\(one)}", type: "video", in: "{\(one)}") == false)
        #expect(try await contains("{article}", "{\(one)}", type: "article", in: "{\(two)}") == false)
    }

    /// A signed-in account with this scope, which is also stored in the database.
    private func person(
        _ fixture: AdminFixture, _ role: Role, _ scope: AccessScope
    ) async throws -> (visit: Browser, actor: Actor) {
        _ = try await fixture.test.actor(.administrator, name: "Unrestricted")
        let name = "Restricted \(role.name)"
        let visit = try await fixture.browser(role, name: name)
        let account = try #require(
            try await fixture.test.database.accounts.list().first { $0.name == name })
        try await fixture.test.services.manageAccount.setScope(
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

    @Test("The queue shows only submissions in scope; others look as if they did not exist")
    func queue() async throws {
        let fixture = try await AdminFixture.make()
        let article = try await fixture.submit("Ten cafés")
        let video = try await fixture.submit("A film", type: "video")
        let (visit, _) = try await person(fixture, .curator, AccessScope(types: ["article"], groups: []))
        let page = try await visit.get("/queue")
        #expect(page.says("Ten cafés") && !page.says("A film"))
        #expect(try await visit.get("/queue/\(article)").status == 200)
        let other = try await visit.get("/queue/\(video)")
        let missing = try await visit.get("/queue/\(UUIDv7.make())")
        #expect(other.status == 404 && other.main == missing.main)
        for action in ["claim", "decision", "snooze", "notes"] {
            #expect(try await visit.post("/queue/\(video)/\(action)", [("action", "reject")]).status == 404)
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
            #expect(page.status == 404, "\(endpoint.pattern)")
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

    @Test("The program copies what an account wrote outside its access scope; the account can't write it")
    func imported() async throws {
        let fixture = try await AdminFixture.make()
        let (_, restricted) = try await person(fixture, .publisher, AccessScope(types: ["article"], groups: []))
        func write(with author: UUID) async throws {
            try await fixture.test.client.transaction(retries: 0) { transaction in
                try await transaction.execute(
                    """
                    insert into ops.audit_event (actor_id, actor_role, action, object_type)
                    values (\(author), 'publisher', 'test.write', 'test')
                    """)
                try await transaction.execute(
                    "insert into curation.entry (type, kind, created_by) values ('video', 'item', \(restricted.rowID))")
            }
        }
        try await write(with: SystemActor.import)
        let error = try await #require(throws: PostgresError.self) { try await write(with: restricted.rowID) }
        #expect(error.constraint == "account_scope")
    }

    @Test("S15: what is outside the scope is not found by its email address, and notes on its entry are hidden")
    func contributors() async throws {
        let fixture = try await AdminFixture.make()
        let museums = try await category(fixture, "Museums", Self.second)
        _ = try await fixture.submit("About art", category: "Museums", email: "art@example.org")
        let id = try await fixture.submit("About everything", email: "all@example.org")
        let outcome = try await fixture.test.services.decideSubmission(
            id, Decision.Draft(verdict: .approve, categories: [museums], publishTiming: .approveOnly), version: nil,
            by: TestDatabase.administrator)
        let entry = try #require(outcome.change).entry
        _ = try await fixture.test.services.addNote(
            "A remark on art", on: .entry(entry), by: try await fixture.test.actor(.editor, name: "Eve"))
        let contributor = try #require(try await fixture.test.database.reputations.find(of: id)).id
        let one = try #require(Self.first)
        let (visit, _) = try await person(fixture, .curator, AccessScope(types: [], groups: [one]))
        let everybody = try await fixture.browser(.curator, name: "Everything")
        let notes = AdminURL.contributorNotes(contributor)
        #expect(try await everybody.get(notes).says("A remark on art"))
        let hidden = try await visit.get(notes)
        #expect(hidden.status == 200 && !hidden.says("A remark on art"))
        let link = AdminURL.contributor(contributor)
        #expect(try await visit.get("/contributors?q=all@example.org").html.contains(link))
        #expect(try await everybody.get("/contributors?q=art@example.org").html.contains(link))
        #expect(!(try await visit.get("/contributors?q=art@example.org")).html.contains(link))
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
        let write = fixture.test.services.writeEntry
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
        try await fixture.test.services.manageAccount.setScope(account, .all, by: TestDatabase.administrator)
        _ = try await write.unpublish(theirs, by: unchecked)
    }

    @Test(
        "The database refuses what restricted accounts do to the releases, entries, bulk actions and rules of others, and to themselves"
    )
    func others() async throws {
        let fixture = try await AdminFixture.make()
        let (database, services) = (fixture.test.database, fixture.test.services)
        let administrator = try await fixture.test.actor(.administrator, name: "Other")
        let museums = try await category(fixture, "Museums", Self.second)
        let pizza = try await category(fixture, "Pizza", Self.first)
        let one = try #require(Self.first)
        let (_, restricted) = try await person(fixture, .administrator, AccessScope(types: [], groups: [one]))
        // As if the code had not checked the scope.
        let unchecked = Actor(
            kind: .account, id: restricted.id, name: restricted.name, role: .administrator,
            credential: restricted.credential)
        let art = try await article(fixture, "Art", in: [museums], by: administrator)
        let before = try #require(try await database.publications.page(cursor: nil, limit: 1).items.first).number
        try await fixture.edit(art, ["categories": .entries([pizza])], by: administrator)

        // Its published version is in the scope now, the one that a rollback brings back is not.
        await #expect(throws: Failure.self) {
            _ = try await services.publishRelease.rollback(to: before, seen: nil, by: unchecked)
        }
        let painting = try await article(fixture, "Painting", in: [museums], by: administrator)
        let release = try await services.composeRelease.create(title: "Theirs", by: administrator)
        try await services.composeRelease.add(
            [LiveChange(entry: painting, revision: nil)], to: release, by: administrator)
        let time = try WallTime(local: "2040-01-01T10:00:00", zone: "UTC")
        await #expect(throws: Failure.self) { try await services.composeRelease.cancel(release, by: unchecked) }
        await #expect(throws: Failure.self) {
            try await services.composeRelease.remove(painting, from: release, by: unchecked)
        }
        await #expect(throws: Failure.self) {
            _ = try await services.composeRelease.schedule(release, at: time, by: unchecked)
        }
        _ = try await services.composeRelease.schedule(release, at: time, by: administrator)
        await #expect(throws: Failure.self) {
            _ = try await services.composeRelease.schedule(release, at: nil, by: unchecked)
        }
        #expect(try await database.releases.find(number: release)?.state == .scheduled)

        let submission = try await fixture.submit("About art", category: "Museums")
        let action = try await services.planBulkAction(.reject, .listed([submission]), by: administrator)
        _ = try await services.runBulkAction(
            action, .decide(Decision.Draft(verdict: .reject, reason: .spam)), by: administrator)
        await #expect(throws: Failure.self) { _ = try await services.undoBulkAction(action, by: unchecked) }
        #expect(try await fixture.state(submission) == .rejected)

        await #expect(throws: Failure.self) { try await services.manageScreening.activate(1, by: unchecked) }
        let account = try #require(try await database.accounts.list().first { $0.id.uuid == restricted.id })
        await #expect(throws: Failure.self) {
            try await services.manageAccount.setScope(account, .all, by: unchecked)
        }
        await #expect(throws: Failure.self) {
            try await services.manageAccount.setRole(account.id, .publisher, by: unchecked)
        }
        #expect(try await database.accounts.find(account.id)?.scope == restricted.scope)
    }

    @Test("The last administrator without an access scope can't be restricted")
    func lastAdministrator() async throws {
        let fixture = try await AdminFixture.make()
        let last = try await fixture.test.actor(.administrator, name: "Last")
        let manage = fixture.test.services.manageAccount
        let scope = AccessScope(types: ["article"], groups: [])
        let all = try await fixture.test.database.accounts.list().filter { $0.role.may(.administer) }
        for account in all where account.id.uuid != last.id {
            try await manage.setScope(account, scope, by: last)
        }
        let own = try #require(all.first { $0.id.uuid == last.id })
        await #expect(throws: Failure.self) { try await manage.setScope(own, scope, by: last) }
        await #expect(throws: Failure.self) { try await manage.setRole(own.id, .publisher, by: last) }
        #expect(try await fixture.test.database.accounts.find(own.id)?.scope == .all)
    }

    @Test("Only entries in scope can be added to a release")
    func releases() async throws {
        let fixture = try await AdminFixture.make()
        let (_, restricted) = try await person(fixture, .publisher, AccessScope(types: ["article"], groups: []))
        let pizza = try await category(fixture, "Pizza", Self.first)
        let mine = try await article(fixture, "Dough", in: [pizza], by: TestDatabase.administrator)
        let compose = fixture.test.services.composeRelease
        let release = try await compose.create(title: "Friday", by: restricted)
        try await compose.add([LiveChange(entry: mine, revision: nil)], to: release, by: restricted)
        await #expect(throws: Failure.self) {
            try await compose.add([LiveChange(entry: pizza, revision: nil)], to: release, by: restricted)
        }
    }

    @Test("Restricted publishers can reschedule a failed release if all of its entries are in their scope")
    func failedReleases() async throws {
        let fixture = try await AdminFixture.make()
        let feed = try await fixture.feed()
        let compose = fixture.test.services.composeRelease
        let others: [[LiveChange]] = [[], [LiveChange(entry: feed, revision: nil)]]
        var numbers: [Int64] = []
        for other in others {
            let id = try await fixture.article("Walk \(numbers.count)")
            try await fixture.change(id, "title", to: "Prepared", .approveOnly)
            let prepared = try await fixture.test.database.revisions.newest(of: id)?.id
            let number = try await compose.create(
                title: "Spring", items: [LiveChange(entry: id, revision: prepared)] + other,
                at: try WallTime(local: "2099-02-28T10:00", zone: "UTC"), by: TestDatabase.administrator)
            // Publishing a newer version makes the release fail at its time.
            try await fixture.change(id, "title", to: "Newer", .now)
            try await fixture.makeDue(number)
            _ = try await fixture.test.services.publishRelease.due()
            numbers.append(number)
        }
        let (visit, _) = try await person(fixture, .publisher, AccessScope(types: ["article"], groups: []))
        let page = try await visit.get("/queue")
        for number in numbers { #expect(page.holds("href=\"/releases/\(number)\" dir=\"auto\"")) }
        #expect(page.links.filter { $0.text == "Reschedule" }.map(\.url) == ["/releases/\(numbers[0])#schedule"])
        #expect(try await visit.get("/releases/\(numbers[0])").hasButton("Reschedule"))
        #expect(try await !visit.get("/releases/\(numbers[1])").hasButton("Reschedule"))
    }

    @Test("Pages show only entries in the scope; the account page shows the scope")
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
        for path in ["", "/revisions", "/history"] {
            let shown = try await visit.get("/entries/\(art)\(path)")
            #expect(shown.status == 404 && !shown.main.contains("Art"))
        }
        #expect(!(try await visit.get("/entries")).html.contains(art.description))
        let kinds = try await visit.get("/entries/new")
        #expect(kinds.says("Article") && !kinds.says("Video"))
    }
}
