// Tests that what a statement of a bulk action looks up does not grow with the audit events of its transaction.
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
}
