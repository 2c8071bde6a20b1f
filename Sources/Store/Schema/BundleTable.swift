// The tables of a complete bundle: all source data, ordered so that rows reference earlier ones only.

/// One table, a kind of record. Derived data (read tables, counts) is computed again and not part of a bundle.
package struct BundleTable: Sendable {
    /// With its schema.
    package let table: String
    /// The key by which records are ordered, independent of the collation of the database.
    let order: String
    /// The exported columns; nil for all. Always set for tables with secrets.
    let columns: [String]?
    /// Columns that are computed again.
    let without: [String]
    /// Condition of the exported rows.
    let rows: String
    /// Values of required columns that are not exported.
    let constants: [String: String]
    /// Whether the rows of an empty database stay: the system's own actors and accounts.
    let keepsRows: Bool

    package init(
        _ table: String, by order: String, columns: [String]? = nil, without: [String] = [], rows: String = "true",
        constants: [String: String] = [:], keepsRows: Bool = false
    ) {
        self.table = table
        self.order = order
        self.columns = columns
        self.without = without
        self.rows = rows
        self.constants = constants
        self.keepsRows = keepsRows
    }

    /// The name of its records.
    package var record: String { String(table.drop { $0 != "." }.dropFirst()) }

    /// Rows of a copy belong to the transaction of the import, whose audit event they have.
    private static let ownTransaction = ["audit_transaction"]

    static let core: [BundleTable] = [
        // every database has the five system actors
        BundleTable(
            "ops.actor", by: "id", columns: ["id", "kind", "name", "created_at"],
            rows: "id > '00000000-0000-7000-8000-0000000000ff'", keepsRows: true),
        // every database has the presets
        BundleTable(
            "ops.role", by: #"name collate "C""#, columns: ["name", "label", "permissions", "created_at"],
            rows: "not is_preset", keepsRows: true),
        BundleTable(
            "ops.account", by: "id",
            columns: [
                "id", "email", "role", "types", "groups", "locale", "zone", "invited_at", "disabled_at", "created_at",
            ],
            keepsRows: true),
        // no secret has this hash
        BundleTable(
            "delivery.client", by: "id", columns: ["id", "name", "scopes", "per_minute", "created_at", "revoked_at"],
            constants: ["secret_hash": "decode(repeat('00', 32), 'hex')"], keepsRows: true),
        // paused and without a secret, so that receivers get no duplicates and nothing from a test import
        BundleTable(
            "ops.webhook", by: "id", columns: ["id", "url", "note", "events", "created_by", "created_at"],
            constants: ["secret": "''::bytea", "state": "'paused'"], keepsRows: true),
        BundleTable("curation.contributor", by: "id"),
        BundleTable("curation.submission", by: "id", without: ownTransaction),
        // it is screened again
        BundleTable("curation.queue_item", by: "submission_id", without: ["risk_order"]),
        BundleTable("curation.saved_view", by: "id"),
        BundleTable("curation.bulk_action", by: "id"),
        BundleTable("ops.media", by: "id"),
        BundleTable("ops.media_version", by: "media_id, number"),
        BundleTable("ops.media_file", by: "version_id, width"),
        BundleTable("ops.external_image", by: "id", without: ["host"]),
        BundleTable("curation.playlist_check", by: "id"),
        BundleTable("curation.entry", by: "id", without: ownTransaction),
        BundleTable("curation.note", by: "id", without: ownTransaction),
        BundleTable("curation.mention", by: "note_id, account_id"),
        BundleTable("curation.bulk_action_item", by: "bulk_action_id, position"),
        // off, so that a copy receives nothing that is meant for the original
        BundleTable("curation.submission_form", by: "id", without: ["is_on"], keepsRows: true),
        BundleTable("curation.decision", by: "submission_id, number", without: ownTransaction),
        BundleTable("curation.review_stage", by: "id"),
        BundleTable("curation.submission_approval", by: "id", without: ownTransaction),
        BundleTable("curation.screening_rules", by: "version"),
        BundleTable("curation.screening_trial", by: "version"),
        BundleTable("curation.screening_activation", by: "number"),
        BundleTable("curation.automatic_decision", by: "submission_id, number"),
        BundleTable("curation.submission_version", by: "submission_id, number"),
        BundleTable("curation.status_link", by: "submission_id"),
        BundleTable(
            "curation.external_id",
            by: #"type collate "C", source collate "C", external_id collate "C""#),
        BundleTable("curation.slug", by: #"kind collate "C", slug collate "C""#),
        BundleTable("curation.revision", by: "entry_id, number", without: ownTransaction),
        BundleTable("curation.reference", by: #"revision_id, field collate "C", position"#),
        BundleTable("curation.media_use", by: #"revision_id, pointer collate "C""#),
        BundleTable("curation.report_case", by: "id"),
        // a copy sends no notifications
        BundleTable("curation.report", by: "id", without: ["reporter_email", "reporter_locale"]),
    ]

    static let coreLast: [BundleTable] = [
        BundleTable("curation.approval", by: "revision_id, stage, actor_id", without: ownTransaction),
        BundleTable("curation.publish_approval", by: "revision_id"),
        BundleTable("curation.ready", by: "entry_id"),
        BundleTable("curation.live", by: "entry_id"),
        // circular reference; set when both exist
        BundleTable("curation.release", by: "id", without: ["publication"]),
        BundleTable("curation.release_item", by: "release_id, entry_id"),
        BundleTable("curation.publication_counter", by: "only_row"),
        BundleTable("curation.publication", by: "number", without: ownTransaction),
        BundleTable("curation.publication_change", by: "publication, entry_id"),
        // so that clients of the change feed can continue
        BundleTable("api_v1.change", by: "number"),
        BundleTable("curation.event_cursor", by: "only_row"),
        BundleTable("api_v1.event", by: "number"),
    ]
}

/// The tables of a pack, or of the core, in bundles. Each table is in `carried` or `excluded`; a test ensures it.
package struct BundleTables: Sendable {
    /// In the order of import.
    package var carried: [BundleTable] = []
    /// Imported after those of all packs: their triggers read what revisions refer to.
    var carriedLast: [BundleTable] = []
    /// Tables that are not part of a bundle, and why.
    package var excluded: [String: String] = [:]
    /// Excluded tables that are also emptied before an import. `fill` and background tasks fill them.
    package var emptied: [String] = []
    /// Tables that are filled from the projections of their names before the read tables are, in this order.
    package var counted: [String] = []
    /// Numbered tables, whose next number follows the highest imported one: table and column.
    package var numbered: [(table: String, column: String)] = []

    package init() {}

    static let core: BundleTables = {
        var tables = BundleTables()
        tables.carried = BundleTable.core
        tables.carriedLast = BundleTable.coreLast
        tables.excluded = [
            "curation.content_type": "comes from the configuration",
            "curation.member_count": "derived",
            "curation.member_count_within": "derived",
            "curation.member_count_change": "derived",
            "curation.media_count": "derived",
            "curation.media_count_change": "derived",
            "curation.similarity": "derived",
            "curation.similarity_key": "derived",
            "curation.entry_search": "derived",
            "curation.submission_search": "derived",
            "curation.queue_search": "derived",
            "curation.screening": "derived",
            "curation.classification": "answers of a service that this deployment asks",
            "ops.classifier": "specific to this deployment",
            "ops.classifier_hour": "specific to this deployment",
            "curation.training_sample": "derived",
            "curation.contributor_record": "derived",
            "curation.contributor_hour": "specific to this deployment",
            "curation.spam_token": "derived",
            "curation.screening_cursor": "specific to this deployment",
            "curation.media_total": "derived",
            "curation.category_merge": "derived",
            "curation.category_merge_change": "derived",
            "curation.preview": "links are secrets",
            "curation.preview_row": "derived",
            "curation.preview_approval": "belongs to its link",
            "ops.session": "secrets",
            "ops.autosave": "belongs to an open form",
            "ops.form_post": "belongs to an open form",
            "curation.viewer": "belongs to an open page",
            "ops.upload": "belongs to an open page",
            "ops.upload_part": "belongs to an open page",
            "ops.sign_in_link": "secrets",
            "ops.sign_in_failure": "specific to this deployment",
            "delivery.heartbeat": "specific to this deployment",
            "delivery.identity": "specific to this deployment",
            "delivery.search_term": "derived",
            "delivery.search_progress": "derived",
            "ops.second_factor": "secrets",
            "ops.recovery_code": "secrets",
            "ops.checklist": "specific to this deployment",
            "ops.client_use": "specific to this deployment",
            "ops.audit_event": "describes this database; its chain depends on its transaction numbers",
            "ops.audit_block": "belongs to the audit trail",
            "ops.changed_table": "belongs to the audit trail",
            "ops.recorded_table": "belongs to the audit trail",
            "ops.task": "specific to this deployment",
            "ops.webhook_backoff": "specific to this deployment",
            "ops.outbox_message": "specific to this deployment",
            "ops.outcome": "specific to this deployment",
            "ops.webhook_attempt": "specific to this deployment",
        ]
        tables.emptied = [
            "curation.category_merge", "curation.category_merge_change", "curation.media_count",
            "curation.media_count_change", "curation.media_total", "curation.member_count",
            "curation.member_count_within", "curation.member_count_change",
            "curation.similarity", "curation.similarity_key", "curation.screening", "curation.classification",
            "curation.entry_search", "curation.submission_search", "curation.queue_search", "curation.training_sample",
            "curation.contributor_record", "curation.contributor_hour", "curation.spam_token", "curation.preview",
            "curation.preview_row", "curation.preview_approval",
        ]
        tables.counted = ["member_count", "member_count_within", "media_count", "media_total"]
        tables.numbered = [(table: "curation.release", column: "number")]
        return tables
    }()
}
