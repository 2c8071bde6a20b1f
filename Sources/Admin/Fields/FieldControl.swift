// One field of a form: its label, help, value, errors and kind of control.
import Domain
import Localization
import Markup
import Store

struct FieldControl: Encodable, Sendable {
    let id: String
    /// The name of the input.
    let name: String
    /// The name of the field; in a row, that of the list of rows.
    let field: String
    let label: String
    let hint: String
    private(set) var isRequired: Bool
    /// Its label says that it may stay empty.
    private(set) var isOptional: Bool
    /// It has a label, which names several inputs or one.
    let hasLabel: Bool
    let isGroup: Bool
    let errors: [String]
    /// The ids of hint and error, for screen readers.
    let describedBy: String
    /// Exactly one of these is set; the template renders it.
    let textInput: TextInput?
    let textArea: TextArea?
    let richText: RichTextControl?
    let checkbox: Checkbox?
    let select: Select?
    let checkboxes: CheckboxList?
    var parts: [FieldPart]?
    /// The parts are latitude and longitude.
    let isPosition: Bool
    var picker: EntryPicker?
    var pairs: NamedValues?
    /// The largest number of characters, where it is counted while typing: of rich text, in its HTML; of an image, in
    /// its alternative text.
    let limit: Int?
    /// The slug of a new entry whose field for it stays empty.
    var slug: SlugHint?
    var rows: FieldRows?
    /// A catalog item, found with the search below the form.
    var item: CatalogItemValue?
    /// What the reviewer says about the field.
    let note: String?
    /// In the form of a contributor.
    let isPlain: Bool
    /// The text as readers see it, if a contributor asks for it.
    var previewed: PreviewedText?
    /// An image, in a form of the team and in one of a contributor.
    let image: ImageControl?
    let photo: PhotoControl?

    struct TextInput: Encodable, Sendable {
        let value: String
        let inputMode: String
        let isShort: Bool
    }

    struct TextArea: Encodable, Sendable {
        let value: String
        let rows: Int
        /// The points of a path, one per line.
        var isPath = false
        var isMarkdown = false
    }

    struct Checkbox: Encodable, Sendable {
        let isChosen: Bool
    }

    struct Select: Encodable, Sendable {
        let groups: [OptionGroup]
    }

    /// `rows` are the controls of a list of rows, which shows its own errors.
    init(
        _ field: Field, at input: FieldInput, texts: [String], errors found: FieldErrors,
        choices: [FieldChoices.Group]?, isOptional: Bool, takesFiles: Bool = false, rows: FieldRows? = nil,
        plain: PlainForm? = nil
    ) {
        id = input.id
        name = input.name
        self.field = input.key.split(separator: ".").first.map(String.init) ?? field.name
        label = field.label
        isRequired = field.required
        self.isOptional = isOptional
        // A row shows the item's title instead of a hint.
        let isInRow = field.type == .catalogItem && input.name.split(separator: ".").count > 2
        hint = isInRow ? "" : Self.hint(field, hasList: choices != nil)
        hasLabel = field.type != .boolean && !isInRow
        isGroup = Self.isGroup(field.type, hasList: choices != nil)
        let prefix = input.pointer + "/"
        errors = found.items.filter { item in
            item.pointer == input.pointer
                || item.pointer.hasPrefix(prefix)
                    && (rows == nil || !item.pointer.dropFirst(prefix.count).contains("/"))
        }.map(\.message)
        self.rows = rows
        note = plain?.note(for: input)
        describedBy = [
            hint.isEmpty ? nil : "\(id)-hint", note == nil ? nil : "\(id)-note", errors.isEmpty ? nil : "\(id)-error",
        ].compactMap(\.self).joined(separator: " ")
        if field.type == .catalogItem { item = CatalogItemValue(value: texts.joined(separator: "\n"), at: input) }
        let control = Self.kind(field, id, texts, choices)
        limit = field.type == .image ? ImageValue.maxAltLength : field.type.isText ? field.maxLength : nil
        isPlain = plain != nil
        richText =
            field.type == .richText
            ? RichTextControl(texts, takesFiles: takesFiles, kept: plain?.kept[input.key]) : nil
        (textInput, textArea, checkbox) = (control.textInput, control.textArea, control.checkbox)
        photo = field.type == .image ? plain.map { PhotoControl(texts, at: input, $0) } : nil
        image =
            field.type == .image && plain == nil
            ? ImageControl(texts, at: input, takesFiles: takesFiles, errors: found) : nil
        (select, checkboxes, parts) = (control.select, control.checkboxes, control.parts)
        (pairs, isPosition) = (control.pairs, field.type == .point)
        picker = field.type.isReference && choices == nil ? EntryPicker(field, at: input, chosen: texts) : nil
    }

