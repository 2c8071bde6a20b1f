// Tests that values of fields which a content type doesn't declare survive every edit, with what they reference.
import Domain
import Operations
import Postgres
import Store
import TestSupport
import Testing

@Suite("Fields that a content type doesn't declare", .databases)
struct UndeclaredFieldTests {
    /// Feeds in manual order, which their type doesn't declare any more.
    private struct Deployment {
        let world: FeedWorld
        let services: Services
        let feed: ID<Entry>
        let items: [ID<Entry>]
        let order: JSONValue

        init() async throws {
            world = try await FeedWorld.make()
            let rules = try TestDatabase.rules(without: ManualOrder.field, of: "feed")
            services = try world.test.services(content: rules)
            feed = try await world.publish("feed", "Hand", ["order": "ranked"])
            var items: [ID<Entry>] = []
            for title in ["A", "B", "C"] {
                items.append(try await world.publish("article", title, ["feeds": FeedWorld.list(feed)]))
            }
            self.items = items
            order = .entries([items[0], items[2]])
            try await world.edit(feed, [ManualOrder.field: order])
        }

        /// The newest version, which must have this number.
        func newest(_ number: Int) async throws -> [String: JSONValue] {
            let newest = try #require(try await world.test.database.revisions.newest(of: feed))
            #expect(newest.number == number)
            return newest.content.fields
        }

        @discardableResult
        func edit(_ fields: [String: JSONValue], base: Int) async throws -> ChangeOutcome {
            try await services.writeEntry.edit(
                feed, fields: fields, base: base, publishTiming: .now, by: FeedWorld.actor)
        }

        /// Whether readers still see the manual order.
        func keepsOrder() async throws -> Bool {
            let (titles, differences) = (try await world.titles(of: feed), try await world.differences())
            return titles == ["A", "C", "B"] && differences == 0
        }
    }

