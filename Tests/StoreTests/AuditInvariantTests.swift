// Tests that audited tables reject writes without an audit event, for every table the daemon's role may write.
import Postgres
import Store
import TestSupport
import Testing

@Suite("Audit invariant", .databases)
struct AuditInvariantTests {
    /// Tables that can be written without an audit event, and why. All other tables must reject it.
    private static let free: [String: String] = core.merging(ofPacks) { core, _ in core }

    private static let core = [
        "ops.session": "creating and revoking sessions is audited",
        "ops.sign_in_link": "like sessions", "ops.sign_in_failure": "rate limits",
        "ops.client_use": "informational", "ops.autosave": "what somebody types; saving the form is audited",
        "ops.form_post": "which forms were sent; what they create is audited",
        "ops.upload": "bytes of a file; adding the image is audited", "ops.upload_part": "like uploads",
        "ops.task": "background work", "ops.outbox_message": "inserted by audited actions, updated by background work",
        "ops.outcome": "like messages", "ops.webhook_attempt": "like messages",
        "ops.webhook_backoff": "like messages",
        "curation.queue_item": "claims and order of work; decisions are audited",
        "curation.viewer": "pages that are open", "curation.mention": "seen notes",
        "curation.saved_view": "personal filters",
        "curation.bulk_action": "plans; running them is audited",
        "curation.bulk_action_item": "like bulk actions",
        "curation.similarity": "derived from submissions and published entries", "curation.similarity_key": "derived",
        "curation.submission_search": "derived from submissions",
        "curation.queue_search": "derived from pending submissions",
        "curation.screening": "results; automatic decisions are audited",
        "curation.classification": "answers of a service, which decide nothing",
        "ops.classifier": "status of a service", "ops.classifier_hour": "counts",
        "curation.screening_cursor": "progress of background tasks",
        "curation.screening_trial": "test results; rules and their activation are audited",
        "curation.training_sample": "derived from decisions", "curation.contributor_record": "derived from decisions",
        "curation.contributor_hour": "derived from submissions", "curation.spam_token": "derived from decisions",
        "delivery.heartbeat": "a time that daemons write",
        "delivery.search_term": "derived from published entries",
        "delivery.search_progress": "progress of background tasks",
        "curation.reference": "derived from the revision",
        "ops.external_image": "background work",
        "curation.media_use": "derived from the revision", "curation.slug": "derived from the revision",
        "curation.ready": "only deleted: derived from the approval", "curation.preview_row": "derived",
    ]

    private static let ofPacks = Dictionary(
        uniqueKeysWithValues: TestPack.lists.ifEnabled([
            ("ops.catalog_query", "cache"), ("ops.catalog_source", "status of sources"),
            ("curation.catalog_use", "derived from the revision"),
        ])
            + TestPack.routes.ifEnabled([
                ("curation.route_path", "derived from the revision"),
                ("curation.observation_pending", "pending background work"),
            ]))

    private struct Grant: Sendable {
        let table: String
        let right: String
        let columns: [String]
    }

    /// The privileges of the role, by table and column.
    private func grants(_ owner: PostgresClient) async throws -> [Grant] {
        try await owner.query(
            """
            select g.table_schema || '.' || g.table_name as name, g.privilege_type as kind,
                array_agg(g.column_name::text order by g.column_name) as columns
            from information_schema.column_privileges g
            where g.grantee = 'vitrine_daemon' and g.privilege_type in ('INSERT', 'UPDATE')
              and g.table_schema in ('curation', 'ops', 'delivery', 'api_v1', 'projection')
            group by 1, 2
            union all
            select t.table_schema || '.' || t.table_name, 'DELETE', '{}' from information_schema.role_table_grants t
            where t.grantee = 'vitrine_daemon' and t.privilege_type in ('DELETE', 'TRUNCATE')
              and t.table_schema in ('curation', 'ops', 'delivery', 'api_v1', 'projection')
            order by 1, 2
            """
        ).map { Grant(table: try $0("name"), right: try $0("kind"), columns: try $0("columns")) }
    }

    @Test("S45: every writable table rejects a change without an audit event, or is listed here as exempt")
    func everyTable() async throws {
        let test = try await TestDatabase.make()
        let grants = try await grants(test.client)
        #expect(grants.count > 60)
        var open: [String] = []
        // Where a statement without rows may pass: a repeated one needs no second event; tested with rows elsewhere.
        let repeated: Set = ["curation.submission", "curation.report", "curation.report_case"]
        for grant in grants
        where Self.free[grant.table] == nil && (grant.right != "INSERT" || !repeated.contains(grant.table)) {
            let column = grant.columns.first ?? ""
            let statement =
                switch grant.right {
                case "UPDATE": "update \(grant.table) set \"\(column)\" = \"\(column)\""
                case "DELETE": "delete from \(grant.table)"
                default: "insert into \(grant.table) select * from \(grant.table) where false"
                }
            do {
                try await test.daemon.transaction { try await $0.execute("\(raw: statement)") }
                open.append("\(grant.right) \(grant.table)")
            } catch let error as PostgresError {
                let refusals = ["audit_event_required", "audit_event_administrator", "role_preset"]
                if !refusals.contains(error.constraint ?? "") && error.sqlState != "428C9" && error.sqlState != "42501"
                {
                    open.append("\(grant.right) \(grant.table): \(error.message)")
                }
            }
        }
        #expect(open.isEmpty, "\(open.joined(separator: "\n"))")
        let known = Set(grants.map(\.table))
        #expect(Self.free.keys.filter { !known.contains($0) }.sorted() == [], "named as free and not written at all")
    }

    @Test("S45: the role can't change or remove audit events, nor the chain, nor its archived blocks")
    func trail() async throws {
        let test = try await TestDatabase.make()
        for statement in [
            "update ops.audit_event set action = action", "delete from ops.audit_event", "truncate ops.audit_event",
            "update ops.audit_block set hash = hash", "delete from ops.audit_block",
            "insert into ops.audit_block select * from ops.audit_block",
            "insert into ops.changed_table (transaction, name) values (pg_current_xact_id(), 'ops.role')",
            "delete from ops.changed_table", "update ops.recorded_table set since = '1'",
            "select ops.record_changed_tables()", "alter table ops.role disable trigger recorded",
            "select ops.audit_delete_archived(1000)", "select ops.audit_archivable(now())",
            "alter table ops.account disable trigger all", "drop trigger audited on ops.account",
            "set session_replication_role = replica",
        ] {
            let error = try await #require(throws: PostgresError.self) {
                try await test.daemon.execute("\(raw: statement)")
            }
            #expect(error.sqlState == "42501", "\(statement): \(error.message)")
        }
    }
}
