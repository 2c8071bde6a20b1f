// The rows that a publication would insert, update and delete, as a table with changed fields.
import Domain
import Localization
import Store

package struct PlanTable: Encodable, Sendable {
    struct Cell: Encodable, Sendable {
        let name: String
        let before: String?
        let after: String?
    }

    struct Line: Encodable, Sendable {
        let table: String
        /// Its title or name, or its key if it has none.
        let title: String
        let key: String
        /// `New`, `Changed` or `Deleted`
        let operation: String
        let tone: String
        let cells: [Cell]
    }

    /// Rows shown; the rest are only counted.
    package static let limit = 200
    private static let maxText = 300

    let lines: [Line]
    let total: Int
    let shown: Int
    let hidden: Int
    let isCut: Bool
    let inserted: Int
    let updated: Int
    let deleted: Int

    package init(_ plan: PublicationPlan) {
        let rows = plan.rows
        // Rows of one object share its key, and only some of them contain its name.
        let names = Dictionary(
            rows.compactMap { row in Self.name(of: row).map { (row.key, $0) } }, uniquingKeysWith: { first, _ in first }
        )
        lines = rows.prefix(Self.limit).map { Self.line($0, name: names[$0.key]) }
        total = plan.total
        shown = lines.count
        hidden = plan.total - lines.count
        isCut = hidden > 0
        inserted = plan.inserted
        updated = plan.updated
        deleted = plan.deleted
    }

    private static func name(of row: RowChange) -> String? {
        ["title", "name", "slug"].lazy.compactMap { (row.after ?? row.before)?[$0]?.stringValue }.first
    }

    private static func line(_ row: RowChange, name: String?) -> Line {
        let (operation, tone) =
            switch row.operation {
            case "insert": (tr("New", context: "line"), "ok")
            case "delete": (tr("Deleted", context: "line"), "bad")
            default: (tr("Changed", context: "line"), "wait")
            }
        return Line(
            table: row.table, title: name ?? row.key, key: row.key, operation: operation, tone: tone,
            cells: row.operation == "update" ? cells(row) : [])
    }

    /// The columns that differ. The rendered document repeats the other columns, so its members are shown only if nothing
    /// else differs.
    private static func cells(_ row: RowChange) -> [Cell] {
        let columns = differing(row.before, row.after).filter { $0.name != "document" }
        if !columns.isEmpty { return columns }
        return differing(row.before?["document"], row.after?["document"])
    }

    private static func differing(_ before: JSONValue?, _ after: JSONValue?) -> [Cell] {
        let (old, new) = (before?.objectValue ?? [:], after?.objectValue ?? [:])
        return Set(old.keys).union(new.keys).sorted().filter { old[$0] != new[$0] }.map { name in
            Cell(name: name, before: text(old[name]), after: text(new[name]))
        }
    }

    private static func text(_ value: JSONValue?) -> String? {
        guard let value, value != .null else { return nil }
        let text = value.stringValue ?? value.canonicalText
        return text.count > maxText ? text.prefix(maxText) + "…" : text
    }
}
