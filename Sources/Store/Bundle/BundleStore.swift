// Reads a bundle's records out of a database, a few at a time, so that its size does not matter.
import Domain
import Postgres

package struct BundleStore: Sendable {
    let connection: StoreConnection

    /// Bytes that one step should bring; how many rows that are follows from the rows before.
    private static let stepBytes = 1 << 20

    /// The newest migration that made this database.
    package func schemaName() async throws -> String {
        try await connection.first("select max(name) as name from vitrine.migration") { try $0("name") } ?? ""
    }

    /// Hands out every row of a table as JSON, in the order of its key. Called on a snapshot.
    package func rows(
        of table: BundleTable, _ body: @Sendable (JSONValue) async throws -> Void
    ) async throws {
        // The text of an instant follows the session.
        try await connection.run("set local timezone to 'UTC'")
        let columns = try await self.columns(of: table)
        try await connection.run(
            """
            declare bundle no scroll cursor for
            select \(raw: Self.object(of: columns)) as row from \(raw: table.table) t
            where \(raw: table.rows) order by \(raw: table.order)
            """)
        var count = 100
        while true {
            let rows: [String] = try await connection.rows("fetch \(fixed: count) from bundle") { try $0("row") }
            var bytes = 0
            for row in rows {
                bytes += row.utf8.count
                try await body(try JSONValue(parsing: Array(row.utf8), maxDepth: 128))
            }
            guard rows.count == count else { break }
            count = min(max(count * Self.stepBytes / max(bytes, 1), 1), 2000)
        }
        try await connection.run("close bundle")
    }

    struct Column: Sendable {
        let name: String
        let type: String
    }

    /// The columns that a table's records have.
    func columns(of table: BundleTable) async throws -> [Column] {
        let all = try await connection.rows(
            """
            select attname as name, format_type(atttypid, null) as type from pg_attribute
            where attrelid = \(table.table)::text::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum
            """
        ) { Column(name: try $0("name"), type: try $0("type")) }
        return all.filter { column in
            table.columns?.contains(column.name) ?? !table.without.contains(column.name)
        }
    }

    /// A row as a JSON object. Numbers of any length are written as text, for programs that read numbers as Double.
    private static func object(of columns: [Column]) -> String {
        let members = columns.map { "'\($0.name)', t.\($0.name)\($0.type == "numeric" ? "::text" : "")" }
        // A function takes a hundred arguments at most.
        let parts = stride(from: 0, to: members.count, by: 40).map { start in
            "jsonb_build_object(\(members[start..<min(start + 40, members.count)].joined(separator: ", ")))"
        }
        return "(\(parts.joined(separator: " || ")))::text"
    }
}
