// Reads curated lists: by owner, by subject, one by one, and their items (D10, D13, D14, D28).
import Domain
import Postgres
import Store

/// The sort order of a list's items.
package enum ListSort: String, Sendable, CaseIterable {
    /// In the curator's order.
    case position
    /// Newest first.
    case date
    /// By title, in natural sort order.
    case title

    fileprivate var column: String {
        switch self {
        case .position: "position"
        case .date: "age"
        case .title: "sort_title"
        }
    }
}

package struct ListReadFilter: Sendable {
    /// The opaque reference of the lists' owner.
    package var owner: String?
    /// The catalog item that the lists are about.
    package var subject: ID<Entry>?

    package init() {}
}

package struct ListReads: Sendable {
    let connection: StoreConnection

    /// Most recently changed lists first.
    package func page(_ filter: ListReadFilter, cursor: String?) async throws -> DocumentPage {
        var statement: SQL = "select document, age, id from api_v1.list where true"
        if let owner = filter.owner { statement += " and owner = \(owner)" }
        if let subject = filter.subject { statement += " and subject_id = \(subject)" }
        return try await connection.newestDocuments(statement, cursor: cursor)
    }

    package func find(_ idOrSlug: IDOrSlug) async throws -> [UInt8]? {
        try await connection.first("select document from api_v1.list where \(Self.condition(idOrSlug))") {
            try $0.bytes("document")
        }
    }

    /// The title and each item's title, one per line. The same version and order always give the same bytes.
    package func text(_ idOrSlug: IDOrSlug, sort: ListSort) async throws -> [UInt8]? {
        // The text in the curator's order is stored when the list is published.
        let statement: SQL =
            sort == .position
            ? "select text from api_v1.list where \(Self.condition(idOrSlug))"
            : """
            select l.title || E'\\n' || (
                select coalesce(string_agg(i.title || E'\\n', '' order by i.\(raw: sort.column), i.id), '')
                from api_v1.list_item i where i.list_id = l.id) as text
            from api_v1.list l where \(Self.condition(idOrSlug))
            """
        return try await connection.first(statement) { try $0.bytes("text") }
    }

    /// Items in one of the orders, ties by id; none when the list does not exist.
    package func items(of list: IDOrSlug, sort: ListSort, cursor: String?) async throws -> DocumentPage {
        var statement: SQL = """
            select i.document, '\(raw: sort.rawValue)' as sort, i.\(raw: sort.column) as sort_value, i.id
            from api_v1.list_item i where i.list_id =
            """
        switch list {
        case .id(let id): statement += " \(id)"
        case .slug(let slug): statement += " (select l.id from api_v1.list l where l.slug = \(slug))"
        }
        if let cursor {
            let position = try Cursor(parsing: cursor, count: 3)
            // A cursor of one order is invalid in another.
            guard position.values[0] == sort.rawValue else { throw Cursor.unreadable }
            let value: SQL = sort == .title ? "\(position.values[1])" : "\(try position.integer(1))::bigint"
            statement += " and (i.\(raw: sort.column), i.id) > (\(value), \(try position.uuid(2))::uuid)"
        }
        statement += " order by i.\(raw: sort.column), i.id limit \(fixed: DocumentPage.size + 1)"
        return try DocumentPage(try await connection.rows(statement), cursor: ["sort", "sort_value", "id"])
    }

    private static func condition(_ idOrSlug: IDOrSlug) -> SQL {
        switch idOrSlug {
        case .id(let id): "id = \(id)"
        case .slug(let slug): "slug = \(slug)"
        }
    }
}
