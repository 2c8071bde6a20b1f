// Tests that the chain of audit events contains each event once, in order.
import Postgres
import Store
import TestBasics
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

    /// Seals this many new events, or all, and returns how many were sealed. A transaction of another test may delay it:
    /// until it ends, later events are neither sealed nor counted as unsealed.
    private func seal(_ count: Int? = nil, of test: TestDatabase) async throws -> Int {
        let trail = test.database.auditTrail
        let events: Int = try await test.client.one("select count(*) as n from ops.audit_event")("n")
        let known = try await trail.verify().sealed
        var sealed = 0
        try await until("all events are sealed", within: 600) {
            sealed += try await trail.seal()
            return sealed >= count ?? (events - known)
        }
        return sealed
    }

    @Test("New events are sealed once, even when they take more than one statement")
    func growth() async throws {
        let test = try await TestDatabase.make()
        let trail = test.database.auditTrail
        _ = try await seal(of: test)
        var length = try await trail.verify().sealed
        for count in [1, 999, 1000, 1001, 2500, 0] {
            try await add(count, to: test)
            #expect(try await seal(count, of: test) == count)
            length += count
            let chain = try await trail.verify()
            #expect(chain.sealed == length && chain.broken == nil)
        }
    }

    @Test(
        "The first event that was changed, removed or added is reported, as is a changed block; later blocks are verified",
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
        _ = try await seal(of: test)
        let before = try await trail.verify().sealed
        try await add(4, to: test)
        try await add(1, to: test)
        #expect(try await seal(5, of: test) == 5)
        // Only the database owner can; the daemon can't.
        try await test.client.execute("\(raw: statement)")
        let broken = try #require(try await trail.verify().broken)
        #expect(broken.problem == how && broken.position == before + place)
        #expect((broken.event == nil) == (how == "chain"))
        try await add(1, to: test)
        #expect(try await seal(1, of: test) == 1)
        #expect(try await trail.verify().sealed == before + 6)
    }

    @Test("S45: pages of the trail find what was changed in their own events, and together verify all")
    func pages() async throws {
        let test = try await TestDatabase.make()
        let trail = test.database.auditTrail
        _ = try await seal(of: test)
        for page in 0..<3 {
            if page == 1 {
                try await test.writeUnchecked("update ops.role set label = label")
            }
            try await add(3, to: test)
            #expect(try await seal(3, of: test) == 3)
        }
        let newest = try await trail.verify(until: nil, events: 3)
        #expect(newest.sealed == 3 && newest.isIntact)
        let middle = try await trail.verify(until: newest.previous, events: 3)
        #expect(middle.until == newest.after && middle.sealed == 3 && middle.broken == nil)
        #expect(middle.unpaired.map(\.objectType) == ["ops.role"])
        let oldest = try await trail.verify(until: middle.previous)
        #expect(oldest.previous == nil && oldest.sealed == middle.after && oldest.isIntact)

        let changed: Int = try await test.client.one(
            """
            update ops.audit_event set action = 'test.other'
            where id = (select event_ids[2] from ops.audit_block where position = \(middle.until)::bigint) returning id
            """)("id")
        #expect(try await trail.verify(until: nil, events: 3).isIntact)
        let broken = try #require(try await trail.verify(until: middle.until, events: 3).broken)
        #expect(broken.position == middle.after + 2 && broken.event == changed && broken.problem == "changed")
        #expect(try await trail.verify(until: middle.previous).isIntact)
        for events in [1, 3, 10_000] {
            let all = try await trail.verify(events: events)
            #expect(all.sealed == newest.until && all.after == 0 && all.until == newest.until)
            #expect(all.broken == broken && all.unpaired.map(\.objectType) == ["ops.role"])
        }
    }

    @Test("S47: a page of the trail reads the rows of its own transactions, by their indexes")
    func indexes() async throws {
        let test = try await TestDatabase.make()
        let scanned: [String] = try await test.client.transaction { transaction in
            // Tables this small would be read whole although there is an index.
            try await transaction.execute("set local enable_seqscan = off")
            try await transaction.execute("select from ops.audit_unpaired('5', '9', 100)")
            return try await transaction.query(
                """
                select c.oid::regclass::text as name from pg_class c
                where c.relkind = 'r' and pg_stat_get_xact_numscans(c.oid) > 0 and (c.oid = 'ops.audit_event'::regclass or exists (
                    select from pg_attribute a where a.attrelid = c.oid and a.attname = 'audit_transaction'))
                """
            ).map { try $0("name") }
        }
        #expect(scanned == [])
    }

    @Test(
        "B66: a trail restored into a younger cluster continues: new events are sealed and not taken for old ones"
    )
    func restored() async throws {
        let test = try await TestDatabase.make()
        // As restored from a dump: events of transactions that this cluster has not reached yet.
        try await test.client.execute(
            """
            insert into ops.audit_event (actor_id, action, object_type, transaction)
            select '00000000-0000-7000-8000-000000000001', 'test.count', 'number',
                (pg_current_xact_id()::text::bigint + 1000 + n)::text::xid8 from generate_series(1, 100) n
            """)
        try await Schema(client: test.client, roles: Roles.standard, packs: TestDatabase.packs).migrate(
            types: test.rules.types, version: "test")
        let trail = test.database.auditTrail
        _ = try await seal(of: test)
        try await add(3, to: test)
        #expect(try await seal(3, of: test) == 3)
        #expect(try await trail.verify().broken == nil)
        // The restored transaction ids do not unlock the audited tables for actions without an event.
        let error = try await #require(throws: PostgresError.self) {
            for _ in 0..<3 {
                try await test.client.transaction { try await $0.execute("update ops.account set locale = locale") }
            }
        }
        #expect(error.constraint == "audit_event_required")
    }
}
