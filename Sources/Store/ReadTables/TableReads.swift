// Reads whole read tables page by page: the initial load of a replica.
import Domain
import Postgres

/// One page of a read table.
package struct TablePage: Sendable {
    /// Whether the previous position is part of this history; if not, the page is empty.
    package let history: HistoryStatus
    /// Each is `{"key": …, "row": …}`.
    package let rows: DocumentPage
    /// Where a replica that has read all pages so far follows the changes: after the newest change of its first page,
    /// having seen the newest publication.
    package let position: ChangePosition
}

package struct TableReads: Sendable {
    /// Maximum number of rows per page.
    package static let size = 500

    let scope: ReadScope
    let connection: StoreConnection

    /// The rows by their key. `table` must be visible in this scope. The cursor keeps the position of the page before, so
    /// that all pages of a copy are followed from its first one; a `position` that the client sends takes precedence.
    package func page(
        _ table: ReadTable, since position: ChangePosition?, cursor: String?
    ) async throws -> TablePage {
        var position = position
        var condition: SQL = "true"
        if let cursor {
            let values = try Cursor(parsing: cursor, count: table.key.count + 1).values
            guard let carried = ChangePosition(values[0]) else { throw Cursor.unreadable }
            position = position ?? carried
            condition = "(\(raw: table.keyColumns)) > ("
            for (index, (value, column)) in zip(values.dropFirst(), table.key).enumerated() {
                guard column.accepts(value) else { throw Cursor.unreadable }
                condition += "\(raw: index > 0 ? ", " : "")\(value)::text::\(raw: column.type)"
            }
            condition += ")"
        }
        let names = table.key.map { "p.\($0.name)" }.joined(separator: ", ")
        let rows = try await connection.rows(
            """
            select n.*, p.document, \(raw: names)
            from \(ChangeReads.newest(seen: position?.seen ?? .none)) n
            left join lateral (
                select \(raw: table.keyColumns),
                    json_build_object('key', \(raw: table.keyText), 'row', \(raw: table.content)) as document
                from api_v1.\(raw: table.name) t
                where n.history = 'held' and \(condition)
                order by \(raw: table.keyColumns) limit \(fixed: Self.size + 1)) p on true
            order by \(raw: names)
            """)
        guard let first = rows.first else { throw Failure.missing("read table") }
        let found = try rows.filter { try $0("document") as String? != nil }
        let reached = ChangePosition(
            change: try position?.change ?? first("change"), seen: try ChangeReads.newest(first))
        return TablePage(
            history: try ChangeReads.history(first),
            rows: try DocumentPage(
                found, cursor: table.key.map(\.name), startingWith: [reached.text], size: Self.size),
            position: reached)
    }
}
