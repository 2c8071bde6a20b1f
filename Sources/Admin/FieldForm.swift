// The form for the fields of any content type: what it shows, and how what was typed is read again.
import Domain
import HTTP
import Store

/// The model of `partial/fields.html`: `{{> partial/fields fields}}` where `fields` is a property of the page's model.
/// Inputs are named `field.NAME`, their ids are `field-NAME`.
struct FieldForm: Encodable, Sendable {
    var controls: [FieldControl]
    /// The id of the form that the controls belong to, where they stand outside of it.
    var form: String?

    /// Shows values: those of a revision or a submission. Where there is none, the field's default is shown.
    init(
        _ type: ContentType, values: [String: JSONValue], errors: FieldErrors = FieldErrors(),
        choices: FieldChoices = .none, takesFiles: Bool = false, touched: RowEdit.Touched? = nil,
        only shown: (Field) -> Bool = { _ in true }
    ) {
        controls = type.fields.filter(shown).map { field in
            let (place, value) = (FieldPointer(of: field), values[field.name] ?? field.default)
            guard field.type == .rows else {
                return FieldControl(
                    field, at: place, texts: field.formTexts(of: value), errors: errors,
                    choices: choices.groups(for: field), takesFiles: takesFiles)
            }
            // A list that must have rows begins with empty ones.
            let rows = value?.arrayValue ?? Array(repeating: .null, count: field.minCount ?? (field.required ? 1 : 0))
            return Self.control(field, at: place, rows.count, errors, choices, takesFiles, touched) { index, inner in
                inner.formTexts(of: rows[index].objectValue.map { $0[inner.name] } ?? inner.default)
            }
        }
    }

    /// Shows what was typed, letter by letter, with what is wrong with it.
    init(
        _ type: ContentType, typed form: FormFields, errors: FieldErrors, choices: FieldChoices = .none,
        takesFiles: Bool = false, touched: RowEdit.Touched? = nil, only shown: (Field) -> Bool = { _ in true }
    ) {
        let typed = FormValues(form)
        controls = type.fields.filter(shown).map { field in
            let place = FieldPointer(of: field)
            guard field.type == .rows else {
                return FieldControl(
                    field, at: place, texts: typed.texts(of: field, at: place), errors: errors,
                    choices: choices.groups(for: field), takesFiles: takesFiles)
            }
            let rows = typed.rows(at: place)
            return Self.control(field, at: place, rows.count, errors, choices, takesFiles, touched) { index, inner in
                typed.texts(of: inner, at: FieldPointer(of: inner, in: place, row: rows[index]))
            }
        }
    }

    private static func control(
        _ field: Field, at place: FieldPointer, _ count: Int, _ errors: FieldErrors, _ choices: FieldChoices,
        _ takesFiles: Bool, _ touched: RowEdit.Touched?, _ texts: (Int, Field) -> [String]
    ) -> FieldControl {
        let rows = FieldRows(
            field, at: place, count: count, errors: errors, choices: choices,
            takesFiles: takesFiles, touched: touched?.field == field.name ? touched?.position : nil, texts: texts)
        return FieldControl(field, at: place, texts: [], errors: errors, choices: nil, rows: rows)
    }

    /// The values that a submitted form means, for `ContentRules.check`. Fields without a value are left out; what
    /// cannot be understood stays a text, so that the check says what is wrong with it.
    static func values(_ type: ContentType, from form: FormFields) -> [String: JSONValue] {
        let typed = FormValues(form)
        var values: [String: JSONValue] = [:]
        for field in type.fields { values[field.name] = typed.value(of: field, at: FieldPointer(of: field)) }
        return values
    }
}
