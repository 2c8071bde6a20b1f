// A button of a list of rows: adds, removes or moves a row of the form without saving.
import Domain
import HTTP

struct RowEdit: Sendable {
    private enum Action: String {
        case add, remove, up, down
    }

    /// The name of all these buttons.
    static let name = "rows"

    private let field: Field
    private let action: Action
    private let row: String?
    private let input: FieldInput

    /// Reads the pressed button, such as `screens add` or `screens up 2`; nil for another button.
    init?(_ form: FormFields, _ type: ContentType) {
        let parts = (form.first(Self.name) ?? "").split(separator: " ").map(String.init)
        guard parts.count >= 2, let field = type.field(parts[0]), field.type == .rows,
            let action = Action(rawValue: parts[1])
        else { return nil }
        self.field = field
        self.action = action
        row = parts.count > 2 ? parts[2] : nil
        input = FieldInput(of: field)
    }

    static func value(_ field: Field, _ action: String, _ row: String? = nil) -> String {
        "\(field.name) \(action)" + (row.map { " \($0)" } ?? "")
    }

    /// The form after the action, with all other input unchanged, and the row that was edited.
    func applied(to form: FormFields) -> (form: FormFields, touched: Touched) {
        var rows = FormValues(form).rows(at: input)
        var fields = form.fields.filter { $0.name != input.name }
        let position = row.flatMap { rows.firstIndex(of: $0) }
        var touched = position ?? max(rows.count - 1, 0)
        switch (action, position) {
        case (.add, _):
            guard rows.count < field.maxCount else { break }
            let new = String((rows.compactMap { Int($0) }.max() ?? -1) + 1)
            rows.append(new)
            touched = rows.count - 1
            for inner in field.fields {
                let name = FieldInput(of: inner, in: input, row: new).name
                fields += inner.formTexts(of: inner.default).map { FormFields.Field(name: name, value: $0) }
            }
        case (.remove, .some(let position)):
            let prefix = "\(input.name).\(rows.remove(at: position))."
            fields.removeAll { $0.name.hasPrefix(prefix) }
            touched = min(position, max(rows.count - 1, 0))
        case (.up, .some(let position)) where position > 0:
            rows.swapAt(position, position - 1)
            touched = position - 1
        case (.down, .some(let position)) where position < rows.count - 1:
            rows.swapAt(position, position + 1)
            touched = position + 1
        default: break
        }
        fields += rows.map { FormFields.Field(name: input.name, value: $0) }
        return (FormFields(fields, uploads: form.uploads), Touched(field: field.name, position: touched))
    }

    /// The edited row, which gets the focus.
    struct Touched: Sendable, Equatable {
        let field: String
        let position: Int
    }
}
