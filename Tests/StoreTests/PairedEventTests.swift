// Tests that changes without an audit event and events without a change are found, and that no event allows a later change.
import Domain
import FoundationEssentials
import Operations
import Postgres
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
        let undo = test.services.undoDecision
        for id in ids.prefix(2) { try await undo(id, version: nil, by: curator) }
        let plan = test.services.planBulkAction
        let admin = TestDatabase.administrator
        let rejected = try await plan(.reject, .listed([ids[2], ids[3]]), by: admin)
        _ = try await test.services.runBulkAction(rejected, .decide(Self.reject), by: admin)
        let assigned = try await plan(.assign, .listed([ids[0]]), by: admin)
        _ = try await test.services.runBulkAction(assigned, .assign(.role("editor"), note: nil), by: admin)
        for action in [rejected, assigned] {
            _ = try await test.services.undoBulkAction(action, by: admin)
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
        try await test.writeUnchecked("\(raw: later)")
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
    }

    @Test("S45: what changes and deletes rows is paired with its events: roles, accounts, clients, releases, notes")
    func changingOperations() async throws {
        let test = try await TestDatabase.make()
        let admin = TestDatabase.administrator
        let curator = try await test.actor(.curator, name: "Carl")
        _ = try await test.actor(.administrator, name: "Ann")
        let roles = test.services.manageRole
        _ = try await roles.create(name: "translator", label: "Translator", permissions: ["read_queue"], by: admin)
        _ = try await roles.update("translator", label: "Translators", by: admin)
        let accounts = test.services.manageAccount
        let account = try await accounts.create(email: "tom@example.org", name: "Tom", role: .curator, by: admin)
        try await accounts.setRole(account, .editor, by: admin)
        try await accounts.setDisabled(account, true, by: admin)
        try await roles.delete("translator", by: admin)
        let clients = test.services.manageClient
        let client = try await clients.create(name: "Portal", scopes: [.submit], by: admin)
        _ = try await clients.rotate(client.id, by: admin)
        try await clients.revoke(client.id, by: admin)
        let article = try await test.article("Published")
        try await test.services.addNote("Seen", on: .entry(article), by: curator)
        let releases = test.services.composeRelease
        let release = try await releases.create(
            title: "Later", items: [LiveChange(entry: article, revision: nil)], by: admin)
        try await releases.remove(article, from: release, by: admin)
        try await releases.cancel(release, by: admin)
        #expect(try await test.database.auditTrail.verify().unpaired == [])
    }

    @Test("S45: an event is found whose action always changes a table, and whose transaction has changed none of them")
    func unused() async throws {
        let test = try await TestDatabase.make()
        let actions: [String] = try await test.client.query("select action from ops.changing_actions() order by action")
            .map { try $0("action") }
        #expect(actions.count > 50)
        // Another table is changed in the transaction: that is not what the events say.
        try await test.client.transaction { transaction in
            try await transaction.execute(
                """
                insert into ops.audit_event (actor_id, action, object_type)
                select '00000000-0000-7000-8000-000000000001', action, 'test' from ops.changing_actions()
                """)
            try await transaction.execute("update curation.external_id set entry_id = entry_id where false")
        }
        let found: [String] = try await test.client.query(
            """
            select e.action from ops.audit_unpaired('0', '18446744073709551615', 1000) u
            join ops.audit_event e on e.id = u.event_id
            where u.problem = 'no_change' order by e.action
            """
        ).map { try $0("action") }
        #expect(found == actions)
        let reported = try await test.database.auditTrail.verify()
        #expect(reported.unpaired.count == actions.count && !reported.isIntact)
    }

    @Test("S45: every governed table records which transactions change it, except reports, which name their sender")
    func recorded() async throws {
        let test = try await TestDatabase.make()
        let unrecorded: [String] = try await test.client.query(
            """
            select a.tgrelid::regclass::text as name from pg_trigger a
            where a.tgname = 'audited' and not exists (select from pg_trigger r
                    where r.tgrelid = a.tgrelid and r.tgname = 'recorded' and r.tgenabled = 'A')
                and not exists (select from pg_attribute c
                    where c.attrelid = a.tgrelid and c.attname = 'audit_transaction')
            order by 1
            """
        ).map { try $0("name") }
        #expect(unrecorded == ["curation.report"])
    }

    @Test(
        "S45: rows that are inserted, changed and deleted past the database's rules are found, whatever their table",
        arguments: [("insert", 4), ("update", 16), ("delete", 8)])
    func pastTheRules(_ operation: String, _ bit: Int) async throws {
        let test = try await TestDatabase.make()
        let tables: [(name: String, column: String)] = try await test.client.query(
            """
            select r.tgrelid::regclass::text as name, (
                select quote_ident(c.attname) from pg_attribute c
                where c.attrelid = r.tgrelid and c.attnum > 0 and not c.attisdropped and c.attgenerated = ''
                    and c.attidentity = '' order by c.attnum limit 1) as column
            from pg_trigger r where r.tgname = 'recorded' and r.tgtype & \(bit)::integer <> 0 order by 1
            """
        ).map { (name: try $0("name"), column: try $0("column")) }
        #expect(tables.count > 25)
        for (name, column) in tables {
            let statement =
                switch operation {
                case "insert": "insert into \(name) (\(column)) select \(column) from \(name) where false"
                case "update": "update \(name) set \(column) = \(column)"
                default: "delete from \(name) where false"
                }
            try await test.writeUnchecked("\(raw: statement)")
        }
        let found: [String] = try await test.client.query(
            """
            select object_type from ops.audit_unpaired('0', '18446744073709551615', 1000)
            where problem = 'no_event' and object_id is null
            """
        ).map { try $0("object_type") }
        #expect(found.sorted() == tables.map(\.name).sorted())
    }
}
