// Reads the syndication of a feed or category: its document and a page of items, in one query.
import Domain
import Postgres

package struct Syndication: Sendable {
    /// The document of the feed or category.
    package let source: [UInt8]
    /// The tier of a feed: free or premium.
    package let tier: String?
    /// The documents of the items: previews for guests, full documents for readers.
    package let items: [[UInt8]]
    /// The cursor of the next page.
    package let next: String?
}

package struct SyndicationReads: Sendable {
    /// Feed readers request one page and seldom the next.
    package static let size = 50
    /// A page ends with the item that makes its documents longer than this.
    static let bytes = 2 << 20

    let scope: ReadScope
    let connection: StoreConnection

    /// The items of a feed, in its order; nil when it does not exist.
    package func feed(_ idOrSlug: IDOrSlug, cursor: String?) async throws -> Syndication? {
        var items: SQL = """
            select \(document) as document, m.rank, m.age, m.item_id as id
            from api_v1.feed_item m \(joined("m.item_id")) where m.feed_id = s.id
            """
        if let cursor { items += " and (m.rank, m.age, m.item_id) > \(try RankedCursor(cursor).sql)" }
        items += " order by m.rank, m.age, m.item_id"
        return try await find("feed", "s.tier", idOrSlug, items, order: ["rank", "age", "id"])
    }

    /// The items of a category, newest approval first; for guests only free ones. Nil when it does not exist.
    package func category(_ idOrSlug: IDOrSlug, cursor: String?) async throws -> Syndication? {
        let join: SQL = scope == .guest ? "" : "join api_v1.item_full w on w.id = i.id"
        var items: SQL = """
            select \(document) as document, i.age, i.id from api_v1.item i \(join)
            where i.category_ids @> array[s.id]
            """
        if scope == .guest { items += " and i.tier = 'free'" }
        if let cursor {
            let position = try Cursor(parsing: cursor, count: 2)
            items += " and (i.age, i.id) > (\(try position.integer(0))::bigint, \(try position.uuid(1))::uuid)"
        }
        items += " order by i.age, i.id"
        return try await find("category", "null::text", idOrSlug, items, order: ["age", "id"])
    }

    private var document: SQL { scope == .guest ? "i.document" : "w.document" }

    private func joined(_ id: SQL) -> SQL {
        scope == .guest ? "join api_v1.item i on i.id = \(id)" : "join api_v1.item_full w on w.id = \(id)"
    }

    /// `table` and `tier` are written in the code, never input.
    private func find(
        _ table: String, _ tier: SQL, _ idOrSlug: IDOrSlug, _ items: SQL, order: [String]
    ) async throws -> Syndication? {
        let condition: SQL =
            switch idOrSlug {
            case .id(let id): "s.id = \(id)"
            case .slug(let slug): "s.slug = \(slug)"
            }
        let columns = order.map { "p.\($0)" }.joined(separator: ", ")
        let preceding = ChangeReads.preceding("r.document", by: order.map { "r.\($0)" }.joined(separator: ", "))
        let rows = try await connection.rows(
            """
            select s.document as source, \(tier) as tier,
                case when p.preceding <= \(fixed: Self.bytes) then p.document end as document, \(raw: columns)
            from api_v1.\(raw: table) s
            left join lateral (
                select r.*, \(preceding) as preceding from (\(items) limit \(fixed: Self.size + 1)) r) p on true
            where \(condition) order by \(raw: columns)
            """)
        guard let first = rows.first else { return nil }
        let items = try rows.filter { try $0("id") as String? != nil }
        let shown = try items.prefix(Self.size).prefix(while: { try $0.withBytes("document") { $0 != nil } })
        let last = items.count > shown.count ? shown.last : nil
        return Syndication(
            source: try first.bytes("source"), tier: try first("tier"),
            items: try shown.map { try $0.bytes("document") },
            next: try last.map { row in Cursor(try order.map { try row($0) as String }).text })
    }
}
