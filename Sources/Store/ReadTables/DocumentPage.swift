// One page of stored documents, and where the next one begins.
import Domain
import Postgres

package struct DocumentPage: Sendable {
    /// At most this many documents come at once (A25).
    package static let size = 20

    /// The documents with commas between them: what stands inside the brackets of a JSON array.
    package private(set) var documents: [UInt8] = []
    package private(set) var count = 0
    /// The opaque text of a `Cursor`; nil on the last page.
    package private(set) var next: String?

    /// Makes a page from rows with a column `document`, of which one more than `size` was asked for. `columns` are
    /// those that the order is made of.
    init(_ rows: [Row], cursor columns: [String], size: Int = size) throws {
        let shown = rows.prefix(size)
        count = shown.count
        for row in shown { try documents.appendElement(row, "document") }
        if rows.count > size, let last = shown.last {
            next = Cursor(try columns.map { try last($0) as String }).text
        }
    }

    /// Makes a page of all rows.
    init(whole rows: [Row]) throws {
        count = rows.count
        for row in rows { try documents.appendElement(row, "document") }
    }

    /// Each object gets its place in the list as its first member: `{"position":1,…`.
    init(_ rows: [Row], cursor columns: [String], positionsFrom first: Int64) throws {
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

    /// Places, each with its distance (where there is an origin) and its promotion as its first members.
    init(places rows: [Row], cursor columns: [String]) throws {
        try self.init(rows, cursor: columns) { row in
            "\(try Self.distance(row))\"promotion\":\(try row("promotion") as String? ?? "null"),"
        }
    }

    /// Promotions, each with its distance (where there is an origin) and its state as its first members.
    init(promotions rows: [Row], cursor columns: [String]) throws {
        try self.init(rows, cursor: columns) { row in "\(try Self.distance(row))\(try row("state") as String)," }
    }

    /// Hits of a search, each with where it was found as its first member.
    init(hits rows: [Row], cursor columns: [String]) throws {
        try self.init(rows, cursor: columns) { row in "\"highlights\":\(try row("marked") as String)," }
    }

    /// In whole meters.
    private static func distance(_ row: Row) throws -> String {
        guard let chord = try row("chord") as Double? else { return "" }
        return "\"distance\":\(Int64(GeoVector.metres(ofChord: chord).rounded())),"
    }

    /// Each object gets more members before its own. Without `columns` all rows are shown.
    private init(_ rows: [Row], cursor columns: [String], members: (Row) throws -> String) throws {
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

extension [UInt8] {
    /// Appends a column's JSON text, after a comma unless it is the first.
    mutating func appendElement(_ row: Row, _ column: String) throws {
        if !isEmpty { append(UInt8(ascii: ",")) }
        try row.withBytes(column) { if let bytes = $0 { append(contentsOf: bytes) } }
    }
}
