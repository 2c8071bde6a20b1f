// The migrations, in order. Each is applied once and never edited afterwards.
import Postgres

enum Migrations {
    static let all: [(name: String, text: [UInt8])] = [
        ("m0001_schemas", PackageResources.m0001_schemas_sql),
        ("m0002_people", PackageResources.m0002_people_sql),
        ("m0003_submissions", PackageResources.m0003_submissions_sql),
        ("m0004_entries", PackageResources.m0004_entries_sql),
        ("m0005_publications", PackageResources.m0005_publications_sql),
        ("m0006_delivery", PackageResources.m0006_delivery_sql),
        ("m0007_read_tables", PackageResources.m0007_read_tables_sql),
        ("m0008_projections", PackageResources.m0008_projections_sql),
        ("m0009_publishing", PackageResources.m0009_publishing_sql),
        ("m0010_tasks", PackageResources.m0010_tasks_sql),
        ("m0011_webhooks", PackageResources.m0011_webhooks_sql),
        ("m0012_previews", PackageResources.m0012_previews_sql),
        ("m0013_places", PackageResources.m0013_places_sql),
        ("m0014_media", PackageResources.m0014_media_sql),
        ("m0015_texts", PackageResources.m0015_texts_sql),
        ("m0016_routes", PackageResources.m0016_routes_sql),
        ("m0017_lists", PackageResources.m0017_lists_sql),
        ("m0018_taxonomy", PackageResources.m0018_taxonomy_sql),
        ("m0019_offline", PackageResources.m0019_offline_sql),
        ("m0020_bundles", PackageResources.m0020_bundles_sql),
        ("m0021_mail", PackageResources.m0021_mail_sql),
        ("m0022_received", PackageResources.m0022_received_sql),
        ("m0023_review_desk", PackageResources.m0023_review_desk_sql),
        ("m0024_contributors", PackageResources.m0024_contributors_sql),
        ("m0025_screening", PackageResources.m0025_screening_sql),
        ("m0026_proof", PackageResources.m0026_proof_sql),
        ("m0027_search_words", PackageResources.m0027_search_words_sql),
    ]
}
