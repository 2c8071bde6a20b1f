// Tests that a replica measures its lag by the daemons' heartbeat.
import Domain
import Postgres
import Store
import TestSupport
import Testing

@Suite("Replication status", .databases)
struct ReplicationStatusTests {
    private func reads(_ test: TestDatabase) -> ReadDatabase {
        ReadDatabase(
            guest: test.guest, reader: test.reader, delivery: test.delivery, packs: TestDatabase.packs, listens: false)
    }

    @Test("R22: the lag of a replica is the age of the newest heartbeat; a primary has none")
    func lag() async throws {
        let test = try await TestDatabase.make()
        let owner = test.superuser()
        try await owner.execute("update delivery.heartbeat set beat_at = clock_timestamp() - interval '90 s'")
        let primary = try await reads(test).replicationStatus()
        #expect(!primary.isReplica && primary.lagSeconds == 0)
        #expect(primary.publication.number == 1 && primary.publication.tag.count == 12)

        try await owner.execute(
            """
            insert into pg_subscription_rel (srsubid, srrelid, srsubstate)
            values (1, 'api_v1.publication'::regclass, 'r')
            """)
        let broken = try await reads(test).replicationStatus()
        let age = try #require(broken.lagSeconds)
        #expect(broken.isReplica && !broken.isStreaming && (90...100).contains(age))
        // The daemon's role writes it.
        try await test.database.heartbeat.beat()
        let fresh = try #require(try await reads(test).replicationStatus().lagSeconds)
        #expect((0...5).contains(fresh))
        // The primary's clock may be ahead.
        try await owner.execute("update delivery.heartbeat set beat_at = clock_timestamp() + interval '9 s'")
        #expect(try await reads(test).replicationStatus().lagSeconds == 0)
        // A logical replica without the heartbeat can't tell.
        try await owner.execute("delete from delivery.heartbeat")
        #expect(try await reads(test).replicationStatus().lagSeconds == nil)
    }
}
