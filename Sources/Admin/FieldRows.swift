// The rows of a list in a form: the controls of each, and the buttons that add, remove and move rows without a script.
import Domain

struct FieldRows: Encodable, Sendable {
    struct Row: Encodable, Sendable {
        let id: String
        let key: Int
        let heading: String
        var controls: [FieldControl]
        /// What the buttons send; nil where a row cannot move that way.
        let up: String?
        let down: String?
        let remove: String
        /// An action before led here.
        let isTouched: Bool
    }

    var items: [Row]
    /// What is added, such as "Screen"; nil where no more rows are allowed.
    let more: String?
    let add: String

    /// `texts` gives what stands in the inputs of each row.
    init(
        _ field: Field, at place: FieldPointer, count: Int, errors: FieldErrors, choices: FieldChoices, takesFiles: Bool,
        touched: Int?,
        texts: (Int, Field) -> [String]
    ) {
        items = (0..<count).map { index in
            Row(
                id: "\(place.id)-\(index)", key: index, heading: "\(field.rowLabel) \(index + 1)",
                controls: field.fields.map { inner in
                    FieldControl(
                        inner, at: FieldPointer(of: inner, in: place, row: String(index)), texts: texts(index, inner),
                        errors: errors, choices: choices.groups(for: inner), takesFiles: takesFiles)
                },
                up: index > 0 ? RowEdit.value(field, "up", index) : nil,
                down: index < count - 1 ? RowEdit.value(field, "down", index) : nil,
                remove: RowEdit.value(field, "remove", index), isTouched: index == touched)
        }
        // Things of catalogs are added where they are looked up.
        let isLookedUp = field.fields.contains { $0.type == .catalogItem }
        more = count < field.maxCount && !isLookedUp ? field.rowLabel : nil
        add = RowEdit.value(field, "add")
    }
}
