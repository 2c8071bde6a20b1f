// Proves that the chain over the audit events holds each of them once, in order.
import Postgres
import Store
import TestSupport
import Testing

@Suite("The chain of audit events", .databases)
struct AuditTests {
    private func add(_ count: Int, to test: TestDatabase) async throws {
        try await test.client.execute(
            """
            insert into ops.audit_event (actor_id, action, object_type, object_id)
            select '00000000-0000-7000-8000-000000000001', 'test.count', 'number', n::text
            from generate_series(1, \(count)::integer) n
            """)
    }

    /// Chains all that there is and gives how many that was. A transaction of another test may hold it up for a while.
    private func seal(_ trail: AuditStore) async throws -> Int {
        var sealed = try await trail.seal()
        while try await trail.verify().unsealed > 0 {
            try await Task.sleep(for: .milliseconds(20))
            sealed += try await trail.seal()
        }
        return sealed
    }

    @Test("What is added is chained once, also when it is more than one statement takes")
    func growth() async throws {
        let test = try await TestDatabase.make()
        let trail = test.database.auditTrail
        _ = try await seal(trail)
        var length = try await trail.verify().sealed
        for count in [1, 999, 1000, 1001, 2500, 0] {
            try await add(count, to: test)
            #expect(try await seal(trail) == count)
            length += count
            let chain = try await trail.verify()
            #expect(chain.sealed == length && chain.broken == nil)
        }
    }

    @Test(
        "The first event that was changed, removed or added is named, as is a changed block; the chain goes on behind it",
        arguments: [
            (
                "changed", 2,
                "update ops.audit_event set action = 'test.other' where action = 'test.count' and object_id = '2'"
            ),
            ("removed", 3, "delete from ops.audit_event where action = 'test.count' and object_id = '3'"),
            (
                "added", 5,
                """
                insert into ops.audit_event (actor_id, action, object_type, transaction)
                select actor_id, action, object_type, transaction from ops.audit_event
                where action = 'test.count' and object_id = '4'
                """
            ),
            (
                "chain", 1,
                """
                update ops.audit_block set event_hashes = set_byte(event_hashes, 0, get_byte(event_hashes, 0) # 1)
                where (select min(id) from ops.audit_event where action = 'test.count') = any(event_ids)
                """
            ),
        ])
    func tampering(how: String, place: Int, statement: String) async throws {
        let test = try await TestDatabase.make()
        let trail = test.database.auditTrail
        _ = try await seal(trail)
        let before = try await trail.verify().sealed
        try await add(4, to: test)
        try await add(1, to: test)
        #expect(try await seal(trail) == 5)
        // Only who owns the database can: the daemon may not.
        let owner = try await test.superuser()
        try await owner.execute("\(raw: statement)")
        await owner.close()
        let broken = try #require(try await trail.verify().broken)
        #expect(broken.how == how && broken.position == before + place)
        #expect((broken.event == nil) == (how == "chain"))
        try await add(1, to: test)
        #expect(try await seal(trail) == 1)
        #expect(try await trail.verify().sealed == before + 6)
    }

    @Test(
        "B66: a trail that was restored into a younger cluster goes on: new events are chained, none is taken for an old one"
    )
    func restored() async throws {
        let test = try await TestDatabase.make()
        let superuser = try await test.superuser()
        // As a dump brings them: events of transactions that this cluster has not come to yet.
        try await superuser.execute(
            """
            insert into ops.audit_event (actor_id, action, object_type, transaction)
            select '00000000-0000-7000-8000-000000000001', 'test.count', 'number',
                (pg_current_xact_id()::text::bigint + 1000 + n)::text::xid8 from generate_series(1, 100) n
            """)
        try await Schema(client: superuser, roles: Roles.standard).migrate(types: test.rules.types, version: "test")
        let trail = test.database.auditTrail
        _ = try await seal(trail)
        try await add(3, to: test)
        #expect(try await seal(trail) == 3)
        #expect(try await trail.verify().broken == nil)
        // The numbers that were restored do not open the governed tables to actions that nobody noted.
        let error = try await #require(throws: PostgresError.self) {
            for _ in 0..<3 {
                try await superuser.transaction { try await $0.execute("update ops.account set disabled_at = null") }
            }
        }
        #expect(error.constraint == "audit_event_required")
        await superuser.close()
    }
}
