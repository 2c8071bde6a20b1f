// One field of a form: its label, help, value, errors and kind of control.
import Domain
import Localization
import Store

struct FieldControl: Encodable, Sendable {
    struct Option: Encodable, Sendable {
        let id: String
        let value: String
        let label: String
        let isChosen: Bool
        /// A short note, such as "Not published".
        let note: String?
    }

    struct Group: Encodable, Sendable {
        let title: String?
        let options: [Option]
    }

    struct Part: Encodable, Sendable {
        let id: String
        let label: String
        let value: String
        let inputMode: String
        let isWide: Bool
    }

    let id: String
    /// The name of the input.
    let name: String
    let label: String
    let hint: String
    let isRequired: Bool
    let errors: [String]
    /// The ids of hint and error, for screen readers.
    let describedBy: String
    /// Exactly one of these is set; the template renders it.
    let textInput: TextInput?
    let textArea: TextArea?
    let checkbox: Checkbox?
    let select: Select?
    let checkboxes: Checkboxes?
    let parts: [Part]?
    var rows: FieldRows?
    /// A catalog item, found with the search below the form.
    var item: CatalogItemValue?
    /// Set in addition to the parts of an image, when the form accepts files.
    let upload: Upload?

    struct Upload: Encodable, Sendable {
        let name: String
        /// The URL of the chosen image.
        let thumbnail: String?
        /// The value of the button that opens the library for this field.
        let field: String
    }

    struct TextInput: Encodable, Sendable {
        let value: String
        let inputMode: String
        let isShort: Bool
    }

    struct TextArea: Encodable, Sendable {
        let value: String
        let rows: Int
        let isCode: Bool
    }

    struct Checkbox: Encodable, Sendable {
        let isChosen: Bool
    }

    struct Select: Encodable, Sendable {
        let groups: [Group]
    }

    struct Checkboxes: Encodable, Sendable {
        let groups: [Group]
    }

    /// `rows` are the controls of a list of rows, which shows its own errors.
    init(
        _ field: Field, at input: FieldInput, texts: [String], errors found: FieldErrors,
        choices: [FieldChoices.Group]?, takesFiles: Bool = false, rows: FieldRows? = nil
    ) {
        id = input.id
        name = input.name
        label = field.label
        isRequired = field.required
        // A row shows the item's title instead of a hint.
        let isInRow = field.type == .catalogItem && input.name.split(separator: ".").count > 2
        hint = isInRow ? "" : Self.hint(field, hasList: choices != nil)
        let prefix = input.pointer + "/"
        errors = found.items.filter { item in
            item.pointer == input.pointer
                || item.pointer.hasPrefix(prefix)
                    && (rows == nil || !item.pointer.dropFirst(prefix.count).contains("/"))
        }.map(\.message)
        self.rows = rows
        describedBy = (hint.isEmpty ? "" : "\(id)-hint") + (errors.isEmpty ? "" : " \(id)-error")
        if field.type == .catalogItem { item = CatalogItemValue(value: texts.joined(separator: "\n"), at: input) }
        let control = Self.kind(field, id, texts, choices)
        (textInput, textArea, checkbox) = (control.textInput, control.textArea, control.checkbox)
        (select, checkboxes, parts) = (control.select, control.checkboxes, control.parts)
        let chosen = texts.count > 4 ? ID<Media>(texts[4]) : nil
        upload =
            field.type == .image && takesFiles
            ? Upload(name: input.upload, thumbnail: chosen.map { AdminURL.imageFile($0) }, field: input.key) : nil
    }

    private static func kind(
        _ field: Field, _ id: String, _ texts: [String], _ choices: [FieldChoices.Group]?
    ) -> Kind {
        let text = texts.joined(separator: "\n")
        var control = Kind()
        switch field.type {
        case .text, .datetime:
            control.textInput = TextInput(value: text, inputMode: "text", isShort: field.maxLength <= 100)
        case .duration, .key, .locale: control.textInput = TextInput(value: text, inputMode: "text", isShort: true)
        case .url: control.textInput = TextInput(value: text, inputMode: "url", isShort: false)
        case .integer: control.textInput = TextInput(value: text, inputMode: "numeric", isShort: true)
        case .number: control.textInput = TextInput(value: text, inputMode: "decimal", isShort: true)
        case .longText: control.textArea = TextArea(value: text, rows: 3, isCode: false)
        case .richText, .markdown: control.textArea = TextArea(value: text, rows: 10, isCode: false)
        case .json: control.textArea = TextArea(value: text, rows: 4, isCode: true)
        case .path: control.textArea = TextArea(value: text, rows: 12, isCode: true)
        case .boolean:
            control.checkbox = Checkbox(isChosen: ["true", "on", "yes", "1"].contains(texts.last?.lowercased()))
        case .choice: control.select = Select(groups: [options(of: field, chosen: text, id)])
        case .reference:
            if let choices {
                let none = Group(title: nil, options: [none(id, isChosen: text.isEmpty)])
                control.select = Select(groups: [none] + groups(choices, chosen: texts, id))
            } else {
                control.textInput = TextInput(value: text, inputMode: "text", isShort: false)
            }
        case .references:
            if let choices {
                control.checkboxes = Checkboxes(groups: groups(choices, chosen: texts, id))
            } else {
                control.textArea = TextArea(value: text, rows: 3, isCode: true)
            }
        case .point:
            control.parts = parts(
                [
                    (tr("Latitude", context: "checkboxes"), "decimal"),
                    (tr("Longitude", context: "checkboxes"), "decimal"),
                ], texts, id)
        case .image:
            let labels = [
                (tr("URL", context: "field"), "url"), (tr("Alternative text"), "text"),
                (tr("Width", context: "checkboxes"), "numeric"),
                (tr("Height", context: "checkboxes"), "numeric"),
                (tr("Media library ID"), "text"),
            ]
            control.parts = parts(labels, texts, id)
        case .file:
            control.parts = parts(
                [
                    (tr("URL", context: "field"), "url"), (tr("Media type"), "text"),
                    (tr("Bytes", context: "checkboxes"), "numeric"),
                ], texts, id
            )
        case .catalogItem, .rows: break
        }
        return control
    }

