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

    private init(
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

    package static let all: [BundleTable] = [
        // every database has the five system actors
        BundleTable(
            "ops.actor", by: "id", columns: ["id", "kind", "name", "created_at"],
            rows: "id > '00000000-0000-7000-8000-0000000000ff'", keepsRows: true),
        BundleTable(
            "ops.account", by: "id",
            columns: [
                "id", "email", "role", "types", "groups", "locale", "invited_at", "disabled_at", "created_at",
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
        BundleTable("curation.submission", by: "id"),
        // it is screened again
        BundleTable("curation.queue_item", by: "submission_id", without: ["risk_order"]),
        BundleTable("curation.note", by: "id"),
        BundleTable("curation.mention", by: "note_id, account_id"),
        BundleTable("curation.saved_view", by: "id"),
        BundleTable("curation.bulk_action", by: "id"),
        BundleTable("curation.bulk_action_item", by: "bulk_action_id, submission_id"),
        BundleTable("curation.catalog_item", by: "id"),
        BundleTable("ops.media", by: "id"),
        BundleTable("ops.media_file", by: "media_id, width"),
        BundleTable("ops.external_image", by: "id", without: ["host"]),
        BundleTable("curation.playlist_check", by: "id"),
        BundleTable("curation.entry", by: "id"),
        BundleTable("curation.decision", by: "submission_id, number"),
        BundleTable("curation.review_stage", by: "id"),
        BundleTable("curation.submission_approval", by: "id"),
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
        BundleTable("curation.revision", by: "entry_id, number"),
        BundleTable("curation.reference", by: #"revision_id, field collate "C", position"#),
        BundleTable("curation.media_use", by: #"revision_id, pointer collate "C""#),
        BundleTable("curation.route_path", by: "revision_id"),
        BundleTable("curation.catalog_use", by: #"revision_id, field collate "C", position"#),
        BundleTable("curation.approval", by: "revision_id, stage, actor_id"),
        BundleTable("curation.publish_approval", by: "revision_id"),
        BundleTable("curation.ready", by: "entry_id"),
        BundleTable("curation.live", by: "entry_id"),
        BundleTable("curation.validity_period", by: "id"),
        BundleTable(
            "curation.observation", by: #"period_id, site collate "C", measure collate "C", source collate "C""#),
        BundleTable("curation.observation_history", by: "id"),
        BundleTable("curation.postcode", by: #"code collate "C""#),
        BundleTable("curation.observation_pending", by: #"kind collate "C", key collate "C""#),
        // circular reference; set when both exist
        BundleTable("curation.release", by: "id", without: ["publication"]),
        BundleTable("curation.release_item", by: "release_id, entry_id"),
        BundleTable("curation.publication_counter", by: "only_row"),
        BundleTable("curation.publication", by: "number"),
        BundleTable("curation.publication_change", by: "publication, entry_id"),
        BundleTable("curation.observation_change", by: #"publication, kind collate "C", key collate "C""#),
        BundleTable("curation.catalog_change", by: "publication, item_id"),
        // so that clients of the change feed can continue
        BundleTable("api_v1.change", by: "number"),
        BundleTable("curation.event_cursor", by: "only_row"),
        BundleTable("api_v1.event", by: "number"),
    ]

    package static func named(_ record: String) -> BundleTable? { all.first { $0.record == record } }

    /// Tables that are not part of a bundle, and why. A test ensures that every table is in one of the lists.
    package static let excluded: [String: String] = [
        "curation.content_type": "comes from the configuration",
        "curation.member_count": "derived",
        "curation.member_count_within": "derived",
        "curation.member_count_change": "derived",
        "curation.rating_count": "derived",
        "curation.media_count": "derived",
        "curation.media_count_change": "derived",
        "curation.similarity": "derived",
        "curation.similarity_key": "derived",
        "curation.screening": "derived",
        "curation.training_sample": "derived",
        "curation.contributor_record": "derived",
        "curation.contributor_hour": "specific to this deployment",
        "curation.spam_token": "derived",
        "curation.screening_cursor": "specific to this deployment",
        "curation.media_total": "derived",
        "curation.category_merge": "derived",
        "curation.category_merge_change": "derived",
        "curation.list_item_change": "derived",
        "curation.simulated_setting": "always empty",
        "curation.preview": "links are secrets",
        "curation.preview_row": "derived",
        "curation.preview_approval": "belongs to its link",
        "ops.session": "secrets",
        "ops.sign_in_link": "secrets",
        "ops.sign_in_failure": "specific to this deployment",
        "delivery.heartbeat": "specific to this deployment",
        "delivery.identity": "specific to this deployment",
        "delivery.search_term": "derived",
        "delivery.search_progress": "derived",
        "ops.second_factor": "secrets",
        "ops.recovery_code": "secrets",
        "ops.client_use": "specific to this deployment",
        "ops.audit_event": "describes this database; its chain depends on its transaction numbers",
        "ops.audit_block": "belongs to the audit trail",
        "ops.task": "specific to this deployment",
        "ops.webhook_backoff": "specific to this deployment",
        "ops.mail": "specific to this deployment",
        "ops.webhook_delivery": "specific to this deployment",
        "ops.outcome": "specific to this deployment",
        "ops.webhook_attempt": "specific to this deployment",
        "ops.catalog_query": "cache",
        "ops.catalog_source": "specific to this deployment",
    ]

    /// Tables that are also emptied before an import. `BundleLoader.finish` and background tasks fill them.
    static let derived = [
        "curation.category_merge", "curation.category_merge_change", "curation.media_count",
        "curation.media_count_change", "curation.media_total", "curation.member_count",
        "curation.member_count_within", "curation.member_count_change", "curation.list_item_change",
        "curation.similarity", "curation.similarity_key", "curation.screening", "curation.training_sample",
        "curation.contributor_record", "curation.contributor_hour", "curation.spam_token", "curation.preview",
        "curation.preview_row", "curation.preview_approval",
    ]
}
