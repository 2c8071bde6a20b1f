// The button beside something that was looked up: puts it into the form, and saves nothing.
import Domain
import HTTP

struct CatalogPick: Sendable {
    /// A field that takes things of catalogs: a list of rows, or a single one.
    struct Taker: Sendable {
        let field: String
        let label: String
        let isList: Bool
    }

    /// The name of these buttons.
    static let name = "pick"

    /// The button that empties a single field.
    static func out(of place: FieldPointer) -> String { place.key + " -" }

    static func takers(of type: ContentType) -> [Taker] {
        type.fields.compactMap { field in
            switch field.type {
            case .rows where field.fields.contains { $0.type == .catalogItem }:
                Taker(field: field.name, label: field.label.lowercased(), isList: true)
            case .catalogItem: Taker(field: field.name, label: field.label.lowercased(), isList: false)
            default: nil
            }
        }
    }

    private let field: Field
    private let id: String

    /// The button that was pressed: `items 0197c0de-…`; nil when it was another one.
    init?(_ form: FormFields, _ type: ContentType) {
        let words = (form.first(Self.name) ?? "").split(separator: " ").map(String.init)
        guard words.count == 2, let field = type.field(words[0]),
            Self.takers(of: type).contains(where: { $0.field == field.name })
        else { return nil }
        self.field = field
        id = words[1]
    }

    /// The form with the thing in it, at the end of a list; and the row that was touched.
    func applied(to form: FormFields) -> (form: FormFields, touched: RowEdit.Touched) {
        let place = FieldPointer(of: field)
        guard field.type == .rows else {
            let others = form.fields.filter { $0.name != place.name }
            let value = id == "-" ? "" : id
            return (
                FormFields(others + [FormFields.Field(name: place.name, value: value)], uploads: form.uploads),
                RowEdit.Touched(field: field.name, position: 0)
            )
        }
        let rows = FormValues(form).rows(at: place)
        let inner = field.fields.first { $0.type == .catalogItem }
        let isThere = rows.contains { row in
            inner.map { form.first(FieldPointer(of: $0, in: place, row: row).name) == id } ?? false
        }
        guard let inner, rows.count < field.maxCount, !isThere else {
            return (form, RowEdit.Touched(field: field.name, position: max(rows.count - 1, 0)))
        }
        let new = String((rows.compactMap { Int($0) }.max() ?? -1) + 1)
        let added = [
            FormFields.Field(name: place.name, value: new),
            FormFields.Field(name: FieldPointer(of: inner, in: place, row: new).name, value: id),
        ]
        return (
            FormFields(form.fields + added, uploads: form.uploads),
            RowEdit.Touched(field: field.name, position: rows.count)
        )
    }
}
