// The rows that a publication would insert, update and delete, as a table with changed fields.
import Diff
import Domain
import Localization
import Markup
import Store

package struct PlanTable: Encodable, Sendable {
    struct Cell: Encodable, Sendable {
        let name: String
        var before: String?
        var after: String?
        /// The words of a rich text, instead.
        var runs: [Run]?
        /// Readers see the same words.
        var isFormat = false
    }

    struct Run: Encodable, Sendable {
        let text: String
        let isAdded: Bool
        let isRemoved: Bool
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
    /// Characters shown before and after what has changed in a rich text.
    private static let context = 60

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
        let columns = differing(row.before?.objectValue ?? [:], row.after?.objectValue ?? [:]).filter {
            $0.name != "document"
        }
        if !columns.isEmpty { return columns }
        return differing(members(of: row.before?["document"]), members(of: row.after?["document"]))
    }

    /// The members of a document and of its fields. The HTML of Markdown says what the Markdown says.
    private static func members(of document: JSONValue?) -> [String: JSONValue] {
        var members = document?.objectValue ?? [:]
        let fields = members.removeValue(forKey: "fields")?.objectValue ?? [:]
        members["html"] = nil
        return members.merging(fields) { own, _ in own }
    }

    private static func differing(_ old: [String: JSONValue], _ new: [String: JSONValue]) -> [Cell] {
        Set(old.keys).union(new.keys).sorted().filter { old[$0] != new[$0] }.map { name in
            rich(name, old[name], new[name]) ?? Cell(name: name, before: text(old[name]), after: text(new[name]))
        }
    }

    /// Nil for what is not rich text.
    private static func rich(_ name: String, _ old: JSONValue?, _ new: JSONValue?) -> Cell? {
        guard isRich(old) || isRich(new), let before = words(old), let after = words(new) else { return nil }
        let runs = TextDiff.runs(from: before, to: after)
        let shown = runs.enumerated().map { index, run in
            Run(
                text: run.kind == .kept ? shortened(run.text, index > 0, index < runs.count - 1) : cut(run.text),
                isAdded: run.kind == .added, isRemoved: run.kind == .removed)
        }
        return Cell(name: name, runs: shown, isFormat: before == after)
    }

    /// Stored rich text begins with an element.
    private static func isRich(_ value: JSONValue?) -> Bool { value?.stringValue?.hasPrefix("<") ?? false }

    /// Nil for what is neither a text nor missing.
    private static func words(_ value: JSONValue?) -> String? {
        guard let value, value != .null else { return "" }
        return value.stringValue.flatMap { try? HTMLSanitizer.plainText($0) }
    }

    /// The end and the beginning of a text, as far as something beside it has changed.
    private static func shortened(_ text: String, _ isAfter: Bool, _ isBefore: Bool) -> String {
        if text.count <= 2 * context { return text }
        if isAfter && isBefore { return "\(text.prefix(context)) … \(text.suffix(context))" }
        return isBefore ? "… \(text.suffix(context))" : "\(text.prefix(context)) …"
    }

    private static func cut(_ text: String) -> String { text.count > maxText ? text.prefix(maxText) + "…" : text }

    private static func text(_ value: JSONValue?) -> String? {
        guard let value, value != .null else { return nil }
        return cut(value.stringValue ?? value.canonicalText)
    }
}
