// Tests that read tables are compared on one snapshot, without waiting, and only since a publication if asked to.
import Domain
import Operations
import Postgres
import Store
import Synchronization
import TestBasics
import TestSupport
import Testing

@Suite("Verification of the read tables", .databases)
struct VerificationTests {
    @Test("Since a publication, only rows of the entries that later publications changed are compared")
    func since() async throws {
        let world = try await FeedWorld.make()
        let fields: [String: JSONValue] = [
            "body": "<p>It sails.</p>", "feeds": FeedWorld.list(try await world.publish("feed", "Harbour")),
            "categories": FeedWorld.list(try await world.publish("category", "Boats")),
        ]
        let old = try await world.publish("article", "Old", fields)
        let before = try await world.test.database.publications.current()
        let new = try await world.publish("article", "New", fields)
        let columns = [
            "item": "id", "item_full": "id", "search": "id", "feed_item": "item_id", "category_member": "member_id",
        ]
        for (table, column) in columns {
            let value = table.hasPrefix("item") ? "document = '{}'" : "age = age + 1"
            try await world.test.client.execute(
                "update api_v1.\(raw: table) set \(raw: value) where \(raw: column) in (\(old)::uuid, \(new)::uuid)")
        }
        let comparison = world.test.services.verifyReadTables
        let all = try await comparison.verify(jobs: 2)
        #expect(all.count == 2 * columns.count)
        let rows = try await comparison.verify(since: before, jobs: 2)
        #expect(Set(rows.map(\.table)) == Set(columns.keys))
        #expect(rows.count == columns.count && rows.allSatisfy { $0.key.contains(new.description) })
        #expect(try await comparison.verify(since: before + 1).isEmpty)
        await #expect(throws: Failure.missing("publication \(before + 2)")) {
            try await comparison.verify(since: before + 2)
        }
    }

    @Test("All connections compare the same snapshot, and nothing that is published meanwhile waits")
    func snapshot() async throws {
        let world = try await FeedWorld.make()
        let owner = world.test.superuser()
        try await owner.run(
            script: "create table public.later (n integer); grant select on public.later to public;")
        let seen = Mutex<[Int]>([])
        try await world.test.database.snapshot(
            connections: 3,
            prepare: { stores in
                _ = try await stores.publications.current()
                try await owner.execute("insert into public.later values (1)")
            },
            work: { stores, _ in
                let rows: Int =
                    try await stores.connection.first("select count(*) as n from public.later") { try $0("n") } ?? -1
                seen.withLock { $0.append(rows) }
                for part in try await stores.publications.verificationParts() {
                    _ = try await stores.publications.verify(part)
                }
                // No lock of this transaction keeps a publication from its tables.
                try await owner.undone { transaction in
                    _ = try await transaction.query(
                        """
                        select curation.repair('00000000-0000-7000-8000-000000000001', ''),
                            curation.lock_publications()
                        """)
                }
            })
        #expect(seen.withLock { $0 } == [0, 0, 0])
    }
}
