// What the core puts into the database, as packs do.
import Domain

extension Pack {
    static let core: Pack = {
        var core = Pack("core")
        core.kinds = ContentType.Kind.core
        core.needs = coreNeeds
        core.resolved = [
            ResolvedKind(.item, path: "/v1/items/", type: "type"), ResolvedKind(.feed, path: "/v1/feeds/"),
            ResolvedKind(.category, path: "/v1/categories/"), ResolvedKind(.categoryGroup, path: nil),
        ]
        core.migrations = [
            // creates the schemas that the functions of `early` need
            Script("core/schemas", PackageResources.schemas_sql),
            Script("core/audit", PackageResources.audit_sql),
            Script("core/accounts", PackageResources.accounts_sql),
            Script("core/clients", PackageResources.clients_sql),
            Script("core/replication", PackageResources.replication_sql),
            Script("core/identities", PackageResources.identities_sql),
            Script("core/submissions", PackageResources.submissions_sql),
            Script("core/queue", PackageResources.queue_sql),
            Script("core/entries", PackageResources.entries_sql),
            Script("core/decisions", PackageResources.decisions_sql),
            Script("core/review_stages", PackageResources.review_stages_sql),
            Script("core/screening", PackageResources.screening_sql),
            Script("core/releases", PackageResources.releases_sql),
            Script("core/categories", PackageResources.categories_sql),
            Script("core/media_library", PackageResources.media_library_sql),
            Script("core/change_feed", PackageResources.change_feed_sql),
            Script("core/feeds", PackageResources.feeds_sql),
            Script("core/offline", PackageResources.offline_sql),
            Script("core/search_index", PackageResources.search_index_sql),
            Script("core/texts", PackageResources.texts_sql),
            Script("core/previews", PackageResources.previews_sql),
            Script("core/tasks", PackageResources.tasks_sql),
            Script("core/webhooks", PackageResources.webhooks_sql),
            Script("core/outbox", PackageResources.outbox_sql),
            Script("core/read_tables", PackageResources.read_tables_sql),
            Script("core/preview_visitors", PackageResources.preview_visitors_sql),
            Script("core/actors", PackageResources.actors_sql),
            Script("core/roles", PackageResources.roles_sql),
            Script("core/access", PackageResources.access_sql),
            Script("core/autosaves", PackageResources.autosaves_sql),
            Script("core/notes", PackageResources.notes_sql),
            Script("core/media_versions", PackageResources.media_versions_sql),
            Script("core/entry_bulk_actions", PackageResources.entry_bulk_actions_sql),
            Script("core/submission_forms", PackageResources.submission_forms_sql),
            Script("core/field_notes", PackageResources.field_notes_sql),
            Script("core/contributors", PackageResources.contributors_sql),
            Script("core/home", PackageResources.home_sql),
            Script("core/viewers", PackageResources.viewers_sql),
            Script("core/source_names", PackageResources.source_names_sql),
            Script("core/reports", PackageResources.reports_sql),
            Script("core/classifier", PackageResources.classifier_sql),
            Script("core/team_search", PackageResources.team_search_sql),
            Script("core/database_identity", PackageResources.database_identity_sql),
            Script("core/item_order", PackageResources.item_order_sql),
            Script("core/media_paths", PackageResources.media_paths_sql),
            Script("core/form_posts", PackageResources.form_posts_sql),
            Script("core/search_words", PackageResources.search_words_sql),
            Script("core/search_texts", PackageResources.search_texts_sql),
            Script("core/confirmed_revisions", PackageResources.confirmed_revisions_sql),
            Script("core/item_without_language", PackageResources.item_without_language_sql),
            Script("core/autosave_size", PackageResources.autosave_size_sql),
            Script("core/account_zone", PackageResources.account_zone_sql),
            Script("core/revision_authors", PackageResources.revision_authors_sql),
            Script("core/contributor_notes", PackageResources.contributor_notes_sql),
            Script("core/failed_mails", PackageResources.failed_mails_sql),
        ]
        core.early = [
            PackageResources.base_sql,
            PackageResources.words_sql,
            PackageResources.audit_triggers_sql,
            PackageResources.authority_triggers_sql,
            PackageResources.account_triggers_sql,
            PackageResources.scope_triggers_sql,
            PackageResources.replaced_triggers_sql,
            PackageResources.review_triggers_sql,
            PackageResources.contributor_triggers_sql,
            PackageResources.report_triggers_sql,
            PackageResources.entry_triggers_sql,
            PackageResources.search_triggers_sql,
            PackageResources.media_triggers_sql,
            PackageResources.preview_triggers_sql,
            PackageResources.notify_triggers_sql,
        ]
        core.functions = [
            PackageResources.audit_chain_sql,
            PackageResources.authority_sql,
            PackageResources.access_scope_sql,
            PackageResources.attempts_sql,
            PackageResources.review_sql,
            PackageResources.reputation_sql,
            PackageResources.classify_sql,
            PackageResources.bulk_actions_sql,
            PackageResources.publish_sql,
            PackageResources.plan_sql,
            PackageResources.repair_sql,
            PackageResources.category_merge_sql,
            PackageResources.member_count_sql,
            PackageResources.media_count_sql,
            PackageResources.snapshot_sql,
            PackageResources.events_sql,
            PackageResources.webhook_deliveries_sql,
            PackageResources.background_tasks_sql,
            PackageResources.search_terms_sql,
            PackageResources.search_query_sql,
            PackageResources.highlights_sql,
            PackageResources.external_images_sql,
            PackageResources.project_sql,
        ]
        core.shared = [PackageResources.functions_sql]
        core.projections = [
            Projection("category_group", PackageResources.category_group_sql),
            Projection("category", PackageResources.category_sql),
            Projection("feed", tables: ["feed", "feed_full"], PackageResources.feed_sql),
            Projection("item", tables: ["item", "item_full", "video"], PackageResources.item_sql),
            Projection("feed_item", key: ["feed_id", "item_id"], PackageResources.feed_item_sql),
            Projection("discover", key: ["kind", "id"], PackageResources.discover_sql),
            Projection("search", tables: ["search", "search_full"], PackageResources.search_sql),
            Projection("tombstone", PackageResources.tombstone_sql),
            Projection("redirect", key: ["kind", "slug"], PackageResources.redirect_sql),
            Projection("category_member", key: ["category_id", "member_id"], PackageResources.category_member_sql),
            Projection("media", PackageResources.media_sql),
            Projection("onboarding_set", PackageResources.onboarding_set_sql),
            Projection("onboarding_screen", key: ["set_id", "position"], PackageResources.onboarding_screen_sql),
            Projection("text", key: ["id", "locale"], PackageResources.text_sql),
            Projection("setting", PackageResources.setting_sql),
            Projection("offline_manifest", key: ["feed_id"], PackageResources.offline_manifest_sql),
            Projection("offline_file", key: ["feed_id", "media_id", "width"], PackageResources.offline_file_sql),
        ]
        core.dependencies = PackageResources.dependencies_sql
        core.readTables = ReadTable.core
        core.defaults = PackageResources.defaults_json
        core.bundle = .core
        return core
    }()
}
