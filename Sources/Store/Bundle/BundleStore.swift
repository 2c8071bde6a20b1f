// Reads the records of a bundle from a database in batches, so that memory use does not depend on its size.
import Domain
import Postgres

/// Packs that are off, and what the database has of them.
package struct DisabledContent: Sendable {
    package let packs: [String]
    /// Tables with rows, and kinds of entries.
    package let found: [String]
}

package struct BundleStore: Sendable {
    let connection: StoreConnection

    /// Target size of a batch; the number of rows is estimated from the previous batch.
    private static let batchBytes = 1 << 20

    /// The migration of the core and the enabled packs that was applied last.
    package func schemaName() async throws -> String {
        try await connection.first(
            """
            select name from vitrine.migration where split_part(name, '/', 1) = any(\(enabled)::text[])
            order by applied_at desc, name desc limit 1
            """
        ) { try $0("name") } ?? ""
    }

    private var enabled: [String] { connection.packs.all.map(\.name) }

    /// What the database has of packs that were enabled once and are off now: no bundle would contain it. Nil if it has
    /// nothing.
    package func disabledContent() async throws -> DisabledContent? {
        let names: [String] = try await connection.rows(
            """
            select distinct split_part(name, '/', 1) as name from vitrine.migration
            where split_part(name, '/', 1) <> all(\(enabled)::text[]) order by name
            """
        ) { try $0("name") }
        if names.isEmpty { return nil }
        let known = connection.packs.bundleTables.map(\.table) + connection.packs.bundleExclusions.keys
        let tables: [String] = try await connection.rows(
            """
            select format('%I.%I', schemaname, tablename) as name from pg_tables
            where schemaname = 'curation' and schemaname || '.' || tablename <> all(\(known)::text[]) order by name
            """
        ) { try $0("name") }
        var found: [String] = []
        for table in tables {
            let filled = try await connection.first("select from \(raw: table) limit 1") { _ in table }
            if let filled { found.append(filled) }
        }
        let served = connection.packs.kinds.map(\.rawValue)
        let kinds: [String] = try await connection.rows(
            """
            select distinct t.kind as name from curation.content_type t
            where t.kind <> all(\(served)::text[])
              and exists (select from curation.entry e where e.type = t.name) order by name
            """
        ) { try $0("name") }
        found += kinds.map { "entries of the kind \($0)" }
        return found.isEmpty ? nil : DisabledContent(packs: names, found: found)
    }

    /// Passes every row of a table to `body` as JSON, ordered by its key. Called on a snapshot.
    package func rows(
        of table: BundleTable, _ body: @Sendable (JSONValue) async throws -> Void
    ) async throws {
        // The text of timestamps depends on the session.
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
                try await body(try JSONValue(stored: Array(row.utf8)))
            }
            guard rows.count == count else { break }
            count = min(max(count * Self.batchBytes / max(bytes, 1), 1), 2000)
        }
        try await connection.run("close bundle")
    }

    struct Column: Sendable {
        let name: String
        let type: String
    }

    /// The columns of the records of a table.
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
