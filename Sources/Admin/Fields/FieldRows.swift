// The rows of a list in a form: their controls, and buttons to add, remove and move rows without a script.
import Domain

struct FieldRows: Encodable, Sendable {
    struct Row: Encodable, Sendable {
        let id: String
        let key: Int
        let heading: String
        var controls: [FieldControl]
        /// The values of the buttons; nil where a row can't move that way.
        let up: String?
        let down: String?
        let remove: String
        /// The last action edited this row.
        let isTouched: Bool
    }

    var items: [Row]
    /// The label of a new row, such as "Screen"; nil when no more rows are allowed.
    let more: String?
    let add: String

    /// `texts` returns the values of the inputs of each row.
    init(
        _ field: Field, at input: FieldInput, count: Int, errors: FieldErrors, choices: FieldChoices, takesFiles: Bool,
        touched: Int?,
        texts: (Int, Field) -> [String]
    ) {
        items = (0..<count).map { index in
            Row(
                id: "\(input.id)-\(index)", key: index, heading: "\(field.rowLabel) \(index + 1)",
                controls: field.fields.map { inner in
                    FieldControl(
                        inner, at: FieldInput(of: inner, in: input, row: String(index)), texts: texts(index, inner),
                        errors: errors, choices: choices.groups(for: inner), takesFiles: takesFiles)
                },
                up: index > 0 ? RowEdit.value(field, "up", index) : nil,
                down: index < count - 1 ? RowEdit.value(field, "down", index) : nil,
                remove: RowEdit.value(field, "remove", index), isTouched: index == touched)
        }
        // Catalog items are added from the search.
        let isFromCatalog = field.fields.contains { $0.type == .catalogItem }
        more = count < field.maxCount && !isFromCatalog ? field.rowLabel : nil
        add = RowEdit.value(field, "add")
    }
}
