// The form for the fields of any content type: what it shows, and how what was typed is read again.
import Domain
import HTTP
import Store

/// The model of `partial/fields.html`: `{{> partial/fields fields}}` where `fields` is a property of the page's model.
/// Inputs are named `field.NAME`, their ids are `field-NAME`.
struct FieldForm: Encodable, Sendable {
    let controls: [FieldControl]
    /// The id of the form that the controls belong to, where they stand outside of it.
    var form: String?

    /// Shows values: those of a revision or a submission. Where there is none, the field's default is shown.
    init(
        _ type: ContentType, values: [String: JSONValue], errors: FieldErrors = FieldErrors(),
        choices: FieldChoices = .none, takesFiles: Bool = false, only shown: (Field) -> Bool = { _ in true }
    ) {
        self.init(type, errors, choices, takesFiles, shown) { $0.formTexts(of: values[$0.name] ?? $0.default) }
    }

    /// Shows what was typed, letter by letter, with what is wrong with it.
    init(
        _ type: ContentType, typed form: FormFields, errors: FieldErrors, choices: FieldChoices = .none,
        takesFiles: Bool = false, only shown: (Field) -> Bool = { _ in true }
    ) {
        self.init(type, errors, choices, takesFiles, shown) { Self.texts(of: $0, in: form) }
    }

    private init(
        _ type: ContentType, _ errors: FieldErrors, _ choices: FieldChoices, _ takesFiles: Bool,
        _ isShown: (Field) -> Bool, _ texts: (Field) -> [String]
    ) {
        controls = type.fields.filter(isShown).map { field in
            FieldControl(
                field, texts: texts(field), errors: errors, choices: choices.groups(for: field), takesFiles: takesFiles)
        }
    }

    /// The values that a submitted form means, for `ContentRules.check`. Fields without a value are left out; what
    /// cannot be understood stays a text, so that the check says what is wrong with it.
    static func values(_ type: ContentType, from form: FormFields) -> [String: JSONValue] {
        var values: [String: JSONValue] = [:]
        for field in type.fields {
            values[field.name] = field.value(fromForm: texts(of: field, in: form))
        }
        return values
    }

    private static func texts(of field: Field, in form: FormFields) -> [String] {
        // Browsers end the lines of a text area with CR LF; we keep LF.
        let texts = form.all(inputName(of: field)).map { $0.replacing("\r\n", with: "\n") }
        // Ids come from boxes, one each, or from one text that lists them.
        guard field.type == .references else { return texts }
        return texts.flatMap { $0.split { $0.isWhitespace || $0 == "," }.map(String.init) }
    }

    static func inputName(of field: Field) -> String { "field." + field.name }
}
