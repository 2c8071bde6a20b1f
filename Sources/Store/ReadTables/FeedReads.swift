// Reads feeds: lists by the curators' rank, one by one, and their items.
import Domain
import Postgres

/// Filters feeds; all set fields must match.
package struct FeedReadFilter: Sendable {
    package var tier: String?
    /// Any of these.
    package var categories: [IDOrSlug] = []
    /// And this one.
    package var category: IDOrSlug?
    package var hasVideo: Bool?
    package var offline: Bool?

    package init() {}
}

package struct FeedReads: DocumentReads {
    package static let table = "feed"
    package let scope: ReadScope
    package let connection: StoreConnection
    package let documents: ReadDocuments

    /// Previews by rank, then the newest approval, then id (A7).
    package func page(
        _ filter: FeedReadFilter, _ language: ReadLanguage, cursor: String?
    ) async throws -> DocumentPage {
        var statement: SQL =
            "select \(language.document(withCategories: "document")) as document, rank, age, id from api_v1.feed where true"
        if let tier = filter.tier { statement += " and tier = \(tier)" }
        if !filter.categories.isEmpty { statement += ReadCategories.any(of: filter.categories) }
        if let category = filter.category { statement += ReadCategories.member(of: category) }
        if let hasVideo = filter.hasVideo { statement += " and has_video = \(hasVideo)" }
        if let offline = filter.offline { statement += " and offline = \(offline)" }
        if let cursor {
            let position = try RankedCursor(cursor)
            statement += " and (rank, age, id) > \(position.sql)"
        }
        statement += " order by rank, age, id limit \(fixed: DocumentPage.size + 1)"
        return try DocumentPage(try await connection.rows(statement), cursor: ["rank", "age", "id"])
    }

    /// The previews of a feed's items in the feed's order (A2, A7); none when the feed does not exist.
    package func items(
        of feed: IDOrSlug, type: String?, _ language: ReadLanguage, cursor: String?
    ) async throws -> DocumentPage {
        var statement: SQL = """
            select \(language.document(withCategories: "i.document")) as document, m.rank, m.age, m.item_id
            from api_v1.feed_item m join api_v1.item i on i.id = m.item_id where \(Self.membership(feed))
            """
        if let type { statement += " and m.type = \(type)" }
        if let cursor {
            let position = try RankedCursor(cursor)
            statement += " and (m.rank, m.age, m.item_id) > \(position.sql)"
        }
        statement += " order by m.rank, m.age, m.item_id limit \(fixed: DocumentPage.size + 1)"
        return try DocumentPage(try await connection.rows(statement), cursor: ["rank", "age", "item_id"])
    }

    /// The videos of a feed in the feed's order, each with its position, counted from 1 (A31, A36). For readers only.
    package func videos(of feed: IDOrSlug, cursor: String?) async throws -> DocumentPage {
        var first: Int64 = 1
        var statement: SQL = """
            select v.document, m.rank, m.age, m.item_id
            from api_v1.feed_item m join api_v1.video v on v.id = m.item_id
            where m.type = 'video' and \(Self.membership(feed))
            """
        if let cursor {
            let position = try Cursor(parsing: cursor, count: 4)
            first = try position.integer(3)
            guard (1...1_000_000_000).contains(first) else { throw Cursor.unreadable }
            statement += " and (m.rank, m.age, m.item_id) > \(try RankedCursor(position).sql)"
        }
        statement += " order by m.rank, m.age, m.item_id limit \(fixed: DocumentPage.size + 1)"
        let rows = try await connection.rows(statement)
        return try DocumentPage(rows, cursor: ["rank", "age", "item_id"], positionsFrom: first)
    }

    private static func membership(_ feed: IDOrSlug) -> SQL {
        switch feed {
        case .id(let id): "m.feed_id = \(id)"
        case .slug(let slug): "m.feed_id = (select f.id from api_v1.feed f where f.slug = \(slug))"
        }
    }
}

/// A cursor in a list by rank, age and id.
struct RankedCursor {
    /// `(rank, age, id)`, for comparison.
    let sql: SQL

    init(_ cursor: String) throws(Failure) {
        try self.init(try Cursor(parsing: cursor, count: 3))
    }

    init(_ position: Cursor) throws(Failure) {
        sql = "(\(try position.integer(0))::bigint, \(try position.integer(1))::bigint, \(try position.uuid(2))::uuid)"
    }
}
