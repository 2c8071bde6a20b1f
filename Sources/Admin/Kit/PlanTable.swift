// What a publication would change for readers, by object with its fields; and the rows of the database behind it.
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

    /// What changes of one object, in whatever tables.
    struct Line: Encodable, Sendable {
        /// Such as `Article`.
        let subject: String
        let title: String
        /// What readers see: `New`, `Changed` or `Unpublished`; `Added` and `Removed` if it is no content itself.
        let operation: String
        let tone: String
        let cells: [Cell]
    }

    /// A row of a read table, by its names in the database.
    struct DatabaseRow: Encodable, Sendable {
        let table: String
        let key: String
        let operation: String
        let tone: String
        /// The columns that differ.
        let columns: String
    }

    /// Rows shown; the rest are only counted.
    package static let limit = 200
    private static let maxText = 300
    /// Characters shown before and after what has changed in a rich text.
    private static let context = 60

    let lines: [Line]
    /// How many lines there are, which are more than entries.
    let count: String
    let rows: [DatabaseRow]
    let total: Int
    let shown: Int
    let hidden: Int
    let isCut: Bool
    let inserted: Int
    let updated: Int
    let deleted: Int

    /// The table of a page. Long texts are compared by workers.
    package static func load(_ plan: PublicationPlan, _ request: AdminRequest) async throws -> PlanTable {
        let (types, packs) = (request.context.rules.types, request.database.packs)
        let found = plan.rows.prefix(limit)
        let values = found.flatMap { [$0.before, $0.after].compactMap(\.self) }
        let compared = Content(fields: ["rows": .array(values)])
        let titles = try await request.database.entries.titles(of: Array(PlanLabels.entries(in: found)))
            .filter { !$0.value.isEmpty }
        return try await request.rendering([compared]) { PlanTable(plan, types, packs, titles) }
    }

    package init(
        _ plan: PublicationPlan, _ types: ContentTypes, _ packs: PackSet, _ titles: [ID<Entry>: String] = [:]
    ) {
        let found = plan.rows.prefix(Self.limit)
        lines = Self.lines(found, PlanLabels(plan.rows, types, packs, titles: titles))
        count = tr(
            "\(lines.count, one: "# change", other: "# changes; an entry can have several")", context: "plan")
        rows = found.map(Self.databaseRow)
        total = plan.total
        shown = rows.count
        hidden = plan.total - rows.count
        isCut = hidden > 0
        inserted = plan.inserted
        updated = plan.updated
        deleted = plan.deleted
    }

    private static func operation(of row: RowChange) -> (label: String, tone: String) {
        switch row.operation {
        case "insert": (tr("New", context: "line"), "ok")
        case "delete": (tr("Deleted", context: "line"), "bad")
        default: (tr("Changed", context: "line"), "wait")
        }
    }

    /// What readers see. A category without members is not shown to them, though nobody unpublished it.
    private static func change(of row: RowChange, _ type: ContentType?) -> (label: String, tone: String) {
        let isContent = type.map { $0.kind != .category } ?? false
        return switch row.operation {
        case "insert": (isContent ? tr("New", context: "line") : tr("Added", context: "line"), "ok")
        case "delete": (isContent ? tr("Unpublished", context: "line") : tr("Removed", context: "line"), "bad")
        default: (tr("Changed", context: "line"), "wait")
        }
    }

    private static func databaseRow(_ row: RowChange) -> DatabaseRow {
        let (operation, tone) = Self.operation(of: row)
        let (old, new) = (row.before?.objectValue ?? [:], row.after?.objectValue ?? [:])
        let columns = row.operation == "update" ? names(differingIn: old, new).joined(separator: ", ") : ""
        return DatabaseRow(table: row.table, key: row.key, operation: operation, tone: tone, columns: columns)
    }

    /// One line for each object. Several tables have parts of it, under its key; the first of them says what it is.
    private static func lines(_ rows: ArraySlice<RowChange>, _ labels: PlanLabels) -> [Line] {
        let groups = Dictionary(grouping: rows.filter { labels.subject(of: $0) != nil }, by: \.key)
        var known: Set<String> = []
        return rows.filter { groups[$0.key] != nil && known.insert($0.key).inserted }.compactMap { row in
            guard let parts = groups[row.key], let first = parts.first, let subject = labels.subject(of: first),
                let title = labels.title(of: first)
            else { return nil }
            var cells: [Cell] = []
            for part in parts where first.operation == "update" && part.operation == "update" {
                for cell in Self.cells(part, labels) where !cells.contains(where: { $0.name == cell.name }) {
                    cells.append(cell)
                }
            }
            // What differs may be for the search or the order alone.
            if first.operation == "update" && cells.isEmpty { return nil }
            let (operation, tone) = change(of: first, labels.contentType(of: first))
            return Line(subject: subject, title: title, operation: operation, tone: tone, cells: cells)
        }
    }

    /// The columns that differ, as far as readers see them. The rendered document repeats the other columns, so its
    /// members are shown only if nothing else differs.
    private static func cells(_ row: RowChange, _ labels: PlanLabels) -> [Cell] {
        let type = labels.contentType(of: row)
        let columns = differing(row.before?.objectValue ?? [:], row.after?.objectValue ?? [:], type, labels)
        if !columns.isEmpty { return columns }
        return differing(members(of: row.before?["document"]), members(of: row.after?["document"]), type, labels)
    }

    /// The members of a document and of its fields. The HTML of Markdown says what the Markdown says.
    private static func members(of document: JSONValue?) -> [String: JSONValue] {
        var members = document?.objectValue ?? [:]
        let fields = members.removeValue(forKey: "fields")?.objectValue ?? [:]
        members["html"] = nil
        return members.merging(fields) { own, _ in own }
    }

    private static func names(
        differingIn old: [String: JSONValue], _ new: [String: JSONValue]
    ) -> [String] {
        Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.sorted()
    }

    private static func differing(
        _ old: [String: JSONValue], _ new: [String: JSONValue], _ type: ContentType?, _ labels: PlanLabels
    ) -> [Cell] {
        names(differingIn: old, new).compactMap { name in
            guard let label = labels.label(name, of: type) else { return nil }
            return rich(label, old[name], new[name])
                ?? Cell(
                    name: label, before: labels.text(old[name], of: name).map(cut),
                    after: labels.text(new[name], of: name).map(cut))
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
}
