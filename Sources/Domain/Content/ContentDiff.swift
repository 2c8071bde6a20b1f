// Compares two versions of content, field by field and word by word.
import Localization

package enum ContentDiff {
    /// The changed fields in the order of the type. `name` returns the title of a referenced entry.
    package static func between(
        old: Content?, new: Content, type: ContentType,
        naming name: (ID<Entry>) -> String = { $0.description }
    ) -> [FieldChange] {
        type.fields.compactMap { field in
            let (before, after) = (old?.fields[field.name], new.fields[field.name])
            return before == after ? nil : change(of: field, from: before, to: after, naming: name)
        }
    }

    /// The change of one field, whose values differ.
    package static func change(
        of field: Field, from old: JSONValue?, to new: JSONValue?, naming name: (ID<Entry>) -> String
    ) -> FieldChange {
        FieldChange(
            field: field.name, label: field.label, old: text(of: old, field, name), new: text(of: new, field, name))
    }

    /// A description of the focal point; empty if it is the center.
    package static func focus(of image: JSONValue) -> String {
        guard let focus = image["focus"], let x = percent(focus["x"]), let y = percent(focus["y"]), (x, y) != (50, 50)
        else { return "" }
        return tr("focal point \(x) % from the left, \(y) % from the top")
    }

    private static func percent(_ part: JSONValue?) -> Int? {
        switch part {
        case .int(let whole): Int(whole) * 100
        case .double(let part): Int((part * 100).rounded())
        default: nil
        }
    }

    private static func text(of value: JSONValue?, _ field: Field, _ name: (ID<Entry>) -> String) -> String? {
        guard let value else { return nil }
        let texts = field.shownTexts(of: value)
        switch field.type {
        case .boolean:
            return value == .bool(true) ? tr("Yes", context: "content diff") : tr("No", context: "content diff")
        case .choice:
            return field.choices.first { $0.value == value.stringValue }?.label ?? texts.joined()
        case .reference, .references, .catalogItem:
            return CatalogReference(value)?.label
                ?? texts.map { ID<Entry>($0).map(name) ?? $0 }.joined(separator: "\n")
        case .rows:
            // Rows are not numbered, so that inserting one does not change all rows after it.
            return (value.arrayValue ?? []).map { row in
                field.fields.compactMap { inner in
                    text(of: row[inner.name], inner, name).map { "\(inner.label): \($0)" }
                }.joined(separator: "\n")
            }.joined(separator: "\n\n")
        case .image:
            return (texts + [focus(of: value)]).filter { !$0.isEmpty }.joined(separator: "\n")
        default:
            return texts.filter { !$0.isEmpty }.joined(separator: "\n")
        }
    }
}
