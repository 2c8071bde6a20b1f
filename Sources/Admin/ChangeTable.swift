// How two revisions of an entry differ, field by field, with the words marked that came and went.
import Domain
import Store

struct ChangeTable: Encodable, Sendable {
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
    /// The names of the fields that both have alike.
    let unchanged: String

    init(from old: RevisionRow, to new: RevisionRow, _ type: ContentType, _ names: EntryNames) {
        from = old.number
        to = new.number
        let changes = ContentDiff.between(
            old: old.content, new: new.content, type: type, naming: { names($0) })
        lines = changes.map { change in
            Line(label: change.label, runs: change.runs.map(Self.run))
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
