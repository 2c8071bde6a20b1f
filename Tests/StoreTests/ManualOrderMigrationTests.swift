// Tests that feeds which were ordered by the ranks of their items keep their order once the database is migrated.
import Domain
import Operations
import Postgres
import Store
import TestSupport
import Testing

@Suite("Migration of manual orders", .databases)
struct ManualOrderMigrationTests {
    private func migrate(_ owner: PostgresClient) async throws {
        let types = try ContentTypes(
            folder: TestDatabase.packageRoot + "/Config/content-types", packs: TestDatabase.packs)
        let roles = try #require(TestDatabase.roles)
        try await Schema(client: owner, roles: roles, packs: TestDatabase.packs).migrate(types: types, version: "test")
    }

    /// Makes the database one from before: items have ranks in their content and in the rows of feeds in manual order.
    private func before(_ ranks: KeyValuePairs<ID<Entry>, Int>, _ owner: PostgresClient) async throws {
        let updates = ranks.map { item, rank in
            """
            update curation.revision set content = content || '{"rank": \(rank)}' where entry_id = '\(item)';
            update api_v1.feed_item f set rank = \(rank) from curation.live l, curation.revision r
            where f.item_id = '\(item)' and f.rank > 0 and l.entry_id = f.feed_id and r.id = l.revision_id
                and r.content ->> 'order' = 'ranked';
            """
        }
        try await owner.run(
            script: """
                begin;
                set local session_replication_role = replica;
                delete from vitrine.migration where name = 'core/manual_order';
                update projection.read_table set checksum = 'before';
                \(updates.joined(separator: "\n"))
                commit;
                """)
    }

    private func unpaired(_ owner: PostgresClient) async throws -> Int {
        try await owner.one("select count(*) as n from ops.audit_unpaired('0', '18446744073709551615', 100)")("n")
    }

    private func titles(_ feed: ID<Entry>, _ owner: PostgresClient) async throws -> [String] {
        try await owner.query(
            """
            select i.title from api_v1.feed_item f join api_v1.item i on i.id = f.item_id
            where f.feed_id = \(feed) order by f.rank, f.age, f.item_id
            """
        ).map { try $0("title") }
    }

    @Test("A7: a feed in manual order keeps the order that readers saw, as its newest version; ranks have no effect")
    func migrated() async throws {
        let test = try await TestDatabase.make()
        let feed = try await test.publish("feed", "Hand", ["order": "ranked"])
        let pinned = try await test.publish("feed", "Pinned", ["order": "ranked", "tier": "premium"])
        let newest = try await test.publish("feed", "Newest")
        var items: [ID<Entry>] = []
        for title in ["A", "B", "C", "D", "E"] {
            items.append(
                try await test.publish("article", title, ["feeds": .entries([feed, pinned, newest])]))
        }
        try await test.edit(pinned, ["pins": .entries([items[1]])])
        try await test.edit(pinned, ["summary": "Not published yet."], publishTiming: .draft)
        let approved = try await test.database.revisions.live(of: pinned)
        let owner = test.superuser()
        // Of two items with the same rank, the newer one is first.
        try await before([items[0]: 30, items[1]: 20, items[2]: 10, items[3]: 10], owner)
        #expect(try await titles(feed, owner) == ["D", "C", "B", "A", "E"])
        #expect(try await titles(pinned, owner) == ["B", "D", "C", "A", "E"])
        // What made it one from before has no audit event.
        let gaps = try await unpaired(owner)
        try await migrate(owner)
        #expect(try await unpaired(owner) == gaps)
        #expect(try await titles(feed, owner) == ["D", "C", "B", "A", "E"])
        #expect(try await titles(pinned, owner) == ["B", "D", "C", "A", "E"])
        #expect(try await titles(newest, owner) == ["E", "D", "C", "B", "A"])
        #expect(try await test.isVerified())

        let live = try #require(try await test.database.revisions.live(of: pinned))
        #expect(ManualOrder(of: live.content).items == [items[3], items[2], items[0]])
        #expect(live.number == (approved?.number ?? 0) + 2 && live.content.fields["pins"] == .entries([items[1]]))
        let draft = try #require(try await test.database.revisions.newest(of: pinned))
        #expect(draft.number == live.number + 1 && !draft.isApproved)
        #expect(draft.content.fields["summary"] == "Not published yet.")
        #expect(ManualOrder(of: draft.content) == ManualOrder(of: live.content))
        #expect(try await test.database.revisions.newest(of: newest)?.number == 1)
        let found = try await owner.one(
            """
            select (select count(*) from curation.ready) as ready, (select count(*) from projection.repair_due) as due,
                (select count(*) from api_v1.item_full where document::jsonb -> 'fields' ? 'rank') as shown
            """)
        #expect(try found("ready") as Int == 0 && found("due") as Int == 0 && found("shown") as Int == 0)

        // A version of an item that is written now has no rank, and changes nothing in the order.
        try await test.edit(items[0], ["title": "A2"])
        let item = try #require(try await test.database.revisions.newest(of: items[0]))
        #expect(item.content.fields["rank"] == nil && item.content.fields["title"] == "A2")
        #expect(try await titles(feed, owner) == ["D", "C", "B", "A2", "E"])
    }

    @Test("A7: of more than 500 ranked items, those after the first 500 follow by date")
    func long() async throws {
        let test = try await TestDatabase.make()
        let feed = try await test.publish("feed", "Long", ["order": "ranked"])
        let actor = TestDatabase.administrator
        var drafts: [EntryDraft] = []
        for number in 1...502 {
            let fields: [String: JSONValue] = [
                "title": .string("Item \(number)"), "body": "<p>b</p>", "feeds": .entries([feed]),
                "categories": .entries([SeedEntry.unsorted]),
            ]
            drafts.append(try await test.write.newDraft(type: "article", fields: fields, by: actor).draft)
        }
        _ = try await test.write.importAll(drafts, from: "test", publishTiming: .now, by: actor)
        let owner = test.superuser()
        try await before([:], owner)
        try await owner.run(
            script: """
                update api_v1.feed_item f set rank = substring(i.title from 6)::bigint * 1000
                from api_v1.item i where i.id = f.item_id
                """)
        try await migrate(owner)
        let shown = try await titles(feed, owner)
        #expect(shown.prefix(500) == (1...500).map { "Item \($0)" }[...])
        #expect(shown.suffix(2) == ["Item 502", "Item 501"])
        #expect(try await test.isVerified())
    }
}
