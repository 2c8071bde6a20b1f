// One field of a form: label, help, what is typed, what is wrong with it, and which kind of control it is.
import Domain
import Store

struct FieldControl: Encodable, Sendable {
    struct Option: Encodable, Sendable {
        let id: String
        let value: String
        let label: String
        let isChosen: Bool
        /// A word about it, such as "not live".
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
    /// Exactly one of these is set; templates choose by it.
    let line: Line?
    let area: Area?
    let box: Box?
    let menu: Menu?
    let boxes: Boxes?
    let parts: [Part]?
    var rows: FieldRows?
    /// A thing of a catalog, looked up beside the form.
    var item: CatalogChoice?
    /// Beside the parts of an image, where the form takes files.
    let upload: Upload?

    struct Upload: Encodable, Sendable {
        let name: String
        /// The stored image that is chosen.
        let thumbnail: String?
        /// What the button sends that opens the library for it.
        let place: String
    }

    struct Line: Encodable, Sendable {
        let value: String
        let inputMode: String
        let isShort: Bool
    }

    struct Area: Encodable, Sendable {
        let value: String
        let rows: Int
        let isCode: Bool
    }

    struct Box: Encodable, Sendable {
        let isChosen: Bool
    }

    struct Menu: Encodable, Sendable {
        let groups: [Group]
    }

    struct Boxes: Encodable, Sendable {
        let groups: [Group]
    }

    /// `rows` are the controls of a list of rows, which says what is wrong within them itself.
    init(
        _ field: Field, at place: FieldPointer, texts: [String], errors found: FieldErrors,
        choices: [FieldChoices.Group]?, takesFiles: Bool = false, rows: FieldRows? = nil
    ) {
        id = place.id
        name = place.name
        label = field.label
        isRequired = field.required
        // In a row the name of the thing says enough.
        let isNamed = field.type == .catalogItem && place.name.split(separator: ".").count > 2
        hint = isNamed ? "" : Self.hint(field, hasList: choices != nil)
        let below = place.pointer + "/"
        errors = found.items.filter { item in
            item.pointer == place.pointer
                || item.pointer.hasPrefix(below)
                    && (rows == nil || !item.pointer.dropFirst(below.count).contains("/"))
        }.map(\.message)
        self.rows = rows
        describedBy = (hint.isEmpty ? "" : "\(id)-hint") + (errors.isEmpty ? "" : " \(id)-error")
        let text = texts.joined(separator: "\n")
        var control = Kind()
        switch field.type {
        case .text, .datetime: control.line = Line(value: text, inputMode: "text", isShort: field.maxLength <= 100)
        case .duration, .key, .locale: control.line = Line(value: text, inputMode: "text", isShort: true)
        case .url: control.line = Line(value: text, inputMode: "url", isShort: false)
        case .integer: control.line = Line(value: text, inputMode: "numeric", isShort: true)
        case .number: control.line = Line(value: text, inputMode: "decimal", isShort: true)
        case .longText: control.area = Area(value: text, rows: 3, isCode: false)
        case .richText, .markdown: control.area = Area(value: text, rows: 10, isCode: false)
        case .json: control.area = Area(value: text, rows: 4, isCode: true)
        case .path: control.area = Area(value: text, rows: 12, isCode: true)
        case .boolean: control.box = Box(isChosen: ["true", "on", "yes", "1"].contains(texts.last?.lowercased()))
        case .choice: control.menu = Menu(groups: [Self.menu(field, chosen: text, id)])
        case .reference:
            if let choices {
                let nothing = Group(title: nil, options: [Self.nothing(id, isChosen: text.isEmpty)])
                control.menu = Menu(groups: [nothing] + Self.groups(choices, chosen: texts, id))
            } else {
                control.line = Line(value: text, inputMode: "text", isShort: false)
            }
        case .references:
            if let choices {
                control.boxes = Boxes(groups: Self.groups(choices, chosen: texts, id))
            } else {
                control.area = Area(value: text, rows: 3, isCode: true)
            }
        case .point: control.parts = Self.parts([("Latitude", "decimal"), ("Longitude", "decimal")], texts, id)
        case .image:
            let labels = [
                ("Address", "url"), ("Description", "text"), ("Width", "numeric"), ("Height", "numeric"),
                ("Id in the media library", "text"),
            ]
            control.parts = Self.parts(labels, texts, id)
        case .file:
            control.parts = Self.parts([("Address", "url"), ("Media type", "text"), ("Bytes", "numeric")], texts, id)
        case .catalogItem: item = CatalogChoice(value: text, at: place)
        case .rows: break
        }
        (line, area, box) = (control.line, control.area, control.box)
        (menu, boxes, parts) = (control.menu, control.boxes, control.parts)
        let chosen = texts.count > 4 ? ID<Media>(texts[4]) : nil
        upload =
            field.type == .image && takesFiles
            ? Upload(name: place.upload, thumbnail: chosen.map { "/media/\($0)/image" }, place: place.key) : nil
    }

