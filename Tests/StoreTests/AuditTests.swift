// Proves that the chain over the audit events holds each of them once, in order.
import Store
import TestSupport
import Testing

@Suite("The chain of audit events", .databases)
struct AuditTests {
    private func add(_ count: Int, to test: TestDatabase) async throws {
        try await test.client.execute(
            """
            insert into ops.audit_event (actor_id, act, object_type, object_id)
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
            #expect(chain.sealed == length && chain.brokenAt == nil)
        }
    }

    @Test("An event that was removed shows where the chain breaks, and the chain goes on behind it")
    func removal() async throws {
        let test = try await TestDatabase.make()
        let trail = test.database.auditTrail
        try await add(3, to: test)
        _ = try await seal(trail)
        let length = try await trail.verify().sealed
        try await test.client.transaction { transaction in
            // Only who owns the database can: the daemon may not.
            try await transaction.execute("set local role none")
            try await transaction.execute(
                "delete from ops.audit_event where id = (select max(id) from ops.audit_event)")
        }
        #expect(try await trail.verify().brokenAt == length)
        try await add(1, to: test)
        #expect(try await seal(trail) == 1)
        #expect(try await trail.verify().sealed == length + 1)
    }
}
