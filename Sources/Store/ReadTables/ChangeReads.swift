// What changed in the read tables, row by row, in order and without a gap: for whoever keeps a copy (R32).
import Domain
import Postgres

/// A piece of the log of changes.
package struct ChangePage: Sendable {
    /// The changes with commas between them.
    package let documents: [UInt8]
    package let count: Int
    /// From where to go on: the number of the last change given, or what was asked with where there is none.
    package let next: Int64
    /// The newest publication there was when the changes were read.
    package let publication: Int64
}

package struct ChangeReads: Sendable {
    /// At most this many changes come at once.
    package static let size = 500

    let scope: ReadScope
    let connection: StoreConnection

    /// The changes with a greater number, in order; with `rows` each with its row as it is now, null where there is none or
    /// it is not for these eyes. Numbers are given under the lock that a publication holds until it
    /// commits, so none can turn up later with a smaller number.
    package func page(since number: Int64, rows withRows: Bool = false) async throws -> ChangePage {
        let row = withRows ? ", 'row', \(Self.row(of: ReadTable.visible(to: scope)))" : ""
        let rows = try await connection.rows(
            """
            select p.number as publication, c.number, c.document
            from (select coalesce(max(number), 0) as number from api_v1.publication) p
            left join lateral (
                select number, json_build_object('number', number, 'publication', publication, 'table', read_table,
                    'key', key, 'operation', operation\(raw: row)) as document
                from api_v1.change c where number > \(number)::bigint
                order by number limit \(fixed: Self.size)) c on true
            order by c.number
            """)
        var documents: [UInt8] = []
        var count = 0
        var last = number
        var publication: Int64 = 0
        for row in rows {
            publication = try row("publication")
            guard let change = try row("number") as Int64? else { break }
            try documents.appendElement(row, "document")
            count += 1
            last = change
        }
        return ChangePage(documents: documents, count: count, next: last, publication: publication)
    }

    /// The row that the change `c` is about, found by its key: only the table that it names is asked.
    private static func row(of tables: [ReadTable]) -> String {
        let cases = tables.map { table in
            "when '\(table.name)' then (select \(table.content) from api_v1.\(table.name) t where \(table.hasKey("c.key")))"
        }
        return "case c.read_table \(cases.joined(separator: " ")) end"
    }
}
