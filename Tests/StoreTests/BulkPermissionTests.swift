// Tests that what a bulk action looks up for each row does not grow with the audit events of its transaction.
import Domain
import Postgres
import Store
import TestSupport
import Testing

@Suite("Permissions of bulk actions", .databases)
struct BulkPermissionTests {
    @Test("S15: a statement reads the permissions of each actor once, not for each audit event")
    func calls() async throws {
        let test = try await TestDatabase.make()
        let sender = try await test.clientActor([.submit])
        let curator = try await test.actor(.curator, name: "Carl")
        let restricted = try await test.actor(.curator, name: "Vic")
        let owner = test.superuser()
        try await owner.transaction { transaction in
            try await transaction.execute("set local session_replication_role = replica")
            try await transaction.execute("update ops.account set types = '{video}' where id = \(restricted.rowID)")
        }
        for number in 1...40 { _ = try await test.submit("Title \(number)", by: sender) }
        let calls: Int = try await owner.transaction { transaction in
            try await transaction.execute("set local track_functions = 'all'")
            try await transaction.execute(
                """
                insert into ops.audit_event (actor_id, actor_role, action, object_type, object_id)
                select \(curator.rowID)::uuid, 'curator', 'submission.reject', 'submission', id::text from curation.submission
                """)
            try await transaction.execute(
                """
                insert into curation.decision (submission_id, number, verdict, reason, decided_by, decider_role)
                select id, 1, 'reject', 'spam', \(curator.rowID)::uuid, 'curator' from curation.submission
                """)
            // Nobody who acts may publish.
            let publishers: Int = try await transaction.one(
                "select cardinality(ops.restricting('publish')) as n")("n")
            #expect(publishers == 0)
            return try await transaction.one(
                "select calls from pg_stat_xact_user_functions where funcname = 'permissions_of'")("calls")
        }
        #expect(calls > 0 && calls < 10)
        await owner.close()
    }

    @Test("S15: an access scope costs each row the same, however many audit events the transaction has")
    func scope() async throws {
        let test = try await TestDatabase.make()
        let sender = try await test.clientActor([.submit])
        let restricted = try await test.actor(.curator, name: "Vic")
        let owner = test.superuser()
        try await owner.transaction { transaction in
            try await transaction.execute("set local session_replication_role = replica")
            try await transaction.execute("update ops.account set types = '{article}' where id = \(restricted.rowID)")
        }
        for number in 1...40 { _ = try await test.submit("Title \(number)", by: sender) }
        let few = try await eventsRead(approving: 10, by: restricted, owner)
        let many = try await eventsRead(approving: 40, by: restricted, owner)
        // Four times as many rows, and as many events.
        #expect(few > 0 && many < few * 6, "\(few), \(many)")
        await owner.close()
    }

    /// How many rows of the audit trail PostgreSQL reads while an account approves submissions in bulk, which is then undone.
    private func eventsRead(approving count: Int, by actor: Actor, _ owner: PostgresClient) async throws -> Int {
        struct Undone: Error { let read: Int }
        let written: SQL = """
            from curation.revision r join curation.entry e on e.id = r.entry_id where e.submission_id is not null
            """
        do {
            try await owner.transaction(retries: 0) { transaction in
                // As in large tables.
                try await transaction.execute("set local enable_seqscan = off")
                for statement: SQL in [
                    """
                    insert into ops.audit_event (actor_id, actor_role, action, object_type, object_id)
                    select \(actor.rowID)::uuid, 'curator', 'submission.approve', 'submission', id::text
                    from curation.submission order by id limit \(count)
                    """,
                    """
                    insert into curation.decision (submission_id, number, verdict, decided_by, decider_role)
                    select id, 1, 'approve', \(actor.rowID)::uuid, 'curator'
                    from curation.submission order by id limit \(count)
                    """,
                    """
                    insert into curation.entry (type, kind, submission_id, created_by)
                    select 'article', 'item', id, \(SystemActor.contributor)::uuid
                    from curation.submission order by id limit \(count)
                    """,
                    """
                    insert into curation.revision (entry_id, number, content, preview, content_hash, author_id)
                    select id, 1, '{"title": "Many"}', '{}', sha256('x'), created_by from curation.entry
                    where submission_id is not null
                    """,
                    """
                    insert into curation.reference (revision_id, field, position, target_entry_id)
                    select r.id, 'categories', 1, \(SeedEntry.unsorted)::uuid \(written)
                    """,
                    """
                    insert into curation.approval (revision_id, actor_id, actor_role)
                    select r.id, \(actor.rowID)::uuid, 'curator' \(written)
                    """,
                    "insert into curation.publish_approval (revision_id, entry_id) select r.id, e.id \(written)",
                    "set constraints all immediate",
                ] { try await transaction.execute(statement) }
                let read: Int = try await transaction.one(
                    """
                    select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as n
                    from pg_stat_xact_user_tables where relname = 'audit_event'
                    """)("n")
                throw Undone(read: read)
            }
            return 0
        } catch let undone as Undone {
            return undone.read
        }
    }
}
