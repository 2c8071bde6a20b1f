// The curated lists: by owner, by subject, one by one, and what each of them holds (D10, D13, D14, D28).
import Domain
import Postgres

/// The order in which the items of a list are read.
package enum ListSort: String, Sendable, CaseIterable {
    /// As the curator put them.
    case position
    /// The newest first.
    case date
    /// By title, as people sort.
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
    /// The opaque reference of whose lists they are.
    package var owner: String?
    /// The thing of a catalog that they are about.
    package var subject: ID<Entry>?

    package init() {}
}

package struct ListReads: Sendable {
    let connection: StoreConnection

    /// The lists whose content changed last come first.
    package func page(_ filter: ListReadFilter, cursor: String?) async throws -> DocumentPage {
        var statement: SQL = "select document, age, id from api_v1.list where true"
        if let owner = filter.owner { statement += " and owner = \(owner)" }
        if let subject = filter.subject { statement += " and subject_id = \(subject)" }
        if let cursor {
            let place = try Cursor(parsing: cursor, count: 2)
            statement += " and (age, id) > (\(try place.integer(0))::bigint, \(try place.uuid(1))::uuid)"
        }
        statement += " order by age, id limit \(fixed: DocumentPage.size + 1)"
        return try DocumentPage(try await connection.rows(statement), cursor: ["age", "id"])
    }

    package func find(_ address: IDOrSlug) async throws -> [UInt8]? {
        try await connection.first("select document from api_v1.list where \(Self.condition(address))") {
            try $0.bytes("document")
        }
    }

    /// The title and then each item's title, a line each. The same version and order are the same bytes.
    package func text(_ address: IDOrSlug, sort: ListSort) async throws -> [UInt8]? {
        // The curator's order is written when the list is published.
        let statement: SQL =
            sort == .position
            ? "select text from api_v1.list where \(Self.condition(address))"
            : """
            select l.title || E'\\n' || (
                select coalesce(string_agg(i.title || E'\\n', '' order by i.\(raw: sort.column), i.id), '')
                from api_v1.list_item i where i.list_id = l.id) as text
            from api_v1.list l where \(Self.condition(address))
            """
        return try await connection.first(statement) { try $0.bytes("text") }
    }

    /// Items in one of the orders, ties by id; of no such list, none.
    package func items(of list: IDOrSlug, sort: ListSort, cursor: String?) async throws -> DocumentPage {
        var statement: SQL = """
            select i.document, '\(raw: sort.rawValue)' as sort, i.\(raw: sort.column) as place, i.id
            from api_v1.list_item i where i.list_id =
            """
        switch list {
        case .id(let id): statement += " \(id)"
        case .slug(let slug): statement += " (select l.id from api_v1.list l where l.slug = \(slug))"
        }
        if let cursor {
            let place = try Cursor(parsing: cursor, count: 3)
            // A place in one order is none in another.
            guard place.values[0] == sort.rawValue else { throw RankedPosition.unreadable }
            let value: SQL = sort == .title ? "\(place.values[1])" : "\(try place.integer(1))::bigint"
            statement += " and (i.\(raw: sort.column), i.id) > (\(value), \(try place.uuid(2))::uuid)"
        }
        statement += " order by i.\(raw: sort.column), i.id limit \(fixed: DocumentPage.size + 1)"
        return try DocumentPage(try await connection.rows(statement), cursor: ["sort", "place", "id"])
    }

    private static func condition(_ address: IDOrSlug) -> SQL {
        switch address {
        case .id(let id): "id = \(id)"
        case .slug(let slug): "slug = \(slug)"
        }
    }
}
