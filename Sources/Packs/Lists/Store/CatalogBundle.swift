// Reads and adds catalog items for the bundle of a release.
import Domain
import Postgres
import Store

extension CatalogStore: CatalogItems {
    package func used(byRelease number: Int64) async throws -> [JSONValue] {
        try await connection.rows(
            """
            select jsonb_build_object('id', c.id, 'kind', c.kind, 'source', c.source, 'external_id', c.external_id,
                'title', c.title, 'details', c.details) as item
            from curation.catalog_item c where c.id in (
                select u.item_id from curation.release s join curation.release_item i on i.release_id = s.id
                join curation.catalog_use u on u.revision_id = i.revision_id where s.number = \(number))
            order by c.id
            """
        ) { try $0("item") }
    }

    /// Adds missing catalog items with their original IDs.
    package func keep(_ items: [ReceivedCatalogItem]) async throws {
        if items.isEmpty { return }
        try await connection.run(
            """
            select curation.receive_catalog(\(items.map(\.id))::uuid[], \(items.map(\.kind))::text[],
                \(items.map(\.source))::text[], \(items.map(\.externalID))::text[],
                \(items.map(\.title))::text[], \(items.map(\.details))::jsonb[])
            """)
    }
}
