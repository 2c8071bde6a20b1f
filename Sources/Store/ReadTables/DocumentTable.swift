// Reads single documents and sets of them from a read table whose documents name categories: items and feeds.
import Domain
import Postgres

struct DocumentTable: Sendable {
    /// Of the previews; the table of the full documents has the suffix `_full`.
    let name: String
    let scope: ReadScope
    let connection: StoreConnection
    let documents: ReadDocuments

    /// The preview or, for a reader, the full document (A28).
    func find(_ idOrSlug: IDOrSlug, _ language: ReadLanguage) async throws -> [UInt8]? {
        let table = scope == .guest ? name : "\(name)_full"
        let condition: SQL
        switch idOrSlug {
        case .id(let id) where language.requested == nil: return try await documents.find(id, in: table)
        case .id(let id): condition = "w.id = \(id)"
        case .slug(let slug) where scope == .guest: condition = "w.slug = \(slug)"
        case .slug(let slug): condition = "w.id = (select p.id from api_v1.\(raw: name) p where p.slug = \(slug))"
        }
        return try await connection.first(
            """
            select \(language.document(withCategories: "w.document")) as document
            from api_v1.\(raw: table) w where \(condition)
            """
        ) { try $0.bytes("document") }
    }

    /// The previews with these ids in this order, and the ids that do not exist (any more) (A21).
    func set(
        _ ids: [ID<Entry>], _ language: ReadLanguage
    ) async throws -> (page: DocumentPage, missing: [ID<Entry>]) {
        let rows = try await connection.rows(
            """
            select a.id, \(language.document(withCategories: "p.document")) as document, p.id is null as is_missing
            from unnest(\(ids)::uuid[]) with ordinality a (id, n)
            left join api_v1.\(raw: name) p on p.id = a.id order by a.n
            """)
        let missing = try rows.filter { try $0("is_missing") }.map { try $0("id") as ID<Entry> }
        return (try DocumentPage(whole: try rows.filter { !(try $0("is_missing")) }), missing)
    }
}
