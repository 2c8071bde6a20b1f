// Reads the change feed: every row change of the read tables, in order and without gaps, for replicas (R32).
import Domain
import Postgres

/// One page of the change feed.
package struct ChangePage: Sendable {
    /// The changes, separated by commas.
    package let documents: [UInt8]
    package let count: Int
    /// Where to continue: the number of the last change, or the requested number when there is none.
    package let next: Int64
    /// The newest publication when the changes were read.
    package let publication: Int64
}

package struct ChangeReads: Sendable {
    /// Maximum number of changes per page.
    package static let size = 500

    let scope: ReadScope
    let connection: StoreConnection

    /// The changes with a greater number, in order. With `rows`, each includes its current row; null when it does not
    /// exist or is not visible in this scope. Numbers are assigned under the lock that a publication holds until it
    /// commits, so no smaller number can appear later.
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

    /// The row of the change `c`, found by its key; only the table it names is queried.
    private static func row(of tables: [ReadTable]) -> String {
        let cases = tables.map { table in
            "when '\(table.name)' then (select \(table.content) from api_v1.\(table.name) t where \(table.hasKey("c.key")))"
        }
        return "case c.read_table \(cases.joined(separator: " ")) end"
    }
}
