// Reads single documents and sets of them from a read table whose documents name categories: items and feeds.
import Domain
import Postgres

package protocol DocumentReads: Sendable {
    /// The table of the previews; that of the full documents has the suffix `_full`.
    static var table: String { get }
    var scope: ReadScope { get }
    var connection: StoreConnection { get }
    var documents: ReadDocuments { get }
}

extension DocumentReads {
    /// The preview or, for a reader, the full document (A28).
    package func find(_ idOrSlug: IDOrSlug, _ language: ReadLanguage) async throws -> [UInt8]? {
        let table = scope == .guest ? Self.table : "\(Self.table)_full"
        let condition: SQL
        switch idOrSlug {
        case .id(let id) where language.requested == nil: return try await documents.find(id, in: table)
        case .id(let id): condition = "w.id = \(id)"
        case .slug(let slug) where scope == .guest: condition = "w.slug = \(slug)"
        case .slug(let slug): condition = "w.id = (select p.id from api_v1.\(raw: Self.table) p where p.slug = \(slug))"
        }
        return try await connection.first(
            """
            select \(language.document(withCategories: "w.document")) as document
            from api_v1.\(raw: table) w where \(condition)
            """
        ) { try $0.bytes("document") }
    }

    /// The previews with these ids in this order, and the ids that do not exist (any more) (A21).
    package func set(
        _ ids: [ID<Entry>], _ language: ReadLanguage
    ) async throws -> (page: DocumentPage, missing: [ID<Entry>]) {
        let rows = try await connection.rows(
            """
            select a.id, \(language.document(withCategories: "p.document")) as document, p.id is null as is_missing
            from unnest(\(ids)::uuid[]) with ordinality a (id, n)
            left join api_v1.\(raw: Self.table) p on p.id = a.id order by a.n
            """)
        let missing = try rows.filter { try $0("is_missing") }.map { try $0("id") as ID<Entry> }
        return (try DocumentPage(whole: try rows.filter { !(try $0("is_missing")) }), missing)
    }
}
