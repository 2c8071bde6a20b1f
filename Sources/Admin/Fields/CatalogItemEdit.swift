// The button next to a found catalog item: adds it to the form, or removes it, without saving.
import Domain
import HTTP
import Localization

package struct CatalogItemEdit: Sendable {
    /// A field for catalog items: a list of rows, or a single item.
    package struct Target: Sendable {
        package let field: String
        package let label: String
        package let isList: Bool
    }

    /// The name of these buttons.
    static let name = "catalog_item"

    /// The value of the button that clears a single field.
    static func remove(from input: FieldInput) -> String { input.key + " -" }

    package static func targets(of type: ContentType) -> [Target] {
        type.fields.compactMap { field in
            switch field.type {
            case .rows where field.fields.contains { $0.type == .catalogItem }:
                Target(field: field.name, label: inText(field.label), isList: true)
            case .catalogItem: Target(field: field.name, label: inText(field.label), isList: false)
            default: nil
            }
        }
    }

    private let field: Field
    private let id: String

    /// Reads the pressed button, such as `items 0197c0de-…`; nil for another button.
    init?(_ form: FormFields, _ type: ContentType) {
        let parts = (form.first(Self.name) ?? "").split(separator: " ").map(String.init)
        guard parts.count == 2, let field = type.field(parts[0]),
            Self.targets(of: type).contains(where: { $0.field == field.name })
        else { return nil }
        self.field = field
        id = parts[1]
    }

    /// The form with the item added, at the end of a list, and the edited row.
    func applied(to form: FormFields) -> (form: FormFields, touched: RowEdit.Touched) {
        let input = FieldInput(of: field)
        guard field.type == .rows else {
            let others = form.fields.filter { $0.name != input.name }
            let value = id == "-" ? "" : id
            return (
                FormFields(others + [FormFields.Field(name: input.name, value: value)], uploads: form.uploads),
                RowEdit.Touched(field: field.name, position: 0)
            )
        }
        let rows = FormValues(form).rows(at: input)
        let inner = field.fields.first { $0.type == .catalogItem }
        let isAdded = rows.contains { row in
            inner.map { form.first(FieldInput(of: $0, in: input, row: row).name) == id } ?? false
        }
        guard let inner, rows.count < field.maxCount, !isAdded else {
            return (form, RowEdit.Touched(field: field.name, position: max(rows.count - 1, 0)))
        }
        let new = String((rows.compactMap { Int($0) }.max() ?? -1) + 1)
        let added = [
            FormFields.Field(name: input.name, value: new),
            FormFields.Field(name: FieldInput(of: inner, in: input, row: new).name, value: id),
        ]
        return (
            FormFields(form.fields + added, uploads: form.uploads),
            RowEdit.Touched(field: field.name, position: rows.count)
        )
    }
}
