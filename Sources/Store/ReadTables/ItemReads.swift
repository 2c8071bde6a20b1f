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

package struct ItemReads: DocumentReads {
    package static let table = "item"
    package let scope: ReadScope
    package let connection: StoreConnection
    package let documents: ReadDocuments

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
}
