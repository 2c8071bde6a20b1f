// Tests that old events are archived completely, the chain continues after them, and tampering is detected.
import Domain
import Operations
import Postgres
import Store
import TestBasics
import TestSupport
import Testing

@Suite("Archiving the audit trail", .databases)
struct AuditArchiveTests {
    /// The lines of a file, in memory.
    private struct Lines: AsyncSequence {
        let lines: [String]

        struct Iterator: AsyncIteratorProtocol {
            var rest: ArraySlice<String>
            mutating func next() async throws -> String? { rest.popFirst() }
        }

        func makeAsyncIterator() -> Iterator { Iterator(rest: lines[...]) }
    }

    private func add(_ count: Int, on day: String, to test: TestDatabase) async throws {
        try await test.client.execute(
            """
            insert into ops.audit_event (actor_id, action, object_type, object_id, detail, happened_at)
            select '00000000-0000-7000-8000-000000000001', 'test.old', 'number', n::text,
                '{"ä": 1.50, "deep": {"b": [null, "=1"]}}', \(day)::timestamptz from generate_series(1, \(count)::integer) n
            """)
        let trail = test.database.auditTrail
        // Waits for the transactions of all databases of the cluster.
        try await until("all events are sealed", within: 600) {
            _ = try await trail.seal()
            return try await trail.verify().unsealed == 0
        }
    }

    private func file(_ owner: OwnerDatabase, before day: String) async throws -> (lines: [String], until: Int64)? {
        guard let span = try await owner.archivable(before: day) else { return nil }
        var lines = [AuditArchiveFile.header(after: span.after, hash: span.hash)]
        var position = span.after
        while let block = try await owner.block(after: position, until: span.until) {
            lines.append(AuditArchiveFile.line(block))
            position = block.position
        }
        return (lines, span.until)
    }

    @Test("Old blocks are archived completely, twice; the chain and each file are verified by the remaining hash")
    func leaving() async throws {
        let test = try await TestDatabase.make()
        let client = test.superuser()
        let owner = OwnerDatabase(client: client, roles: Roles.standard, packs: TestDatabase.packs)
        let trail = test.database.auditTrail
        // The template's own events are from today: sealed first, so that nothing before them is older.
        try await client.execute("set session_replication_role = replica")
        try await client.transaction { transaction in
            try await transaction.execute("delete from ops.audit_event")
            try await transaction.execute("delete from ops.audit_block")
        }
        try await add(1500, on: "2025-12-31T23:59:59.999999Z", to: test)
        try await add(3, on: "2026-01-01T00:00:00Z", to: test)
        let before = try await trail.verify()
        #expect(before.sealed == 1503 && before.broken == nil)
        let first = try #require(try await file(owner, before: "2026-01-01T00:00:00Z"))
        #expect(first.until == 1500, "midnight of the month itself stays")
        #expect(try await AuditArchiveFile.verify(Lines(lines: first.lines), test.database).events == 1500)
        let removed = try await owner.deleteArchivedEvents(
            until: first.until, detail: [:], by: TestDatabase.administrator)
        #expect(removed == 1500)
        let after = try await trail.verify()
        #expect(after.archived == 1500 && after.sealed == 3 && after.broken == nil)
        try await add(2, on: "2026-01-02T00:00:00Z", to: test)
        let second = try #require(try await file(owner, before: "2026-01-01T00:00:00.000001Z"))
        _ = try await owner.deleteArchivedEvents(until: second.until, detail: [:], by: TestDatabase.administrator)
        try await add(1, on: "2026-03-01T00:00:00Z", to: test)
        #expect(try await trail.verify().broken == nil)
        for lines in [first.lines, second.lines] {
            let integrity = try await AuditArchiveFile.verify(Lines(lines: lines), test.database)
            #expect(integrity.broken == nil)
        }
        #expect(try await owner.archivable(before: "2026-01-01T00:00:00Z") == nil)
        // Restoring an event before the checkpoint is detected.
        try await client.execute(
            """
            insert into ops.audit_event (id, actor_id, action, object_type, transaction) overriding system value
            values (1, '00000000-0000-7000-8000-000000000001', 'test.back', 'number', '3')
            """)
        #expect(try await trail.verify().broken?.problem == "added")
    }

    @Test("A verification ends although events that it has not reached are archived meanwhile")
    func archivedMeanwhile() async throws {
        let test = try await TestDatabase.make()
        let owner = OwnerDatabase(client: test.client, roles: Roles.standard, packs: TestDatabase.packs)
        let trail = test.database.auditTrail
        for day in ["2025-01-01T00:00:00Z", "2025-01-02T00:00:00Z", "2025-01-03T00:00:00Z"] {
            try await add(3, on: day, to: test)
        }
        let newest = try await trail.verify(until: nil, events: 3)
        #expect(newest.sealed == 3 && newest.archived == 0 && newest.previous == newest.until - 3)
        let all = try await trail.verifyEarlier(than: newest, events: 3)
        #expect(all.sealed == newest.until && all.after == 0)

        // Beyond the end of the next page: the newest page was verified, and is archived as well.
        for until in [newest.after, newest.until] {
            _ = try await owner.deleteArchivedEvents(
                until: Int64(until), detail: [:], by: TestDatabase.administrator)
            let rest = try await trail.verifyEarlier(than: newest, events: 3)
            #expect(rest.archived == until && rest.sealed == 3 && rest.after == newest.after && rest.isIntact)
        }
    }

    @Test(
        "A changed, truncated or concatenated file is detected",
        arguments: ["changed", "removed", "chain", "cut", "other"])
    func tampering(how: String) async throws {
        let test = try await TestDatabase.make()
        let owner = OwnerDatabase(client: test.client, roles: Roles.standard, packs: TestDatabase.packs)
        try await add(1200, on: "2026-01-01T00:00:00Z", to: test)
        let whole = try #require(try await file(owner, before: "2100-01-01T00:00:00Z"))
        #expect(try await AuditArchiveFile.verify(Lines(lines: whole.lines), test.database).broken == nil)
        var lines = whole.lines
        let full = try #require(lines.indices.first { lines[$0].ranges(of: "\"test.old\"").count > 1 })
        switch how {
        case "changed": lines[full] = lines[full].replacing("\"test.old\"", with: "\"test.new\"", maxReplacements: 1)
        case "removed":
            let start = try #require(lines[full].ranges(of: "\"events\":[").first)
            let end = try #require(lines[full].ranges(of: "},{\"id\"").first)
            lines[full].removeSubrange(
                start.upperBound..<lines[full].index(after: lines[full].index(after: end.lowerBound)))
        case "chain": lines.swapAt(1, 2)
        case "cut": lines.removeLast()
        default: lines = [lines[0]] + Array(lines.dropFirst(2))
        }
        let integrity = try await AuditArchiveFile.verify(Lines(lines: lines), test.database)
        if how == "cut" {
            // The remaining lines are intact; that the file ends before the checkpoint shows at its end.
            #expect(integrity.broken == nil && integrity.until < whole.until)
        } else {
            #expect(integrity.broken != nil)
        }
        await #expect(throws: Failure.self) { try await AuditArchiveFile.verify(Lines(lines: ["{}"]), test.database) }
    }
}
