// The SQL functions and the views that they share. They are applied again whenever their text changes.

enum Functions {
    /// Functions that tables need when they are created: column defaults and triggers. Applied before the tables.
    static let early: [[UInt8]] = [
        PackageResources.base_sql,
        PackageResources.audit_triggers_sql,
        PackageResources.account_triggers_sql,
        PackageResources.scope_triggers_sql,
        PackageResources.review_triggers_sql,
        PackageResources.entry_triggers_sql,
        PackageResources.media_triggers_sql,
        PackageResources.notify_triggers_sql,
    ]

    static let all: [[UInt8]] = [
        PackageResources.audit_chain_sql,
        PackageResources.access_scope_sql,
        PackageResources.review_sql,
        PackageResources.publish_sql,
        PackageResources.plan_sql,
        PackageResources.repair_sql,
        PackageResources.category_merge_sql,
        PackageResources.member_count_sql,
        PackageResources.media_count_sql,
        PackageResources.rating_count_sql,
        PackageResources.snapshot_sql,
        PackageResources.events_sql,
        PackageResources.webhook_deliveries_sql,
        PackageResources.search_terms_sql,
        PackageResources.observations_sql,
        PackageResources.catalog_sql,
        PackageResources.project_sql,
    ]
}
