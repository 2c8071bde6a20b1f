// Reads which rows publications have changed since a position, so that what is kept in memory can be dropped.
import Domain
import Postgres

package struct ChangedRows: Sendable {
    package struct Change: Sendable {
        package let table: String
        /// As in the change feed.
        package let key: String
        package let publication: Int64

        package init(table: String, key: String, publication: Int64) {
            self.table = table
            self.key = key
            self.publication = publication
        }
    }

    /// The newest change and publication that the query saw.
    package let position: ChangePosition
    /// All changes since the given position, in order. Nil if they are unknown: there was no position, it is not part
    /// of this history, or too many rows have changed.
    package let changes: [Change]?

    package init(position: ChangePosition, changes: [Change]?) {
        self.position = position
        self.changes = changes
    }
}

extension ChangeReads {
    /// More changes than this are not listed.
    static let maxListed = 5000

    /// The rows of all tables that have changed since a position, on one snapshot with the newest publication.
    func changedRows(since position: ChangePosition?) async throws -> ChangedRows {
        let last = position?.change ?? Int64.max
        let rows = try await connection.rows(
            """
            select n.*, c.written_by, c.read_table, c.key
            from \(Self.newest(seen: position?.seen ?? .none)) n
            left join lateral (
                select number, publication as written_by, read_table, key from api_v1.change
                where number > \(last)::bigint and n.history = 'held'
                order by number limit \(fixed: Self.maxListed + 1)) c on true
            order by c.number
            """)
        guard let first = rows.first else { throw Failure.missing("publication") }
        let newest = ChangePosition(change: try first("change"), seen: try Self.newest(first))
        guard position != nil, try Self.history(first) == .held, rows.count <= Self.maxListed else {
            return ChangedRows(position: newest, changes: nil)
        }
        var changes: [ChangedRows.Change] = []
        for row in rows {
            // Without a change there is one row, which has only the newest publication.
            guard let publication = try row("written_by") as Int64? else { break }
            changes.append(
                ChangedRows.Change(table: try row("read_table"), key: try row("key"), publication: publication))
        }
        return ChangedRows(position: newest, changes: changes)
    }
}
