// The rows of a list in a form: their controls, and buttons to add, remove and move rows without a script.
import Domain
import Localization

struct FieldRows: Encodable, Sendable {
    struct Row: Encodable, Sendable {
        let id: String
        let key: String
        let heading: String
        /// The name of the language that it is for.
        let language: String?
        var controls: [FieldControl]
        /// The values of the buttons.
        let up: String
        let down: String
        let remove: String
        let isFirst: Bool
        let isLast: Bool
        /// The last action edited this row.
        let isTouched: Bool
    }

    /// The key of the model, which a script replaces by that of a new row.
    private static let newKey = "__new__"

    var items: [Row]
    /// The label of a new row, such as "Screen".
    let label: String
    /// The same within a sentence.
    let noun: String
    /// Rows can be added; those of catalog items are added from the search.
    let mayAdd: Bool
    let isFull: Bool
    let maxCount: Int
    let add: String
    /// A new row, as a model for the script; nil where the server must make it.
    var model: [Row]

    /// `texts` returns the values of the inputs of each row.
    init(
        _ field: Field, at input: FieldInput, count: Int, errors: FieldErrors, choices: FieldChoices, takesFiles: Bool,
        touched: Int?, plain: PlainForm? = nil,
        texts: (Int, Field) -> [String]
    ) {
        func row(_ key: String, isFirst: Bool, isLast: Bool, isTouched: Bool, _ texts: (Field) -> [String]) -> Row {
            Row(
                id: "\(input.id)-\(key)", key: key,
                heading: "\(field.rowLabel) \(Int(key).map { String($0 + 1) } ?? key)",
                language: Self.language(field, texts),
                controls: field.fields.map { inner in
                    FieldControl(
                        inner, at: FieldInput(of: inner, in: input, row: key), texts: texts(inner),
                        errors: errors, choices: choices.groups(for: inner), isOptional: !inner.required,
                        takesFiles: takesFiles, plain: plain)
                },
                up: RowEdit.value(field, "up", key), down: RowEdit.value(field, "down", key),
                remove: RowEdit.value(field, "remove", key), isFirst: isFirst, isLast: isLast, isTouched: isTouched)
        }
        items = (0..<count).map { index in
            row(String(index), isFirst: index == 0, isLast: index == count - 1, isTouched: index == touched) {
                texts(index, $0)
            }
        }
        label = field.rowLabel
        noun = inText(field.rowLabel)
        maxCount = field.maxCount
        mayAdd = !field.fields.contains { $0.type == .catalogItem }
        isFull = count >= field.maxCount
        add = RowEdit.value(field, "add")
        // Their scripts start with the page.
        let isPlain = !field.fields.contains { $0.type == .richText || $0.type == .markdown || $0.type.isReference }
        model =
            mayAdd && isPlain
            ? [row(Self.newKey, isFirst: false, isLast: true, isTouched: false) { $0.formTexts(of: $0.default) }] : []
    }

    private static func language(_ field: Field, _ texts: (Field) -> [String]) -> String? {
        guard let locale = field.fields.first(where: { $0.type == .locale }),
            let tag = texts(locale).first.map(PlainText.singleLine), !tag.isEmpty
        else { return nil }
        return LanguageName.of(tag)
    }
}
