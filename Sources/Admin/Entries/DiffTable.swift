// The differences of two revisions, field by field, with added and removed text marked.
import Domain
import Store

struct DiffTable: Encodable, Sendable {
    struct Run: Encodable, Sendable {
        let text: String
        let isAdded: Bool
        let isRemoved: Bool
    }

    struct Line: Encodable, Sendable {
        let label: String
        let runs: [Run]
    }

    let from: Int
    let to: Int
    let lines: [Line]
    /// The labels of the unchanged fields.
    let unchanged: String

    init(from old: RevisionRow, to new: RevisionRow, _ type: ContentType, _ titles: EntryTitles) {
        from = old.number
        to = new.number
        let changes = ContentDiff.between(
            old: old.content, new: new.content, type: type, naming: { titles($0) })
        lines = changes.map { edit in
            Line(label: edit.label, runs: edit.runs.map(Self.run))
        }
        let changed = Set(changes.map(\.field))
        unchanged = type.fields.filter { field in
            !changed.contains(field.name) && new.content.fields[field.name] != nil
        }.map(\.label).joined(separator: ", ")
    }

    static func run(_ run: FieldChange.Run) -> Run {
        Run(text: run.text, isAdded: run.kind == .added, isRemoved: run.kind == .removed)
    }
}
