// One field of a form: its label, help, value, errors and kind of control.
import Domain
import Localization
import Markup
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

    struct Pair: Encodable, Sendable {
        let id: String
        let member: String
        let text: String
    }

    struct Part: Encodable, Sendable {
        var id: String
        let label: String
        let value: String
        let inputMode: String
        let isWide: Bool
        /// The type of the input.
        var type = "text"
        /// Not for people to fill in.
        var isHidden = false
        /// The offsets of a date and time, instead of an input.
        var offsets: [Option]?
    }

    let id: String
    /// The name of the input.
    let name: String
    /// The name of the field; in a row, that of the list of rows.
    let field: String
    let label: String
    let hint: String
    let isRequired: Bool
    let errors: [String]
    /// The ids of hint and error, for screen readers.
    let describedBy: String
    /// Exactly one of these is set; the template renders it.
    let textInput: TextInput?
    let textArea: TextArea?
    let richText: RichText?
    let checkbox: Checkbox?
    let select: Select?
    let checkboxes: Checkboxes?
    let parts: [Part]?
    /// The parts are latitude and longitude.
    let isPosition: Bool
    var picker: EntryPicker?
    /// The members of a JSON object, one line each.
    let pairs: [Pair]?
    /// The largest number of characters, where it is counted while typing.
    let limit: Int?
    let limitLeft = tr("%d characters left")
    let limitOver = tr("%d characters too many")
    var rows: FieldRows?
    /// A catalog item, found with the search below the form.
    var item: CatalogItemValue?
    /// What the reviewer says about the field.
    let note: String?
    /// An image in the form of a contributor, instead of parts.
    let photo: PhotoControl?
    /// Set in addition to the parts of an image, when the form accepts files.
    let upload: Upload?

    struct Upload: Encodable, Sendable {
        let name: String
        /// The URL of the chosen image.
        let thumbnail: String?
        /// The value of the button that opens the library for this field.
        let field: String
        /// The value of the button that removes the image; nil without one.
        let remove: String?
    }

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

    /// A box for HTML, which a script replaces by an editor.
    struct RichText: Encodable, Sendable {
        let value: String
        /// Whether the value is CommonMark: what people write without the editor, unless the text exists as HTML.
        let isMarkdown: Bool
        /// The sanitized value, for the editor; empty if it can't be sanitized.
        let html: SafeHTML
        /// What the editor offers, as JSON.
        let elements: String
        /// The URL of the media library; empty for people without access to it.
        let images: String

        /// `texts` are the value and its format, or HTML alone.
        init(_ texts: [String], takesFiles: Bool) {
            value = texts.first ?? ""
            isMarkdown = texts.count > 1 ? texts[1] == Field.markdownKey : value.isEmpty
            let sanitized = isMarkdown ? try? Markdown.html(value) : try? SafeHTML(sanitizing: value)
            html = (sanitized ?? SafeHTML(trusted: "")).withMediaURL(AdminURL.mediaFiles)
            elements = RichTextElements.json
            images = takesFiles ? AdminURL.media() : ""
        }
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
        choices: [FieldChoices.Group]?, takesFiles: Bool = false, rows: FieldRows? = nil, plain: PlainForm? = nil
    ) {
        id = input.id
        name = input.name
        self.field = input.key.split(separator: ".").first.map(String.init) ?? field.name
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
        note = plain?.note(for: input)
        describedBy = [
            hint.isEmpty ? nil : "\(id)-hint", note == nil ? nil : "\(id)-note", errors.isEmpty ? nil : "\(id)-error",
        ].compactMap(\.self).joined(separator: " ")
        if field.type == .catalogItem { item = CatalogItemValue(value: texts.joined(separator: "\n"), at: input) }
        let control = Self.kind(field, id, texts, choices)
        limit = [.text, .longText].contains(field.type) ? field.maxLength : nil
        richText =
            field.type == .richText ? RichText(texts, takesFiles: takesFiles) : nil
        (textInput, textArea, checkbox) = (control.textInput, control.textArea, control.checkbox)
        photo = field.type == .image ? plain.map { PhotoControl(texts, at: input, $0) } : nil
        (select, checkboxes, parts) = (control.select, control.checkboxes, photo == nil ? control.parts : nil)
        (pairs, isPosition) = (control.pairs, field.type == .point)
        picker = field.type.isReference && choices == nil ? EntryPicker(field, at: input, chosen: texts) : nil
        let chosen = texts.count > 4 ? ID<Media>(texts[4]) : nil
        upload =
            field.type == .image && takesFiles && plain == nil
            ? Upload(
                name: input.upload, thumbnail: chosen.map { AdminURL.imageFile($0) }, field: input.key,
                remove: chosen == nil ? nil : "\(input.key) \(ImageSearchPanel.none)") : nil
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
        case .json: control.pairs = pairs(texts, id)
        case .path: control.textArea = TextArea(value: text, rows: 12, isPath: true)
        case .datetime: control.parts = dateAndTime(texts, id)
        case .boolean:
            control.checkbox = Checkbox(isChosen: ["true", "on", "yes", "1"].contains(texts.last?.lowercased()))
        case .choice: control.select = Select(groups: [options(of: field, chosen: text, id)])
        case .reference:
            if let choices {
                let none = Group(title: nil, options: [none(id, isChosen: text.isEmpty)])
                control.select = Select(groups: [none] + groups(choices, chosen: texts, id))
            }
        case .references:
            if let choices {
                control.checkboxes = Checkboxes(groups: groups(choices, chosen: texts, id))
            }
        case .point:
            control.parts = parts(
                [
                    (tr("Latitude", context: "checkboxes"), "decimal"),
                    (tr("Longitude", context: "checkboxes"), "decimal"),
                ], texts, id)
        case .image: control.parts = image(texts, id)
        case .file:
            control.parts = parts(
                [
                    (tr("URL", context: "field"), "url"), (tr("Media type"), "text"),
                    (tr("Bytes", context: "checkboxes"), "numeric"),
                ], texts, id
            )
        case .catalogItem, .richText, .rows: break
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
        var pairs: [Pair]?
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

    /// The members of an object, and two empty lines for more. A text that is no object stays one text.
    private static func pairs(_ texts: [String], _ id: String) -> [Pair] {
        let texts = texts.count == 1 ? Field.pairs(ofJSON: texts[0]) ?? ["", texts[0]] : texts
        let used = stride(from: 0, to: texts.count, by: 2).map {
            ($0, texts[$0], $0 + 1 < texts.count ? texts[$0 + 1] : "")
        }
        .filter { !$0.1.isEmpty || !$0.2.isEmpty }
        return (used.map { ($0.1, $0.2) } + [("", ""), ("", "")]).enumerated().map { number, pair in
            Pair(id: number == 0 ? id : "\(id)-\(number)", member: pair.0, text: pair.1)
        }
    }

    /// A text that is no date and time is shown as it was typed.
    private static func dateAndTime(_ texts: [String], _ id: String) -> [Part] {
        let (local, offset) = (texts.first ?? "", texts.count > 1 ? texts[1] : "Z")
        let offsets = DateTimeText.offsets + (DateTimeText.offsets.contains(offset) ? [] : [offset])
        let time = Part(
            id: id, label: tr("Date and time"), value: local, inputMode: "", isWide: false,
            type: DateTimeText.isLocal(local) ? "datetime-local" : "text")
        let zone = Part(
            id: "\(id)-1", label: tr("Offset from UTC"), value: offset, inputMode: "", isWide: false,
            offsets: offsets.map { value in
                let label = value == "Z" ? "UTC" : "UTC\(value.replacing("-", with: "−"))"
                return Option(id: "", value: value, label: label, isChosen: value == offset, note: nil)
            })
        return [time, zone]
    }

    /// An image of the library is its alternative text; the rest of it comes from the library.
    private static func image(_ texts: [String], _ id: String) -> [Part] {
        let labels = [
            (tr("URL", context: "field"), "url"), (tr("Alternative text"), "text"),
            (tr("Width", context: "checkboxes"), "numeric"), (tr("Height", context: "checkboxes"), "numeric"), ("", ""),
        ]
        let isChosen = texts.count > 4 && !texts[4].isEmpty
        return parts(labels, texts, id).enumerated().map { index, part in
            var part = part
            part.isHidden = index == 4 || isChosen && index != 1
            // Errors lead to the first input that is shown.
            if isChosen, index == 1 { part.id = id }
            return part
        }
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
