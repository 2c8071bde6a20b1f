// What a bundle of everything carries: every table that is truth, in the order in which rows may name earlier ones.

/// One table, a kind of record. What is made from the truth (read tables, counts) is made anew and stands in no bundle.
package struct BundleTable: Sendable {
    /// With its schema.
    package let table: String
    /// The columns of its key, in which its records stand; the same everywhere, whatever a database sorts words by.
    let order: String
    /// The only columns that leave the house; nil for all. Tables that hold secrets always say which.
    let columns: [String]?
    /// Columns that are made anew.
    let without: [String]
    /// Which rows leave it.
    let rows: String
    /// What stands in columns that stayed behind.
    let given: [String: String]
    /// Whether what an empty database holds of it stays: who may come in, and what the program brings along.
    let isKept: Bool

    private init(
        _ table: String, by order: String, columns: [String]? = nil, without: [String] = [], rows: String = "true",
        given: [String: String] = [:], isKept: Bool = false
    ) {
        self.table = table
        self.order = order
        self.columns = columns
        self.without = without
        self.rows = rows
        self.given = given
        self.isKept = isKept
    }

    /// The name of its records.
    package var record: String { String(table.drop { $0 != "." }.dropFirst()) }

    package static let all: [BundleTable] = [
        // the five system actors are there in every database
        BundleTable(
            "ops.actor", by: "id", columns: ["id", "kind", "name", "created_at"],
            rows: "id > '00000000-0000-7000-8000-0000000000ff'", isKept: true),
        BundleTable(
            "ops.account", by: "id",
            columns: [
                "id", "email", "role", "types", "groups", "locale", "invited_at", "disabled_at", "created_at",
            ],
            isKept: true),
        // no secret has this hash
        BundleTable(
            "delivery.client", by: "id", columns: ["id", "name", "scopes", "per_minute", "created_at", "revoked_at"],
            given: ["secret_hash": "decode(repeat('00', 32), 'hex')"], isKept: true),
        // paused, with no secret yet: nobody is told twice, and nothing of a try-out
        BundleTable(
            "ops.webhook", by: "id", columns: ["id", "url", "note", "events", "created_by", "created_at"],
            given: ["secret": "''::bytea", "state": "'paused'"], isKept: true),
        BundleTable("curation.submission", by: "id"),
        // it is screened anew
        BundleTable("curation.queue_item", by: "submission_id", without: ["risk_order"]),
        BundleTable("curation.note", by: "id"),
        BundleTable("curation.mention", by: "note_id, account_id"),
        BundleTable("curation.saved_view", by: "id"),
        BundleTable("curation.bulk_action", by: "id"),
        BundleTable("curation.bulk_action_item", by: "bulk_action_id, submission_id"),
        BundleTable("curation.catalog_item", by: "id"),
        BundleTable("ops.media", by: "id"),
        BundleTable("ops.media_file", by: "media_id, width"),
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
        BundleTable("curation.media_use", by: #"revision_id, place collate "C""#),
        BundleTable("curation.route_path", by: "revision_id"),
        BundleTable("curation.catalog_use", by: #"revision_id, field collate "C", rank"#),
        BundleTable("curation.approval", by: "revision_id, stage, actor_id"),
        BundleTable("curation.publish_approval", by: "revision_id"),
        BundleTable("curation.ready", by: "entry_id"),
        BundleTable("curation.live", by: "entry_id"),
        BundleTable("curation.validity_period", by: "id"),
        BundleTable("curation.observation", by: #"period_id, place collate "C", measure collate "C""#),
        BundleTable("curation.postcode", by: #"code collate "C""#),
        BundleTable("curation.observation_pending", by: #"kind collate "C", key collate "C""#),
        // its publication names it, and is named back when both are there
        BundleTable("curation.release", by: "id", without: ["publication"]),
        BundleTable("curation.release_item", by: "release_id, entry_id"),
        BundleTable("curation.publication_counter", by: "only_row"),
        BundleTable("curation.publication", by: "number"),
        BundleTable("curation.publication_change", by: "publication, entry_id"),
        BundleTable("curation.observation_change", by: #"publication, kind collate "C", key collate "C""#),
        BundleTable("curation.catalog_change", by: "publication, item_id"),
        // so that whoever follows along goes on where they were
        BundleTable("api_v1.change", by: "number"),
        BundleTable("curation.event_clock", by: "only_row"),
        BundleTable("api_v1.event", by: "number"),
    ]

    package static func named(_ record: String) -> BundleTable? { all.first { $0.record == record } }

    /// What no bundle carries, and why; a test finds a table that is in neither list.
    package static let leftBehind: [String: String] = [
        "curation.content_type": "comes from the configuration",
        "curation.member_count": "made anew", "curation.member_count_within": "made anew", "curation.member_count_change": "made anew",
        "curation.media_count": "made anew", "curation.media_count_change": "made anew",
        "curation.similarity": "made anew", "curation.similarity_key": "made anew", "curation.screening": "made anew",
        "curation.training_sample": "made anew", "curation.contributor_record": "made anew",
        "curation.contributor_hour": "of this place", "curation.spam_token": "made anew",
        "curation.screening_clock": "of this place",
        "curation.media_total": "made anew", "curation.category_merge": "made anew", "curation.category_merge_change": "made anew",
        "curation.list_item_change": "made anew", "curation.simulated_setting": "holds nothing",
        "curation.preview": "links are secrets", "curation.preview_row": "made anew",
        "curation.preview_approval": "belongs to its link",
        "ops.session": "secrets", "ops.sign_in_link": "secrets", "ops.sign_in_failure": "of this place",
        "delivery.search_term": "made anew", "delivery.search_progress": "made anew",
        "ops.second_factor": "secrets", "ops.recovery_code": "secrets", "ops.client_use": "of this place",
        "ops.audit_event": "what was done in this database; its chain counts this database's transactions",
        "ops.audit_block": "belongs to the audit trail",
        "ops.task": "work of this place", "ops.webhook_backoff": "of this place",
        "ops.mail": "written by this place", "ops.webhook_delivery": "told by this place",
        "ops.outcome": "told by this place",
        "ops.webhook_attempt": "told by this place", "ops.catalog_query": "a memory of answers",
        "ops.catalog_source": "of this place",
    ]

    /// Tables that are emptied before an import beside the bundle's own, and filled by `BundleLoader.finish`.
    static let madeAnew = [
        "curation.category_merge", "curation.category_merge_change", "curation.media_count", "curation.media_count_change",
        "curation.media_total", "curation.member_count", "curation.member_count_within", "curation.member_count_change",
        "curation.list_item_change",
        "curation.similarity", "curation.similarity_key", "curation.screening", "curation.training_sample",
        "curation.contributor_record", "curation.contributor_hour", "curation.spam_token",
        "curation.preview", "curation.preview_row", "curation.preview_approval",
    ]
}
