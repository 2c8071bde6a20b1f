// The migrations in order: tables, indexes and grants. Each is applied once and never edited afterwards.
import Postgres

enum Migrations {
    /// Creates the schemas that the functions of `Functions.early` need.
    static let schemas: [(name: String, text: [UInt8])] = [("core/schemas", PackageResources.schemas_sql)]

    static let tables: [(name: String, text: [UInt8])] = [
        ("core/audit", PackageResources.audit_sql),
        ("core/accounts", PackageResources.accounts_sql),
        ("core/clients", PackageResources.clients_sql),
        ("core/replication", PackageResources.replication_sql),
        ("core/identities", PackageResources.identities_sql),
        ("core/submissions", PackageResources.submissions_sql),
        ("core/queue", PackageResources.queue_sql),
        ("core/entries", PackageResources.entries_sql),
        ("core/decisions", PackageResources.decisions_sql),
        ("core/review_stages", PackageResources.review_stages_sql),
        ("core/screening", PackageResources.screening_sql),
        ("core/releases", PackageResources.releases_sql),
        ("core/categories", PackageResources.categories_sql),
        ("core/media_library", PackageResources.media_library_sql),
        ("core/change_feed", PackageResources.change_feed_sql),
        ("core/feeds", PackageResources.feeds_sql),
        ("core/offline", PackageResources.offline_sql),
        ("core/search_index", PackageResources.search_index_sql),
        ("core/texts", PackageResources.texts_sql),
        ("core/previews", PackageResources.previews_sql),
        ("core/tasks", PackageResources.tasks_sql),
        ("core/mails", PackageResources.mails_sql),
        ("core/webhooks", PackageResources.webhooks_sql),
        ("core/read_tables", PackageResources.read_tables_sql),
        ("places/places", PackageResources.places_sql),
        ("routes/routes", PackageResources.routes_sql),
        ("lists/catalogs", PackageResources.catalogs_sql),
        ("lists/lists", PackageResources.lists_sql),
    ]

    static var all: [(name: String, text: [UInt8])] { schemas + tables }
}
