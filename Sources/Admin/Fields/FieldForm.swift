// The form for the fields of any content type: renders values and parses the submitted ones.
import Domain
import HTTP
import Platform
import Store

/// The model of `partial/fields.html`: `{{> partial/fields fields}}` where `fields` is a property of the page's model.
/// Inputs are named `field.NAME`, their ids are `field-NAME`. A manual order has no input: it is edited on its own page.
struct FieldForm: Encodable, Sendable {
    var controls: [FieldControl]
    /// The id of the form that the controls belong to, when they are outside of it.
    var form: String?
    /// The URL that shows the fields as readers will see them; nil for people without an account.
    var preview: String?
    /// The URL that finds entries to link to; nil without a site that shows them.
    var links: String?
    var map: Settings.Maps?
    /// Whether it asks for times, whose zones the page lists.
    let hasTimes: Bool

    /// Shows the values of a revision or a submission, or the fields' defaults.
    init(
        _ type: ContentType, values: [String: JSONValue], errors: FieldErrors = FieldErrors(),
        choices: FieldChoices = .none, takesFiles: Bool = false, touched: RowEdit.Touched? = nil,
        plain: PlainForm? = nil, only shown: (Field) -> Bool = { _ in true }
    ) {
        hasTimes = Self.hasTimes(type, shown)
        controls = type.fields.filter { shown($0) && !type.isManualOrder($0) }.map { field in
            let (input, value) = (FieldInput(of: field), values[field.name] ?? field.default)
            guard field.type == .rows else {
                return FieldControl(
                    field, at: input, texts: field.formTexts(of: value), errors: errors,
                    choices: choices.groups(for: field), isOptional: type.isOptional(field), takesFiles: takesFiles,
                    plain: plain)
            }
            // A required list starts with empty rows.
            let rows = value?.arrayValue ?? Array(repeating: .null, count: field.minCount ?? (field.required ? 1 : 0))
            return Self.control(field, of: type, at: input, rows.count, errors, choices, takesFiles, touched, plain) {
                index, inner in
                inner.formTexts(of: rows[index].objectValue.map { $0[inner.name] } ?? inner.default)
            }
        }
    }

    /// Shows the submitted input unchanged, with its errors.
    init(
        _ type: ContentType, typed form: FormFields, errors: FieldErrors, choices: FieldChoices = .none,
        takesFiles: Bool = false, touched: RowEdit.Touched? = nil, plain: PlainForm? = nil,
        only shown: (Field) -> Bool = { _ in true }
    ) {
        let typed = FormValues(form)
        hasTimes = Self.hasTimes(type, shown)
        controls = type.fields.filter { shown($0) && !type.isManualOrder($0) }.map { field in
            let input = FieldInput(of: field)
            guard field.type == .rows else {
                return FieldControl(
                    field, at: input, texts: typed.texts(of: field, at: input), errors: errors,
                    choices: choices.groups(for: field), isOptional: type.isOptional(field), takesFiles: takesFiles,
                    plain: plain)
            }
            let rows = typed.rows(at: input)
            return Self.control(field, of: type, at: input, rows.count, errors, choices, takesFiles, touched, plain) {
                index, inner in
                typed.texts(of: inner, at: FieldInput(of: inner, in: input, row: rows[index]))
            }
        }
    }

    private static func hasTimes(_ type: ContentType, _ isShown: (Field) -> Bool) -> Bool {
        type.fields.contains { isShown($0) && ($0.type == .datetime || $0.fields.contains { $0.type == .datetime }) }
    }

    /// A part of the form: the controls of the fields whose name is shown.
    func only(_ isShown: (String) -> Bool) -> FieldForm {
        var part = self
        part.controls.removeAll { !isShown($0.field) }
        return part
    }

    /// Every control, those of rows after that of their list.
    func forEach(_ body: (FieldControl) -> Void) {
        for control in controls {
            body(control)
            for row in control.rows?.items ?? [] { row.controls.forEach(body) }
        }
    }

    /// Every control, those of rows after that of their list, and those of the model for new rows.
    mutating func update(_ body: (inout FieldControl) -> Void) {
        for index in controls.indices {
            body(&controls[index])
            guard var rows = controls[index].rows else { continue }
            for row in rows.items.indices { Self.update(&rows.items[row].controls, body) }
            for row in rows.model.indices { Self.update(&rows.model[row].controls, body) }
            controls[index].rows = rows
        }
    }

    private static func update(_ controls: inout [FieldControl], _ body: (inout FieldControl) -> Void) {
        for index in controls.indices { body(&controls[index]) }
    }

    private static func control(
        _ field: Field, of type: ContentType, at input: FieldInput, _ count: Int, _ errors: FieldErrors,
        _ choices: FieldChoices, _ takesFiles: Bool, _ touched: RowEdit.Touched?, _ plain: PlainForm?,
        _ texts: (Int, Field) -> [String]
    ) -> FieldControl {
        let rows = FieldRows(
            field, at: input, count: count, errors: errors, choices: choices,
            takesFiles: takesFiles, touched: touched?.field == field.name ? touched?.position : nil, plain: plain,
            texts: texts)
        return FieldControl(
            field, at: input, texts: [], errors: errors, choices: nil, isOptional: type.isOptional(field), rows: rows,
            plain: plain)
    }

    /// The values of a submitted form, for `ContentRules.check`. Fields without a value are left out; a value that
    /// can't be parsed stays a string, so that the check reports it. What the form doesn't show is not read.
    static func values(
        _ type: ContentType, from form: FormFields, only isShown: (Field) -> Bool = { _ in true }
    ) -> [String: JSONValue] {
        let typed = FormValues(form)
        var values: [String: JSONValue] = [:]
        for field in type.fields where isShown(field) {
            values[field.name] = typed.value(of: field, at: FieldInput(of: field))
        }
        return values
    }
}
