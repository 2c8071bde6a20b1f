// The catalogs as readers browse and search them: always one kind at a time (D6, D7, D8).
import Domain
import Postgres

package struct CatalogReads: Sendable {
    let connection: StoreConnection

    /// Things of one kind by title; with words, those whose title has them all. Case and accents do not count.
    package func page(_ kind: String, words: String?, cursor: String?) async throws -> DocumentPage {
        var statement: SQL = "select document, sort_title, id from api_v1.catalog_item where kind = \(kind)"
        if let words {
            statement += """
                 and words @@ (select websearch_to_tsquery('simple',
                    lower(public.unaccent('public.unaccent'::regdictionary, \(words)))))
                """
        }
        if let cursor {
            let place = try Cursor(parsing: cursor, count: 2)
            statement += " and (sort_title, id) > (\(place.values[0]), \(try place.uuid(1))::uuid)"
        }
        statement += " order by sort_title, id limit \(fixed: DocumentPage.size + 1)"
        return try DocumentPage(try await connection.rows(statement), cursor: ["sort_title", "id"])
    }

    package func find(_ kind: String, _ id: ID<Entry>) async throws -> [UInt8]? {
        try await connection.first(
            "select document from api_v1.catalog_item where id = \(id) and kind = \(kind)"
        ) { try $0.bytes("document") }
    }
}
