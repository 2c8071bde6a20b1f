// Reads the change feed: every row change of the read tables that a client may see, in order, for replicas (R32).
import Domain
import Postgres

/// One page of the change feed.
package struct ChangePage: Sendable {
    /// Whether the position is part of this history; if not, the page is empty.
    package let history: HistoryStatus
    /// The changes, separated by commas.
    package let documents: [UInt8]
    package let count: Int
    /// Where to continue: after the last change of this page, having seen the newest publication.
    package let next: ChangePosition
    /// Whether that is the newest change.
    package let isUpToDate: Bool
}

package struct ChangeReads: Sendable {
    /// Maximum number of changes per page.
    package static let size = 500
    /// A page ends with the row that makes its rows longer than this.
    package static let bytes = 2 << 20
    /// Maximum number of changes that are read for a page: those of other tables may be many more.
    static let span: Int64 = 100_000

    let scope: ReadScope
    let connection: StoreConnection

    /// The changes with a greater number, in order, of all tables that this scope may see, or of these; never of packs
    /// that are off. With `rows`, each includes its current row, or null. Numbers are assigned without gaps under the
    /// lock that a publication holds until it commits, so no smaller number can appear later.
    package func page(
        since position: ChangePosition, of tables: [ReadTable]? = nil, rows withRows: Bool = false,
        span: Int64 = Self.span, bytes: Int = Self.bytes
    ) async throws -> ChangePage {
        let visible = tables ?? connection.packs.readTables(visibleTo: scope)
        let content = withRows ? Self.row(of: visible) : "null::json"
        let row = withRows ? ", 'row', c.content" : ""
        let (last, overflows) = position.change.addingReportingOverflow(span)
        let end = overflows ? Int64.max : last
        let names = visible.map(\.name)
        let rows = try await connection.rows(
            """
            select n.*, c.number, case when c.preceding <= \(fixed: bytes) then json_build_object(
                'number', c.number, 'publication', c.publication, 'table', c.read_table, 'key', c.key,
                'operation', c.operation\(raw: row)) end as document
            from \(Self.newest(seen: position.seen)) n
            left join lateral (
                select r.*, \(Self.preceding("r.content", by: "r.number")) as preceding
                from (
                    select number, publication, read_table, key, operation, \(raw: content) as content
                    from api_v1.change c where number > \(position.change)::bigint and number <= \(end)::bigint
                        and read_table = any(\(names)::text[]) and n.history = 'held'
                    order by number limit \(fixed: Self.size)) r) c on true
            order by c.number
            """)
        guard let first = rows.first else { throw Failure.missing("publication") }
        var documents: [UInt8] = []
        var count = 0
        var (reached, isFull) = (position.change, false)
        for row in rows {
            guard let change = try row("number") as Int64? else { break }
            isFull = try row.withBytes("document") { $0 == nil }
            if isFull { break }
            try documents.appendElement(row, "document")
            count += 1
            reached = change
        }
        let newest: Int64 = try first("change")
        if count < Self.size, !isFull { reached = max(reached, min(newest, end)) }
        return ChangePage(
            history: try Self.history(first), documents: documents, count: count,
            next: ChangePosition(change: reached, seen: try Self.newest(first)), isUpToDate: reached >= newest)
    }

    /// How many bytes this JSON of all rows before has, in their order. Long JSON is stored outside of its row: that of rows
    /// which don't fit is read, but neither copied nor sent.
    static func preceding(_ json: String, by order: String) -> SQL {
        """
        coalesce(sum(octet_length(\(raw: json)::text)) over (
            order by \(raw: order) rows between unbounded preceding and 1 preceding), 0)
        """
    }

    /// A row with the newest publication and change, and the history status of the publication that a client has seen.
    static func newest(seen: TaggedNumber) -> SQL {
        """
        (select p.publication, p.tag, coalesce((select max(number) from api_v1.change), 0) as change,
            \(PublicationReads.history(of: seen)) as history
        from (select) one left join lateral (
            select number as publication, tag from api_v1.publication order by number desc limit 1) p on true)
        """
    }

    static func newest(_ row: Row) throws -> TaggedNumber {
        guard let number = try row("publication") as Int64? else { return .none }
        return TaggedNumber(number: number, tag: try row("tag"))
    }

    static func history(_ row: Row) throws -> HistoryStatus {
        HistoryStatus(rawValue: try row("history")) ?? .changed
    }

    /// The row of the change `c`, found by its key; only the table it names is queried.
    private static func row(of tables: [ReadTable]) -> String {
        let cases = tables.map { table in
            "when '\(table.name)' then (select \(table.content) from api_v1.\(table.name) t where \(table.hasKey("c.key")))"
        }
        return "case c.read_table \(cases.joined(separator: " ")) end"
    }
}