    /// For a page on which the field must be filled in although its type doesn't say so.
    mutating func require() { (isRequired, isOptional) = (true, false) }

    /// Whether its inputs have a label of their own each, or none.
    private static func isGroup(_ type: FieldType, hasList: Bool) -> Bool {
        switch type {
        case .references, .datetime, .point, .image, .file, .json, .rows, .catalogItem: true
        case .reference: !hasList
        default: false
        }
    }

    private static func kind(
        _ field: Field, _ id: String, _ texts: [String], _ choices: [FieldChoices.Group]?
    ) -> Kind {
        let text = texts.joined(separator: "\n")
        var control = Kind()
        switch field.type {
        case .text:
            control.textInput = TextInput(value: text, inputMode: "text", isShort: field.maxLength <= 60)
        case .duration, .key, .locale: control.textInput = TextInput(value: text, inputMode: "text", isShort: true)
        case .url: control.textInput = TextInput(value: text, inputMode: "url", isShort: false)
        case .integer: control.textInput = TextInput(value: text, inputMode: "numeric", isShort: true)
        case .number: control.textInput = TextInput(value: text, inputMode: "decimal", isShort: true)
        case .longText: control.textArea = TextArea(value: text, rows: 3)
        case .markdown: control.textArea = TextArea(value: text, rows: 14, isMarkdown: true)
        case .json: control.pairs = NamedValues(field, texts)
        case .path: control.textArea = TextArea(value: text, rows: 12, isPath: true)
        case .datetime: control.parts = FieldPart.dateAndTime(texts, id)
        case .boolean:
            control.checkbox = Checkbox(isChosen: ["true", "on", "yes", "1"].contains(texts.last?.lowercased()))
        case .choice: control.select = Select(groups: [OptionGroup.options(of: field, chosen: text, id)])
        case .reference:
            if let choices {
                let none = OptionGroup(title: nil, options: [OptionGroup.none(id, isChosen: text.isEmpty)])
                control.select = Select(groups: [none] + OptionGroup.groups(choices, chosen: texts, id))
            }
        case .references:
            if let choices {
                control.checkboxes = CheckboxList(OptionGroup.groups(choices, chosen: texts, id), chosen: texts)
            }
        case .point: control.parts = FieldPart.position(texts, id)
        case .file: control.parts = FieldPart.file(texts, id)
        case .image, .catalogItem, .richText, .rows: break
        }
        return control
    }

    private struct Kind {
        var textInput: TextInput?
        var textArea: TextArea?
        var checkbox: Checkbox?
        var select: Select?
        var checkboxes: CheckboxList?
        var parts: [FieldPart]?
        var pairs: NamedValues?
    }

    /// The field's help, and its limit where relevant while typing.
    private static func hint(_ field: Field, hasList: Bool) -> String {
        var sentences = field.help.isEmpty ? [] : [field.help]
        switch field.type {
        case .text, .longText: sentences.append(tr("At most \(field.maxLength) characters."))
        case .references: if !hasList { sentences.append(tr("At most \(field.maxCount).")) }
        case .rows:
            let minimum = field.minCount.map { tr("At least \($0), at most") } ?? tr("At most")
            sentences.append("\(minimum) \(field.maxCount).")
        default: break
        }
        return sentences.joined(separator: " ")
    }
}
