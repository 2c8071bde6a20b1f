// Two people edited the same entry: both versions field by field, and the merged values for the form.
import Domain
import Localization
import Store

struct StaleEdit: Encodable, Sendable {
    struct Line: Encodable, Sendable {
        let field: String
        let label: String
        /// "both changed it" or "only you changed it".
        let summary: String
        let base: Value
        let theirs: Value
        let mine: Value
        let isConflict: Bool
    }

    /// One version of a field: its text, or, compared with the version that both sides started from, rich text and images.
    struct Value: Encodable, Sendable {
        let text: String
        /// Set for values that are not shown as text.
        var view: [FieldView]?
        /// Whether the view is folded.
        var isLong = false
        var difference: [DiffTable.Line]?
    }

    let author: String
    let theirNumber: Int
    let baseNumber: Int
    let theirNote: String
    let lines: [Line]
    let hasConflicts: Bool
    /// My complete content as JSON. The form sends it back, so that either side of each field can still be chosen.
    let mine: String
    /// The values for the form: mine in the fields that I changed, theirs in all others, and in a manual order, which
    /// is not in the form.
    let merged: [String: JSONValue]

    private enum CodingKeys: String, CodingKey {
        case author, theirNumber, baseNumber, theirNote, lines, hasConflicts, mine
    }

    /// `sides` names both sides in the summaries.
    init(
        began: RevisionRow, theirs: RevisionRow, mine: Content, _ type: ContentType,
        _ context: DiffTable.Context,
        sides: (mine: String, theirs: String) = (tr("you", context: "conflict"), tr("they", context: "conflict"))
    ) {
        let names = context.titles
        author = ActorName.shown(theirs.author)
        theirNumber = theirs.number
        baseNumber = began.number
        theirNote = theirs.note
        let base = Self.withDefaults(began.content, type)
        let byThem = Self.changes(from: base, to: Self.withDefaults(theirs.content, type), type, names)
        let byMe = Self.changes(from: base, to: mine, type, names)
        let before = Self.changes(from: Content(fields: [:]), to: base, type, names)
        self.mine = mine.canonicalText
        var merged = theirs.content.fields
        var lines: [Line] = []
        for field in type.fields where !type.isManualOrder(field) {
            let (my, their) = (byMe[field.name], byThem[field.name])
            if my != nil { merged[field.name] = mine.fields[field.name] }
            guard my != nil || their != nil else { continue }
            let old = before[field.name]?.new ?? ""
            let isSame = my != nil && their != nil && my?.new == their?.new
            lines.append(
                Line(
                    field: field.name, label: field.label,
                    summary: Self.summary(my: my != nil, their: their != nil, isSame: isSame, sides),
                    base: Value(old, of: field, base, context),
                    theirs: Value(their.map { $0.new ?? "" } ?? old, of: field, theirs.content, since: base, context),
                    mine: Value(my.map { $0.new ?? "" } ?? old, of: field, mine, since: base, context),
                    isConflict: my != nil && their != nil && !isSame))
        }
        self.lines = lines
        self.merged = merged
        hasConflicts = lines.contains(where: \.isConflict)
    }

    /// A form shows the default of an empty field and sends it back.
    private static func withDefaults(_ content: Content, _ type: ContentType) -> Content {
        var fields = content.fields
        for field in type.fields where fields[field.name] == nil {
            fields[field.name] = field.type == .boolean ? field.default ?? .bool(false) : field.default
        }
        return Content(fields: fields)
    }

    /// The fields whose text differs. Values that read the same are not a change.
    private static func changes(
        from old: Content, to new: Content, _ type: ContentType, _ names: EntryTitles
    ) -> [String: FieldChange] {
        let changes = ContentDiff.between(old: old, new: new, type: type, naming: { names($0) })
        return Dictionary(
            changes.filter { ($0.old ?? "") != ($0.new ?? "") }.map { ($0.field, $0) }, uniquingKeysWith: { $1 })
    }

    private static func summary(
        my: Bool, their: Bool, isSame: Bool, _ sides: (mine: String, theirs: String)
    ) -> String {
        if isSame { return tr("both made the same change") }
        if my && their { return tr("both changed it") }
        return tr("only \(my ? sides.mine : sides.theirs) changed it")
    }
}

extension StaleEdit.Value {
    init(_ text: String, of field: Field, _ content: Content, since base: Content? = nil, _ context: DiffTable.Context)
    {
        self.text = text
        guard [.richText, .markdown, .image, .rows].contains(field.type) else { return }
        let (old, new) = (base?.fields[field.name], content.fields[field.name])
        if let base, old != new {
            difference = [DiffTable.Line(field, base.fields[field.name], new, context)]
        } else if let new {
            isLong = field.type != .image
            view = [FieldView(field, new, titles: context.titles, images: context.images)]
        }
    }
}
