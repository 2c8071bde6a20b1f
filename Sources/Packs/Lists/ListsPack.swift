// Curated lists of catalog items: films, books, series, restaurants and songs.
import API
import Admin
import CommandKit
import Domain
import Localization
import Store
import Tasks

extension Pack {
    package static let lists: Pack = {
        var pack = Pack("lists")
        pack.kinds = [.list]
        pack.needs = [
            .list: [
                .title, .slug, KindField("owner", .text, isRequired: false),
                KindField("photo", .image, isRequired: false),
                KindField("subject", .catalogItem, isRequired: false),
                KindField("items", .rows, isRequired: false, fields: [KindField("item", .catalogItem)]),
            ]
        ]
        pack.resolved = [ResolvedKind(.list, path: "/v1/lists/")]
        pack.migrations = [
            Script("lists/catalogs", PackageResources.catalogs_sql), Script("lists/lists", PackageResources.lists_sql),
            Script("lists/catalog_access", PackageResources.catalog_access_sql),
            Script("lists/catalog_words", PackageResources.catalog_words_sql),
            Script("lists/derived_uses", PackageResources.derived_uses_sql),
        ]
        pack.early = [PackageResources.list_triggers_sql]
        pack.functions = [PackageResources.catalog_sql]
        pack.shared = [PackageResources.catalog_functions_sql]
        pack.projections = [
            Projection("catalog_item", PackageResources.catalog_item_sql),
            Projection("list", PackageResources.list_sql),
            Projection("list_item", key: ["list_id", "catalog_item_id"], PackageResources.list_item_sql),
        ]
        pack.dependencies = PackageResources.lists_dependencies_sql
        pack.insertions = [
            "search_kinds": ", 'list'",
            "tables_with_publication": ", 'list', 'list_item'",
            "causes": """
            union all
            select 'catalog' where exists (select from curation.catalog_change where publication = p_publication)
            """,
            "image_subjects": """
            union all
            select i.title, curation.is_public(i)
            from curation.catalog_item i where curation.catalog_image_url(i.details) = p_url
            """,
            "stored_images": "publication := curation.publish_catalog_images(shown, p_actor);",
        ]
        pack.readTables = [
            ReadTable("catalog_item"), ReadTable("list"),
            ReadTable("list_item", key: [("list_id", "uuid"), ("catalog_item_id", "uuid")]),
        ]
        pack.defaults = PackageResources.lists_defaults_json
        pack.bundle.carried = [
            BundleTable("curation.catalog_item", by: "id"),
            BundleTable("curation.catalog_use", by: #"revision_id, field collate "C", position"#),
            BundleTable("curation.catalog_change", by: "publication, item_id"),
        ]
        pack.bundle.excluded = [
            "curation.list_item_change": "derived", "ops.catalog_query": "cache",
            "ops.catalog_source": "specific to this deployment",
        ]
        pack.bundle.emptied = ["curation.list_item_change"]
        pack.tasks = [
            TaskKind(name: "prune_catalogs", everySeconds: 600) { transaction, _ in
                try await transaction.catalogs.sweep()
            }
        ]
        pack.revisionAdded = { try await CatalogStore(connection: $0).addUses($1, type: $2, revision: $3) }
        pack.catalogItems = { CatalogStore(connection: $0) }
        pack.parts = [
            PackEndpoints(apiEndpoints), PackPages(ListsURL.self, pages, navigation, attention: attention),
            PackCommands(
                CatalogCommand.entries + CatalogSourceCommand.entries, texts: catalogTexts,
                catalogs: { try CatalogRules($0).references }),
            PackDaemon.lists,
            PackPlanLabels(
                subjects: { ["list_item": tr("List item", context: "plan")] },
                technical: ["list_id", "sort_title", "subject_id"], owners: ["list_id"]),
        ]
        return pack
    }()

    private static let catalogTexts: PackCommands.Texts = { settings in
        try CatalogRules(settings).kinds.all.flatMap { kind in
            [kind.label, kind.plural].map { (text: $0, place: "Config/catalogs/\(kind.name).json") }
        }
    }
}
