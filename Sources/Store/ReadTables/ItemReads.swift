// Articles, videos and whatever else is read like them: lists of previews, and one by one.
import Domain
import Postgres

/// Which items are listed; every field that is set must hold.
package struct ItemReadFilter: Sendable {
    package var tier: String?
    /// Any of these (B32).
    package var categories: [ReadAddress] = []
    /// And this one.
    package var category: ReadAddress?
    package var hasVideo: Bool?

    package init() {}
}

package struct ItemReads: Sendable {
    let scope: ReadScope
    let connection: StoreConnection
    let documents: ReadDocuments

    /// Previews, the newest approval first.
    package func page(_ filter: ItemReadFilter, cursor: String?) async throws -> DocumentPage {
        var statement: SQL = "select document, age, id from api_v1.item where true"
        if let tier = filter.tier { statement += " and tier = \(tier)" }
        if !filter.categories.isEmpty { statement += ReadCategories.any(of: filter.categories) }
        if let category = filter.category { statement += ReadCategories.member(of: category) }
        if let hasVideo = filter.hasVideo { statement += " and has_video = \(hasVideo)" }
        if let cursor {
            let place = try Cursor(parsing: cursor, count: 2)
            statement += " and (age, id) > (\(try place.integer(0))::bigint, \(try place.uuid(1))::uuid)"
        }
        statement += " order by age, id limit \(raw: "\(DocumentPage.size + 1)")"
        return try DocumentPage(try await connection.rows(statement), cursor: ["age", "id"])
    }

    /// The preview or, for a reader, the whole (A28).
    package func find(_ address: ReadAddress) async throws -> [UInt8]? {
        let statement: SQL
        switch (scope, address) {
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
