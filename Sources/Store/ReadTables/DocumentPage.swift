// One page of stored documents with the cursor of the next page.
import Domain
import Postgres

package struct DocumentPage: Sendable {
    /// Maximum number of documents per page (A25).
    package static let size = 20

    /// The documents, separated by commas: the content of a JSON array.
    package private(set) var documents: [UInt8] = []
    package private(set) var count = 0
    /// The opaque text of a `Cursor`; nil on the last page.
    package private(set) var next: String?

    /// Creates a page from rows with a column `document`; the query requested one row more than `size`. `columns` are
    /// the columns of the order, `prefix` what else the cursor keeps.
    package init(
        _ rows: [Row], cursor columns: [String], startingWith prefix: [String] = [], size: Int = size
    ) throws {
        let shown = rows.prefix(size)
        count = shown.count
        for row in shown { try documents.appendElement(row, "document") }
        if rows.count > size, let last = shown.last {
            next = Cursor(try prefix + columns.map { try last($0) as String }).text
        }
    }

    /// Makes the next page start at this cursor.
    mutating func continues(at cursor: Cursor) { next = cursor.text }

    /// Creates a page of all rows.
    package init(whole rows: [Row]) throws {
        count = rows.count
        for row in rows { try documents.appendElement(row, "document") }
    }

    /// Adds its position in the list to each object as the first member: `{"position":1,…`.
    package init(_ rows: [Row], cursor columns: [String], positionsFrom first: Int64) throws {
        let shown = rows.prefix(Self.size)
        count = shown.count
        for (index, row) in shown.enumerated() {
            if index > 0 { documents.append(UInt8(ascii: ",")) }
            documents.append(contentsOf: "{\"position\":\(first + Int64(index)),".utf8)
            try row.withBytes("document") {
                documents.append(contentsOf: ($0 ?? .init(start: nil, count: 0)).dropFirst())
            }
        }
        if rows.count > Self.size, let last = shown.last {
            let position = String(first + Int64(shown.count))
            next = Cursor(try columns.map { try last($0) as String } + [position]).text
        }
    }

    /// Search hits, each with its highlights as first member.
    package init(hits rows: [Row], cursor columns: [String]) throws {
        try self.init(rows, cursor: columns) { row in "\"highlights\":\(try row("highlights") as String)," }
    }

    /// Adds members before those of each object. Without `columns`, shows all rows.
    package init(_ rows: [Row], cursor columns: [String], members: (Row) throws -> String) throws {
        let shown = columns.isEmpty ? rows[...] : rows.prefix(Self.size)
        count = shown.count
        for row in shown {
            if !documents.isEmpty { documents.append(UInt8(ascii: ",")) }
            documents.append(UInt8(ascii: "{"))
            documents.append(contentsOf: try members(row).utf8)
            try row.withBytes("document") {
                documents.append(contentsOf: ($0 ?? .init(start: nil, count: 0)).dropFirst())
            }
        }
        if rows.count > shown.count, let last = shown.last {
            next = Cursor(try columns.map { try last($0) as String }).text
        }
    }
}

extension StoreConnection {
    /// A page of what a statement selects, with the columns `document`, `age` and `id`: the newest first.
    package func newestDocuments(_ statement: SQL, cursor: String?) async throws -> DocumentPage {
        var statement = statement
        if let cursor {
            let position = try Cursor(parsing: cursor, count: 2)
            statement += " and (age, id) > (\(try position.integer(0))::bigint, \(try position.uuid(1))::uuid)"
        }
        statement += " order by age, id limit \(fixed: DocumentPage.size + 1)"
        return try DocumentPage(try await rows(statement), cursor: ["age", "id"])
    }
}

extension [UInt8] {
    /// Appends a column's JSON text, after a comma unless it is the first.
    mutating func appendElement(_ row: Row, _ column: String) throws {
        if !isEmpty { append(UInt8(ascii: ",")) }
        try row.withBytes(column) { if let bytes = $0 { append(contentsOf: bytes) } }
    }
}
