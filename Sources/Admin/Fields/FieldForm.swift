// The form for the fields of any content type: renders values and parses the submitted ones.
import Domain
import HTTP
import Store

/// The model of `partial/fields.html`: `{{> partial/fields fields}}` where `fields` is a property of the page's model.
/// Inputs are named `field.NAME`, their ids are `field-NAME`.
struct FieldForm: Encodable, Sendable {
    var controls: [FieldControl]
    /// The id of the form that the controls belong to, when they are outside of it.
    var form: String?

    /// Shows the values of a revision or a submission, or the fields' defaults.
    init(
        _ type: ContentType, values: [String: JSONValue], errors: FieldErrors = FieldErrors(),
        choices: FieldChoices = .none, takesFiles: Bool = false, touched: RowEdit.Touched? = nil,
        only shown: (Field) -> Bool = { _ in true }
    ) {
        controls = type.fields.filter(shown).map { field in
            let (input, value) = (FieldInput(of: field), values[field.name] ?? field.default)
            guard field.type == .rows else {
                return FieldControl(
                    field, at: input, texts: field.formTexts(of: value), errors: errors,
                    choices: choices.groups(for: field), takesFiles: takesFiles)
            }
            // A required list starts with empty rows.
            let rows = value?.arrayValue ?? Array(repeating: .null, count: field.minCount ?? (field.required ? 1 : 0))
            return Self.control(field, at: input, rows.count, errors, choices, takesFiles, touched) { index, inner in
                inner.formTexts(of: rows[index].objectValue.map { $0[inner.name] } ?? inner.default)
            }
        }
    }

    /// Shows the submitted input unchanged, with its errors.
    init(
        _ type: ContentType, typed form: FormFields, errors: FieldErrors, choices: FieldChoices = .none,
        takesFiles: Bool = false, touched: RowEdit.Touched? = nil, only shown: (Field) -> Bool = { _ in true }
    ) {
        let typed = FormValues(form)
        controls = type.fields.filter(shown).map { field in
            let input = FieldInput(of: field)
            guard field.type == .rows else {
                return FieldControl(
                    field, at: input, texts: typed.texts(of: field, at: input), errors: errors,
                    choices: choices.groups(for: field), takesFiles: takesFiles)
            }
            let rows = typed.rows(at: input)
            return Self.control(field, at: input, rows.count, errors, choices, takesFiles, touched) { index, inner in
                typed.texts(of: inner, at: FieldInput(of: inner, in: input, row: rows[index]))
            }
        }
    }

    private static func control(
        _ field: Field, at input: FieldInput, _ count: Int, _ errors: FieldErrors, _ choices: FieldChoices,
        _ takesFiles: Bool, _ touched: RowEdit.Touched?, _ texts: (Int, Field) -> [String]
    ) -> FieldControl {
        let rows = FieldRows(
            field, at: input, count: count, errors: errors, choices: choices,
            takesFiles: takesFiles, touched: touched?.field == field.name ? touched?.position : nil, texts: texts)
        return FieldControl(field, at: input, texts: [], errors: errors, choices: nil, rows: rows)
    }

    /// The values of a submitted form, for `ContentRules.check`. Fields without a value are left out; a value that
    /// can't be parsed stays a string, so that the check reports it.
    static func values(_ type: ContentType, from form: FormFields) -> [String: JSONValue] {
        let typed = FormValues(form)
        var values: [String: JSONValue] = [:]
        for field in type.fields { values[field.name] = typed.value(of: field, at: FieldInput(of: field)) }
        return values
    }
}
