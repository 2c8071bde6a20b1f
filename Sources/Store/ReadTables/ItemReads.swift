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

    package init() {}
}

package struct ItemReads: Sendable {
    let scope: ReadScope
    let connection: StoreConnection
    let documents: ReadDocuments

    /// Previews, newest approval first.
    package func page(_ filter: ItemReadFilter, cursor: String?) async throws -> DocumentPage {
        let position = try cursor.map { text in
            let position = try Cursor(parsing: text, count: 2)
            return SQL("(\(try position.integer(0))::bigint, \(try position.uuid(1))::uuid)")
        }
        let statement =
            filter.category == nil && filter.categories.isEmpty
            ? Self.all(filter, after: position) : Self.ofCategories(filter, after: position)
        return try DocumentPage(try await connection.rows(statement), cursor: ["age", "id"])
    }

    private static func all(_ filter: ItemReadFilter, after position: SQL?) -> SQL {
        var statement: SQL = "select i.document, i.age, i.id from api_v1.item i where true\(conditions(filter))"
        if let position { statement += " and (i.age, i.id) > \(position)" }
        return statement + " order by i.age, i.id limit \(fixed: DocumentPage.size + 1)"
    }

    /// Merges the newest items of each category, read by its own index: a category may be rare and contain nothing new.
    private static func ofCategories(_ filter: ItemReadFilter, after position: SQL?) -> SQL {
        var conditions: SQL = "k.age is not null and k.category_id = c.id"
        if let position { conditions += " and (k.age, k.member_id) > \(position)" }
        if filter.category != nil, !filter.categories.isEmpty {
            conditions += """
                 and exists (
                    select from (\(ReadCategories.all(of: filter.categories))) o
                    join api_v1.category_member m on m.category_id = o.id and m.member_id = k.member_id)
                """
        }
        let item: SQL =
            filter.tier == nil && filter.hasVideo == nil ? .empty : " join api_v1.item i on i.id = k.member_id"
        let limit: SQL = "limit \(fixed: DocumentPage.size + 1)"
        return """
            select i.document, n.age, n.member_id as id
            from (
                select distinct k.age, k.member_id
                from (\(ReadCategories.all(of: filter.category.map { [$0] } ?? filter.categories))) c
                cross join lateral (
                    select k.age, k.member_id from api_v1.category_member k\(item)
                    where \(conditions)\(Self.conditions(filter)) order by k.age, k.member_id \(limit)) k
                order by k.age, k.member_id \(limit)) n
            join api_v1.item i on i.id = n.member_id order by n.age, n.member_id
            """
    }

    private static func conditions(_ filter: ItemReadFilter) -> SQL {
        var conditions = SQL.empty
        if let tier = filter.tier { conditions += " and i.tier = \(tier)" }
        if let hasVideo = filter.hasVideo { conditions += " and i.has_video = \(hasVideo)" }
        return conditions
    }

    /// The preview or, for a reader, the full document (A28).
    package func find(_ idOrSlug: IDOrSlug) async throws -> [UInt8]? {
        let statement: SQL
        switch (scope, idOrSlug) {
        case (.guest, .id(let id)): return try await documents.find(id, in: "item")
        case (.reader, .id(let id)): return try await documents.find(id, in: "item_full")
        case (.guest, .slug(let slug)): statement = "select document from api_v1.item where slug = \(slug)"
        case (.reader, .slug(let slug)):
            statement =
                "select w.document from api_v1.item i join api_v1.item_full w on w.id = i.id where i.slug = \(slug)"
        }
        return try await connection.first(statement) { try $0.bytes("document") }
    }
}
