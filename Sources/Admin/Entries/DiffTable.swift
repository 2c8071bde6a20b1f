// The differences of two versions, field by field: text with its changes marked, rich text as it is shown, images side by side.
import Diff
import Domain
import Localization
import Markup
import Store

struct DiffTable: Encodable, Sendable {
    struct Run: Encodable, Sendable {
        let text: String
        let isAdded: Bool
        let isRemoved: Bool

        init(text: String, isAdded: Bool, isRemoved: Bool) {
            self.text = text
            self.isAdded = isAdded
            self.isRemoved = isRemoved
        }

        init(_ run: TextRun) {
            self.init(text: run.text, isAdded: run.kind == .added, isRemoved: run.kind == .removed)
        }
    }

    /// At most one kind of difference is set.
    struct Line: Encodable, Sendable {
        let label: String
        private(set) var runs: [Run]?
        private(set) var rich: RichDiff?
        private(set) var images: ImageDiff?
        private(set) var rows: [Row]?
    }

    /// A row that is new, removed, or has changed fields.
    struct Row: Encodable, Sendable {
        let label: String
        let state: String
        let tone: String
        let lines: [Line]
    }

    /// What names references and decides about the images of a comparison.
    struct Context: Sendable {
        let titles: EntryTitles
        let images: ContentImages
    }

    let from: Int
    let to: Int
    let lines: [Line]
    /// The labels of the unchanged fields.
    let unchanged: String

    init(from old: RevisionRow, to new: RevisionRow, _ type: ContentType, _ context: Context) {
        from = old.number
        to = new.number
        lines = Self.lines(from: old.content, to: new.content, type, context)
        unchanged = Self.unchanged(from: old.content, to: new.content, type)
    }

    /// The labels of the fields that both have and that are the same.
    static func unchanged(from old: Content, to new: Content, _ type: ContentType) -> String {
        type.fields.filter { field in
            new.fields[field.name] != nil && old.fields[field.name] == new.fields[field.name]
        }.map(\.label).joined(separator: ", ")
    }

    static func lines(from old: Content, to new: Content, _ type: ContentType, _ context: Context) -> [Line] {
        lines(type.fields, old.fields, new.fields, context)
    }

    private static func lines(
        _ fields: [Field], _ old: [String: JSONValue], _ new: [String: JSONValue], _ context: Context
    ) -> [Line] {
        fields.filter { old[$0.name] != new[$0.name] }.map { Line($0, old[$0.name], new[$0.name], context) }
    }

    /// The rows that are the same keep their order; those between them change one into the other.
    fileprivate static func rows(
        _ field: Field, _ old: [JSONValue], _ new: [JSONValue], _ context: Context
    ) -> [Row] {
        var numbers: [String: Int32] = [:]
        func number(_ row: JSONValue) -> Int32 {
            let text = row.canonicalText
            if let known = numbers[text] { return known }
            numbers[text] = Int32(numbers.count)
            return Int32(numbers.count - 1)
        }
        let steps = ShortestEdit.steps(from: old.map(number), to: new.map(number), patience: TextDiff.patience)
        var rows: [Row] = []
        var (removed, added): ([Int], [Int]) =
            steps == nil ? (Array(old.indices), Array(new.indices)) : ([], [])
        func close() {
            for index in 0..<max(removed.count, added.count) {
                let before = index < removed.count ? removed[index] : nil
                let after = index < added.count ? added[index] : nil
                rows.append(
                    row(field, before.map { old[$0] }, after.map { new[$0] }, (after ?? before ?? 0) + 1, context))
            }
            (removed, added) = ([], [])
        }
        for step in steps ?? [] {
            switch step {
            case .keep: close()
            case .remove(let index): removed.append(index)
            case .add(let index): added.append(index)
            }
        }
        close()
        return rows
    }

    private static func row(
        _ field: Field, _ old: JSONValue?, _ new: JSONValue?, _ number: Int, _ context: Context
    ) -> Row {
        let name = field.rowLabel.isEmpty ? tr("Row", context: "diff") : field.rowLabel
        let (state, tone) =
            old == nil
            ? (tr("Added", context: "diff"), "ok")
            : new == nil ? (tr("Removed", context: "diff"), "bad") : (tr("Changed", context: "diff"), "wait")
        let language = field.fields.first { $0.type == .locale }.flatMap { (new ?? old)?[$0.name]?.stringValue }
        return Row(
            label: "\(name) \(number)" + (language.map { " · \(LanguageName.of($0))" } ?? ""), state: state, tone: tone,
            lines: lines(field.fields, old?.objectValue ?? [:], new?.objectValue ?? [:], context))
    }
}

extension DiffTable.Line {
    init(_ field: Field, _ old: JSONValue?, _ new: JSONValue?, _ context: DiffTable.Context) {
        label = field.label
        switch field.type {
        case .richText, .markdown: rich = RichDiff(field, old, new, context.images)
        case .image: images = ImageDiff(old, new, context.images)
        case .rows: rows = DiffTable.rows(field, old?.arrayValue ?? [], new?.arrayValue ?? [], context)
        default: break
        }
        guard rich == nil, images == nil, rows == nil else { return }
        if field.type == .locale {
            let (before, after) = (old?.stringValue ?? "", new?.stringValue ?? "")
            if !before.isEmpty {
                runs = [DiffTable.Run(text: LanguageName.of(before), isAdded: false, isRemoved: true)]
            }
            if !after.isEmpty {
                runs = (runs ?? []) + [DiffTable.Run(text: LanguageName.of(after), isAdded: true, isRemoved: false)]
            }
            return
        }
        let change = ContentDiff.change(of: field, from: old, to: new) { context.titles($0) }
        runs = change.runs.map(DiffTable.Run.init)
    }
}