    @Test("R1, A7: they stay where an edit sends them back, as commands do, or leaves them out, as forms do")
    func edited() async throws {
        let site = try await Deployment()
        let stored = try await site.newest(2)
        #expect(stored[ManualOrder.field] == site.order)
        try await site.edit(stored.merging(["title": "Whole"]) { $1 }, base: 2)
        #expect(try await site.newest(3)[ManualOrder.field] == site.order)
        #expect(try await site.keepsOrder())
        let form = stored.filter { $0.key != ManualOrder.field }
        try await site.edit(form.merging(["title": "Form"]) { $1 }, base: 3)
        #expect(try await site.newest(4)[ManualOrder.field] == site.order)
        #expect(try await site.keepsOrder())

        let other: JSONValue = .entries([site.items[1]])
        let changes: [(name: String, value: JSONValue)] = [
            (ManualOrder.field, other), (ManualOrder.field, .null), ("manual_orders", site.order),
        ]
        for (name, value) in changes {
            let failure = await #expect(throws: Failure.self) {
                try await site.edit(stored.merging([name: value]) { $1 }, base: 4)
            }
            guard case .invalid(let errors) = failure else {
                Issue.record("\(name): \(String(describing: failure))")
                continue
            }
            #expect(errors.items.map { "\($0.code) \($0.pointer)" } == ["unknown_field /fields/\(name)"])
        }
        await #expect(throws: Failure.self) {
            try await site.services.writeEntry.create(
                type: "feed", fields: stored.merging(["title": "New", "slug": "new"]) { $1 }, by: FeedWorld.actor)
        }

        // A restored version has what it had.
        let write = site.services.writeEntry
        _ = try await write.restore(site.feed, number: 1, base: 4, publishTiming: .now, by: FeedWorld.actor)
        #expect(try await site.newest(5)[ManualOrder.field] == nil)
        #expect(try await site.world.titles(of: site.feed) == ["C", "B", "A"])
        _ = try await write.restore(site.feed, number: 4, base: 5, publishTiming: .now, by: FeedWorld.actor)
        #expect(try await site.newest(6)[ManualOrder.field] == site.order)
        #expect(try await site.keepsOrder())
    }

    @Test("They stay in bulk actions and their undo, and in an import of a release")
    func together() async throws {
        let site = try await Deployment()
        let publisher = try await site.world.test.actor(.publisher, name: "Ann")
        let plan = try await site.services.planEntryBulkAction(.update, .listed([site.feed]), by: publisher)
        let change = CategoryChange(added: [SeedEntry.unsorted], removed: [])
        let done = try await site.services.runEntryBulkAction(plan, .update(change, .now), by: publisher)
        #expect(done.count(.done) == 1)
        let stored = try await site.newest(3)
        #expect(stored[ManualOrder.field] == site.order && stored["categories"] == .entries([SeedEntry.unsorted]))
        #expect(try await site.keepsOrder())
        _ = try await site.services.undoEntryBulkAction(plan, by: publisher)
        #expect(try await site.newest(4)[ManualOrder.field] == site.order)
        #expect(try await site.keepsOrder())

        func move(_ fields: [String: JSONValue]) async throws -> [String] {
            let entry = JSONValue.object([
                "type": "feed", "id": .entry(site.feed), "content": .object(fields),
            ])
            let text = JSONValue.object(["entries": .array([entry])]).canonicalText
            let folder = ContentFolder(documents: ["x.json"]) { _ in Array(text.utf8) }
            return try await site.services.importRelease(
                folder, title: "Import", isDryRun: true, images: { _, _, _ in throw Failure.missing("image") },
                by: FeedWorld.actor
            ).entries.map(\.state)
        }
        let current = try await site.newest(4)
        #expect(try await move(current) == ["same"])
        #expect(try await move(current.filter { $0.key != ManualOrder.field }) == ["same"])
        let failure = await #expect(throws: Failure.self) {
            try await move(current.merging([ManualOrder.field: .entries(site.items)]) { $1 })
        }
        guard case .invalid(let errors) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(errors.items.map(\.code) == ["unknown_field"])
    }

    @Test("An approved submission keeps the field that its type had when it was sent")
    func submitted() async throws {
        let test = try await TestDatabase.make()
        let sent = try await test.submit(fields: ["summary": "Short."], by: try await test.clientActor())
        let services = try test.services(content: try TestDatabase.rules(without: "summary", of: "article"))
        let outcome = try await services.decideSubmission(
            sent, Decision.Draft(verdict: .approve, publishTiming: .approveOnly), version: nil,
            by: TestDatabase.administrator)
        let entry = try #require(outcome.change?.entry)
        let content = try #require(try await test.database.revisions.newest(of: entry)).content
        #expect(content.fields["summary"] == "Short." && content.fields["title"] == "Ten cafés")
    }

    @Test("A28: a field that was internal stays internal when its type doesn't declare it any more")
    func internalField() async throws {
        let test = try await TestDatabase.make()
        let (owner, name) = (test.superuser(), "publish_on_approval")
        let rules = try TestDatabase.rules(without: name, of: "feed")
        let feed = try await test.publish("feed", "Hand", [name: .bool(false), "slug": "hand"])
        // As each deployment of the program does.
        for _ in 1...2 {
            try await Schema(client: owner, roles: Roles.standard, packs: TestDatabase.packs).synchronize(rules.types)
        }
        _ = try await test.services(content: rules).writeEntry.edit(
            feed, fields: ["title": "Hand picked", "slug": "hand", "tier": "free"], base: 1, publishTiming: .now,
            by: TestDatabase.administrator)
        let newest = try #require(try await test.database.revisions.newest(of: feed))
        #expect(newest.content.fields[name] == .bool(false))
        let shown: String = try await test.client.one(
            "select (document -> 'fields')::text as fields from api_v1.feed_full where id = \(feed)")("fields")
        #expect(shown.contains("Hand picked") && !shown.contains(name))
    }
}