    private struct Kind {
        var line: Line?
        var area: Area?
        var box: Box?
        var menu: Menu?
        var boxes: Boxes?
        var parts: [Part]?
    }

    /// The help of the content type, and the limit where one would meet it while typing.
    private static func hint(_ field: Field, hasList: Bool) -> String {
        var sentences = field.help.isEmpty ? [] : [field.help]
        switch field.type {
        case .text, .longText: sentences.append("At most \(field.maxLength) characters.")
        case .richText: sentences.append("HTML; what could run or spy on readers is taken out.")
        case .markdown: sentences.append("Markdown.")
        case .reference: if !hasList { sentences.append("Its slug, such as london, or its id.") }
        case .references:
            if !hasList { sentences.append("Ids of entries, one on each line, at most \(field.maxCount).") }
        case .rows:
            let least = field.minCount.map { "At least \($0), at most" } ?? "At most"
            sentences.append("\(least) \(field.maxCount).")
        default: break
        }
        return sentences.joined(separator: " ")
    }

    /// A choice, with what was typed even where it is none of the choices, so that nothing is lost unseen.
    private static func menu(_ field: Field, chosen: String, _ id: String) -> Group {
        var options = field.choices.map {
            Option(id: id, value: $0.value, label: $0.label, isChosen: $0.value == chosen, note: nil)
        }
        if !field.required || chosen.isEmpty { options.insert(nothing(id, isChosen: chosen.isEmpty), at: 0) }
        if !chosen.isEmpty, !options.contains(where: \.isChosen) {
            options.append(Option(id: id, value: chosen, label: chosen, isChosen: true, note: "not a choice"))
        }
        return Group(title: nil, options: options)
    }

    private static func nothing(_ id: String, isChosen: Bool) -> Option {
        Option(id: id, value: "", label: "–", isChosen: isChosen, note: nil)
    }

    /// Entries by group, and those that are chosen but not offered (any more) at the end.
    static func groups(_ groups: [FieldChoices.Group], chosen: [String], _ id: String) -> [Group] {
        var unknown = chosen.filter { !$0.isEmpty }
        var shown = groups.map { group in
            Group(
                title: group.title,
                options: group.choices.map { choice in
                    let value = choice.id.description
                    unknown.removeAll { $0 == value }
                    return Option(
                        id: "\(id)-\(value)", value: value, label: choice.title, isChosen: chosen.contains(value),
                        note: choice.isLive ? (choice.content["takes"] == nil ? nil : "fills itself") : "not live yet")
                })
        }
        if !unknown.isEmpty {
            let options = unknown.enumerated().map { number, value in
                Option(
                    id: "\(id)-unknown-\(number)", value: value, label: value, isChosen: true, note: "not in the list")
            }
            shown.append(Group(title: "Others", options: options))
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