    private struct Kind {
        var textInput: TextInput?
        var textArea: TextArea?
        var checkbox: Checkbox?
        var select: Select?
        var checkboxes: Checkboxes?
        var parts: [Part]?
    }

    /// The field's help, and its limit where relevant while typing.
    private static func hint(_ field: Field, hasList: Bool) -> String {
        var sentences = field.help.isEmpty ? [] : [field.help]
        switch field.type {
        case .text, .longText: sentences.append(tr("At most \(field.maxLength) characters."))
        case .richText: sentences.append(tr("HTML. Scripts and trackers are removed."))
        case .markdown: sentences.append("Markdown.")
        case .reference: if !hasList { sentences.append(tr("A slug, such as london, or an id.")) }
        case .references:
            if !hasList { sentences.append(tr("Entry ids, one per line, at most \(field.maxCount).")) }
        case .rows:
            let minimum = field.minCount.map { tr("At least \($0), at most") } ?? tr("At most")
            sentences.append("\(minimum) \(field.maxCount).")
        default: break
        }
        return sentences.joined(separator: " ")
    }

    /// The options of a choice field, including an invalid current value, so that it is not lost silently.
    private static func options(of field: Field, chosen: String, _ id: String) -> Group {
        var options = field.choices.map {
            Option(id: id, value: $0.value, label: $0.label, isChosen: $0.value == chosen, note: nil)
        }
        if !field.required || chosen.isEmpty { options.insert(none(id, isChosen: chosen.isEmpty), at: 0) }
        if !chosen.isEmpty, !options.contains(where: \.isChosen) {
            options.append(
                Option(id: id, value: chosen, label: chosen, isChosen: true, note: tr("Invalid", context: "kind")))
        }
        return Group(title: nil, options: options)
    }

    private static func none(_ id: String, isChosen: Bool) -> Option {
        Option(id: id, value: "", label: "–", isChosen: isChosen, note: nil)
    }

    /// Entries by group, followed by chosen entries that are not in the list (any more).
    static func groups(_ groups: [FieldChoices.Group], chosen: [String], _ id: String) -> [Group] {
        var unknown = chosen.filter { !$0.isEmpty }
        var shown = groups.map { group in
            Group(
                title: group.title,
                // An archived category is shown only where it is still assigned.
                options: group.choices.filter { !$0.isArchived || chosen.contains($0.id.description) }.map { choice in
                    let value = choice.id.description
                    unknown.removeAll { $0 == value }
                    return Option(
                        id: "\(id)-\(value)", value: value, label: choice.title, isChosen: chosen.contains(value),
                        note: choice.isLive
                            ? (choice.content["source_category"] == nil ? nil : tr("Filled from a category"))
                            : choice.isArchived ? tr("Archived", context: "kind") : tr("Not published"))
                })
        }.filter { !$0.options.isEmpty }
        if !unknown.isEmpty {
            let options = unknown.enumerated().map { number, value in
                Option(
                    id: "\(id)-unknown-\(number)", value: value, label: value, isChosen: true,
                    note: tr("Not in the list"))
            }
            shown.append(Group(title: tr("Other", context: "kind"), options: options))
        }
        return shown
    }

    private static func parts(_ labels: [(String, String)], _ texts: [String], _ id: String) -> [Part] {
        labels.enumerated().map { index, label in
            Part(
                id: index == 0 ? id : "\(id)-\(index)", label: label.0,
                value: index < texts.count ? texts[index] : "", inputMode: label.1,
                isWide: label.1 == "url" || label.1 == "text")
        }
    }
}
