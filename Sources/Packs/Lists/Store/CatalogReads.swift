// Reads catalogs for browsing and search, always one kind at a time (D6, D7, D8).
import Domain
import Postgres
import Store

package struct CatalogReads: Sendable {
    let connection: StoreConnection

    /// Items of one kind by title; with `query`, those whose title contains all its terms. Ignores case and accents.
    package func page(_ kind: String, query: String?, cursor: String?) async throws -> DocumentPage {
        var statement: SQL = "select document, sort_title, id from api_v1.catalog_item where kind = \(kind)"
        if let query {
            statement += " and terms @@ (select api_v1.search_query(\(query), null))"
        }
        if let cursor {
            let position = try Cursor(parsing: cursor, count: 2)
            statement += " and (sort_title, id) > (\(position.values[0]), \(try position.uuid(1))::uuid)"
        }
        statement += " order by sort_title, id limit \(fixed: DocumentPage.size + 1)"
        return try DocumentPage(try await connection.rows(statement), cursor: ["sort_title", "id"])
    }

    /// Whether readers see an item, whatever its kind.
    package func contains(_ id: ID<Entry>) async throws -> Bool {
        try await connection.first("select true as found from api_v1.catalog_item where id = \(id)") { try $0("found") }
            ?? false
    }

    package func find(_ kind: String, _ id: ID<Entry>) async throws -> [UInt8]? {
        try await connection.first(
            "select document from api_v1.catalog_item where id = \(id) and kind = \(kind)"
        ) { try $0.bytes("document") }
    }
}
