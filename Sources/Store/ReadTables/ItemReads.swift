// Reads items (articles, videos and similar types): lists of previews, and one by one.
import Domain
import Postgres

/// Filters items; all set fields must match.
package struct ItemReadFilter: Sendable {
    package var tier: String?
    /// Any of these (B32).
    package var categories: [IDOrSlug] = []
    /// And this one.
    package var category: IDOrSlug?
    package var hasVideo: Bool?
    package var type: String?
    /// This language or a more specific form of it, and items without a language.
    package var locale: LanguageTag?
    package var sort = ItemSort.newest
    /// Up to this many members of categories are all compared, if the order has no index for each category.
    package var maxCompared = FewOrMany.most

    package init() {}
}

package enum ItemSort: String, Sendable, CaseIterable {
    case newest, oldest, title
}

package struct ItemReads: Sendable {
    let scope: ReadScope
    let connection: StoreConnection
    let documents: ReadDocuments

    /// Previews in the order of the filter, then by id. Names of categories are in the language.
    package func page(
        _ filter: ItemReadFilter, _ language: ReadLanguage, cursor: String?
    ) async throws -> DocumentPage {
        let query = ItemQuery(filter: filter, position: try cursor.map { try Cursor(parsing: $0, count: 2) })
        let rows = try await connection.rows(
            """
            select \(language.document(withCategories: "n.document")) as document, n.position, n.id
            from (\(try query.statement)) n \(query.order("n.position", "n.id"))
            """)
        return try DocumentPage(rows, cursor: ["position", "id"])
    }

    /// The previews of these items in this order, and the ids that do not exist (any more).
    package func set(
        _ ids: [ID<Entry>], _ language: ReadLanguage
    ) async throws -> (page: DocumentPage, missing: [ID<Entry>]) {
        try await table.set(ids, language)
    }

    /// The preview or, for a reader, the full document (A28).
    package func find(_ idOrSlug: IDOrSlug, _ language: ReadLanguage) async throws -> [UInt8]? {
        try await table.find(idOrSlug, language)
    }

    private var table: DocumentTable {
        DocumentTable(name: "item", scope: scope, connection: connection, documents: documents)
    }
}
