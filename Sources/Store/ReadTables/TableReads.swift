// Reads whole read tables page by page: the initial load of a replica.
import Domain
import Postgres

/// One page of read tables.
package struct TablePage: Sendable {
    /// Whether the previous position is part of this history; if not, the page is empty.
    package let history: HistoryStatus
    /// Each is `{"table": …, "key": …, "row": …}`.
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

    /// The rows of these tables, one table after the other, by their key; a page has rows of one table. The tables must be
    /// visible in this scope. A page ends with the row that makes its rows longer than `bytes`. The cursor keeps the position
    /// of the page before, so that all pages of a copy are followed from its first one; a `position` that the client
    /// sends takes precedence.
    package func page(
        _ tables: [ReadTable], since position: ChangePosition?, cursor: String?, bytes: Int = ChangeReads.bytes
    ) async throws -> TablePage {
        var (position, index) = (position, 0)
        var condition: SQL = "true"
        if let cursor {
            let after = try TableCursor(cursor, in: tables)
            position = position ?? after.position
            index = after.index
            condition = after.condition
        }
        guard tables.indices.contains(index) else { throw Cursor.unreadable }
        let table = tables[index]
        let names = table.key.map { "p.\($0.name)" }.joined(separator: ", ")
        let order = table.key.map { "r.\($0.name)" }.joined(separator: ", ")
        let rows = try await connection.rows(
            """
            select n.*, case when p.preceding <= \(fixed: bytes) then json_build_object(
                'table', '\(raw: table.name)', 'key', p.key_text, 'row', p.content) end as document, \(raw: names)
            from \(ChangeReads.newest(seen: position?.seen ?? .none)) n
            left join lateral (
                select r.*, \(ChangeReads.preceding("r.content", by: order)) as preceding
                from (
                    select \(raw: table.keyColumns), \(raw: table.keyText) as key_text, \(raw: table.content) as content
                    from api_v1.\(raw: table.name) t
                    where n.history = 'held' and \(condition)
                    order by \(raw: table.keyColumns) limit \(fixed: Self.size + 1)) r) p on true
            order by \(raw: names)
            """)
        guard let first = rows.first else { throw Failure.missing("read table") }
        let found = try rows.filter { try $0.withBytes("document") { $0 != nil } }
        let reached = ChangePosition(
            change: try position?.change ?? first("change"), seen: try ChangeReads.newest(first))
        var page = try DocumentPage(
            found, cursor: table.key.map(\.name), startingWith: [reached.text, table.name], size: Self.size)
        if page.next == nil, found.count < rows.count, let last = found.last {
            page.continues(at: Cursor(try [reached.text, table.name] + table.key.map { try last($0.name) as String }))
        }
        if page.next == nil, index + 1 < tables.count {
            page.continues(at: Cursor([reached.text, tables[index + 1].name]))
        }
        return TablePage(history: try ChangeReads.history(first), rows: page, position: reached)
    }
}

/// A cursor in tables: the position of the copy, the table, and the key of the last row; without a key before the first row.
private struct TableCursor {
    let position: ChangePosition
    let index: Int
    var condition: SQL = "true"

    init(_ text: String, in tables: [ReadTable]) throws(Failure) {
        let values = try Cursor(parsing: text).values
        guard values.count >= 2, let position = ChangePosition(values[0]),
            let index = tables.firstIndex(where: { $0.name == values[1] })
        else { throw Cursor.unreadable }
        self.position = position
        self.index = index
        let (table, key) = (tables[index], values.dropFirst(2))
        guard !key.isEmpty else { return }
        guard key.count == table.key.count, zip(key, table.key).allSatisfy({ $1.accepts($0) }) else {
            throw Cursor.unreadable
        }
        condition = "(\(raw: table.keyColumns)) > ("
        for (index, (value, column)) in zip(key, table.key).enumerated() {
            condition += "\(raw: index > 0 ? ", " : "")\(value)::text::\(raw: column.type)"
        }
        condition += ")"
    }
}
