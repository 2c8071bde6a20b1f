// Reads whole read tables page by page: the initial load of a replica.
import Domain
import Postgres

/// One page of a read table.
package struct TablePage: Sendable {
    /// Each is `{"key": …, "row": …}`.
    package let rows: DocumentPage
    /// The newest change when these rows were read: a replica follows the changes from that of its first page.
    package let change: Int64
    package let publication: Int64
}

package struct TableReads: Sendable {
    /// Maximum number of rows per page.
    package static let size = 500

    let scope: ReadScope
    let connection: StoreConnection

    /// The rows by their key. `table` must be visible in this scope.
    package func page(_ table: ReadTable, cursor: String?) async throws -> TablePage {
        var condition: SQL = "true"
        if let cursor {
            let values = try Cursor(parsing: cursor, count: table.key.count).values
            condition = "(\(raw: table.keyColumns)) > ("
            for (index, (value, column)) in zip(values, table.key).enumerated() {
                guard column.accepts(value) else { throw RankedCursor.unreadable }
                condition += "\(raw: index > 0 ? ", " : "")\(value)::text::\(raw: column.type)"
            }
            condition += ")"
        }
        let names = table.key.map { "p.\($0.name)" }.joined(separator: ", ")
        let rows = try await connection.rows(
            """
            select n.change, n.publication, p.document, \(raw: names)
            from (select (select coalesce(max(number), 0) from api_v1.change) as change,
                (select coalesce(max(number), 0) from api_v1.publication) as publication) n
            left join lateral (
                select \(raw: table.keyColumns),
                    json_build_object('key', \(raw: table.keyText), 'row', \(raw: table.content)) as document
                from api_v1.\(raw: table.name) t where \(condition)
                order by \(raw: table.keyColumns) limit \(fixed: Self.size + 1)) p on true
            order by \(raw: names)
            """)
        guard let first = rows.first else { throw Failure.missing("read table") }
        let found = try rows.filter { try $0("document") as String? != nil }
        return TablePage(
            rows: try DocumentPage(found, cursor: table.key.map(\.name), size: Self.size),
            change: try first("change"), publication: try first("publication"))
    }
}
