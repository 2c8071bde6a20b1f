// Adds to the stored documents of places and promotions what depends on the reader and the time.
import Domain
import Postgres
import Store

extension DocumentPage {
    /// Places, each with its distance (when there is an origin) and its promotion as first members.
    init(places rows: [Row], cursor columns: [String]) throws {
        try self.init(rows, cursor: columns) { row in
            "\(try Self.distance(row))\"promotion\":\(try row("promotion") as String? ?? "null"),"
        }
    }

    /// Promotions, each with its distance (when there is an origin) and its state as first members.
    init(promotions rows: [Row], cursor columns: [String]) throws {
        try self.init(rows, cursor: columns) { row in "\(try Self.distance(row))\(try row("state") as String)," }
    }

    /// In whole meters.
    private static func distance(_ row: Row) throws -> String {
        guard let chord = try row("chord") as Double? else { return "" }
        return "\"distance\":\(Int64(GeoVector.meters(ofChord: chord).rounded())),"
    }
}
