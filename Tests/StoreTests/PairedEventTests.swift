// Tests that changes without an audit event and events without a change are found, and that no event allows a later change.
import Domain
import FoundationEssentials
import Postgres
import Review
import Store
import TestSupport
import Testing

@Suite("Changes and their audit events", .databases)
struct PairedEventTests {
    private static let reject = Decision.Draft(verdict: .reject, reason: .spam)

    /// Records an event as the daemon does, and nothing else.
    private func record(_ action: String, on submission: ID<Submission>, by actor: UUID, _ credential: [UInt8]?)
        -> String
    {
        let hex = (credential ?? []).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
        let bytes = credential == nil ? "null" : #"'\x\#(hex)'"#
        return """
            select ops.record_requested(array[\(bytes)]::bytea[], array['\(actor)']::uuid[], '{\(action)}', '{submission}',
                '{\(submission)}', '{"{}"}', '{null}', '{null}')
            """
    }

    private func decision(_ submission: ID<Submission>, by actor: Actor, columns: String = "", values: String = "")
        -> String
    {
        """
        insert into curation.decision (submission_id, number, verdict, reason, decided_by\(columns))
        values ('\(submission)', 1, 'reject', 'spam', '\(actor.rowID)'\(values))
        """
    }

    @Test("S45: what the operations write is paired with its events, through decisions, bulk actions and their undo")
    func operations() async throws {
        let test = try await TestDatabase.make()
        let sender = try await test.clientActor([.submit])
        let curator = try await test.actor(.curator, name: "Carl")
        var ids: [ID<Submission>] = []
        for title in ["One", "Two", "Three", "Four"] { ids.append(try await test.submit(title, by: sender)) }
        _ = try await test.services.decideSubmission(
            ids[0], Decision.Draft(verdict: .approve, publishTiming: .approveOnly), version: nil, by: curator)
        _ = try await test.services.decideSubmission(ids[1], Self.reject, version: nil, by: curator)
        let undo = UndoDecision(database: test.database, graceMinutes: 10)
        for id in ids.prefix(2) { try await undo(id, version: nil, by: curator) }
        let plan = PlanBulkAction(database: test.database)
        let admin = TestDatabase.administrator
        let rejected = try await plan(.reject, .listed([ids[2], ids[3]]), by: admin)
        _ = try await test.services.runBulkAction(rejected, .decide(Self.reject), by: admin)
        let assigned = try await plan(.assign, .listed([ids[0]]), by: admin)
        _ = try await test.services.runBulkAction(assigned, .assign(.role("editor"), note: nil), by: admin)
        for action in [rejected, assigned] {
            _ = try await UndoBulkAction(database: test.database, graceMinutes: 10)(action, by: admin)
        }
        let article = try await test.article("Published")
        try await test.edit(article, ["title": .string("Changed")])
        let written: Int = try await test.client.one(
            """
            select (select count(*) from curation.decision where audit_transaction is not null)
                + (select count(*) from curation.publication where audit_transaction is not null) as n
            """)("n")
        #expect(written >= 7)
        #expect(try await test.database.auditTrail.verify().unpaired == [])
    }

    @Test(
        "S45: an event recorded in advance allows no later change, and is found, as is a change written past the rules")
    func found() async throws {
        let test = try await TestDatabase.make()
        let owner = test.superuser()
        let sender = try await test.clientActor([.submit])
        let curator = try await test.actor(.curator, name: "Carl")
        let first = try await test.submit("First", by: sender)
        let second = try await test.submit("Second", by: sender)
        let appeal = record("submission.appeal", on: first, by: SystemActor.contributor, nil)
        try await test.daemon.execute("\(raw: appeal)")
        let prepaid = record("submission.reject", on: first, by: curator.rowID, curator.credential?.bytes)
        try await test.daemon.execute("\(raw: prepaid)")
        let later = decision(first, by: curator)
        let error = try await #require(throws: PostgresError.self) {
            try await test.daemon.execute("\(raw: later)")
        }
        #expect(error.constraint == "audit_event_required")
        let events = try await test.database.auditTrail.verify().unpaired
        #expect(events.map(\.problem) == ["no_change", "no_change"])
        #expect(events.allSatisfy { $0.objectID == first.description && $0.event != nil })
        // The owner of the server can do everything, but not unnoticed.
        try await owner.transaction { transaction in
            try await transaction.execute("set local session_replication_role = replica")
            try await transaction.execute("\(raw: later)")
        }
        let all = try await test.database.auditTrail.verify()
        #expect(all.broken == nil && !all.isIntact)
        #expect(all.unpaired.map(\.problem) == ["no_change", "no_change", "no_event"])
        #expect(all.unpaired.last?.objectType == "decision")

        // A row belongs to the transaction that writes it, whatever the statement says.
        let event = record("submission.reject", on: second, by: curator.rowID, curator.credential?.bytes)
        let claimed = decision(second, by: curator, columns: ", audit_transaction", values: ", '5'")
        try await test.daemon.transaction { transaction in
            try await transaction.execute("\(raw: event)")
            try await transaction.execute("\(raw: claimed)")
        }
        #expect(try await test.database.auditTrail.verify().unpaired == all.unpaired)
        await owner.close()
    }
}
