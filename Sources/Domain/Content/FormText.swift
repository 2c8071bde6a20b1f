// Converts field values to the texts of an HTML form and back.

/// Text that cannot be parsed stays a string: `ContentType.check` then reports the error, and the form shows the text
/// as
/// typed.
extension Field {
    /// Parses the texts of a form; nil if nothing was filled in. Most fields have one text; `point` has latitude and
    /// longitude; `datetime` has the local time, its offset and maybe the zone in which it was entered, or one text;
    /// `image` has URL, alternative text, width and height; `file` has URL, type and size; `references` has any number;
    /// an unchecked box has none. `rows` is one JSON text here: a form with separate inputs reads each row by its own
    /// fields.
    package func value(fromForm texts: [String]) -> JSONValue? {
        switch type {
        case .boolean: return boolean(texts)
        case .references:
            let ids = texts.filter { !PlainText.isBlank($0) }
            return ids.isEmpty ? nil : .array(ids.map(JSONValue.string))
        case .point: return point(texts)
        case .datetime where (2...3).contains(texts.count): return DateTimeText.value(texts)
        case .json where texts.count > 1: return object(ofPairs: texts)
        case .richText where texts.count == 2: return richText(texts[0], format: texts[1])
        case .image: return members(texts, Self.imageParts, numbers: ["width", "height"])
        case .file: return members(texts, ["url", "type", "bytes"], numbers: ["bytes"])
        default: break
        }
        // Several texts for one value are an error that `ContentType.check` reports.
        guard texts.count <= 1 else { return .array(texts.map(JSONValue.string)) }
        guard let text = texts.first, !text.isEmpty else { return nil }
        switch type {
        case .integer: return Self.integer(text)
        case .number: return Self.number(text)
        case .json, .rows: return (try? JSONValue(parsing: Array(text.utf8))) ?? .string(text)
        case .path: return RoutePath.points(fromForm: text, most: RoutePath.pointLimits.upperBound) ?? .string(text)
        default: return .string(text)
        }
    }

    /// The texts of a form for a value, in the order in which `value(fromForm:)` reads them.
    package func formTexts(of value: JSONValue?) -> [String] {
        switch (type, value) {
        case (_, .none), (_, .null): []
        case (.point, .object(let members)): Self.texts(of: members, ["lat", "lon"])
        case (.image, .object(let members)): imageTexts(of: members)
        case (.file, .object(let members)): Self.texts(of: members, ["url", "type", "bytes"])
        case (.datetime, .string(let text)): DateTimeText.parts(of: text)
        case (.json, .some(let value)), (.rows, .some(let value)): [value.stringValue ?? value.canonicalText]
        case (.path, .some(let value)): [RoutePath.formText(of: value)]
        case (.duration, .int(let seconds)): [PlayingTime(seconds: Double(seconds))?.text ?? String(seconds)]
        case (.duration, .double(let seconds)): [PlayingTime(seconds: seconds)?.text ?? String(seconds)]
        case (.richText, .object(let members)): Self.texts(of: members, [Field.markdownKey]) + [Field.markdownKey]
        case (_, .array(let values)): values.map(Self.text)
        case (_, .some(let value)): [Self.text(of: value)]
        }
    }

    /// The texts of a value for people to read.
    package func shownTexts(of value: JSONValue?) -> [String] {
        let texts = formTexts(of: value)
        if type == .richText, value?.objectValue != nil { return Array(texts.prefix(1)) }
        return type == .datetime && texts.count == 2 ? [DateTimeText.shown(texts)] : texts
    }

    /// The key of rich text that is given as CommonMark, `{"markdown": "…"}`, and the name of that format in a form.
    package static let markdownKey = "markdown"

    /// The names and values of an object, alternating; nil if the text is no object. A string stays as it is unless it
    /// could be read as another value, such as a number: then it is in quotation marks.
    package static func pairs(ofJSON text: String) -> [String]? {
        guard let members = (try? JSONValue(parsing: Array(text.utf8)))?.objectValue else { return nil }
        return members.sorted { $0.key < $1.key }.flatMap { name, value in
            guard let string = value.stringValue else { return [name, value.canonicalText] }
            return [name, (try? JSONValue(parsing: Array(string.utf8))) == nil ? string : value.canonicalText]
        }
    }

    /// Nil if all are empty. A name that occurs twice, or a value without a name, is an error that
    /// `ContentType.check` reports: no object. A form has a line for each name that the type knows, also without a value.
    private func object(ofPairs texts: [String]) -> JSONValue? {
        var members: [String: JSONValue] = [:]
        for index in stride(from: 0, to: texts.count, by: 2) {
            let (name, value) = (PlainText.singleLine(texts[index]), index + 1 < texts.count ? texts[index + 1] : "")
            if PlainText.isBlank(value), name.isEmpty || choices.contains(where: { $0.value == name }) { continue }
            guard !name.isEmpty, members[name] == nil else { return .array(texts.map(JSONValue.string)) }
            members[name] = (try? JSONValue(parsing: Array(value.utf8))) ?? .string(value)
        }
        return members.isEmpty ? nil : .object(members)
    }

    private func richText(_ text: String, format: String) -> JSONValue? {
        if text.isEmpty { return nil }
        return format == Self.markdownKey ? .object([Self.markdownKey: .string(text)]) : .string(text)
    }

    private static let imageParts = ["url", "alt", "width", "height", "media"]

    /// The size of an image of the media library is not editable.
    private func imageTexts(of members: [String: JSONValue]) -> [String] {
        if let id = members["media"] { return ["", members["alt"].map(Self.text) ?? "", "", "", Self.text(of: id)] }
        return Self.texts(of: members, Self.imageParts.dropLast())
    }

    /// Uses the last text, since a hidden "false" may precede the checkbox.
    private func boolean(_ texts: [String]) -> JSONValue? {
        guard let text = texts.last else { return .bool(false) }
        switch text.lowercased() {
        case "true", "on", "yes", "1": return .bool(true)
        case "false", "off", "no", "0": return .bool(false)
        case "": return nil
        default: return .string(text)
        }
    }

    /// Two texts, or one with a comma, as copied from a map.
    private func point(_ texts: [String]) -> JSONValue? {
        guard texts.count == 1, let text = texts.first else {
            return members(texts, ["lat", "lon"], numbers: ["lat", "lon"])
        }
        guard !PlainText.isBlank(text) else { return nil }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        return parts.count == 2 ? point(parts) : .string(text)
    }

    private func members(_ texts: [String], _ names: [String], numbers: Set<String>) -> JSONValue? {
        guard texts.count <= names.count else { return .array(texts.map(JSONValue.string)) }
        var members: [String: JSONValue] = [:]
        for (name, text) in zip(names, texts) where !PlainText.isBlank(text) {
            members[name] = numbers.contains(name) ? Self.number(text) : .string(text)
        }
        return members.isEmpty ? nil : .object(members)
    }

    private static func integer(_ text: String) -> JSONValue {
        Int64(PlainText.singleLine(text)).map(JSONValue.int) ?? .string(text)
    }

    private static func number(_ text: String) -> JSONValue {
        let trimmed = PlainText.singleLine(text)
        if let whole = Int64(trimmed) { return .int(whole) }
        // Double also parses "inf", "nan" and hexadecimal, which are not valid here.
        let isDecimal = trimmed.utf8.allSatisfy { $0.isASCIIDigit || "+-.eE".utf8.contains($0) }
        guard isDecimal, let number = Double(trimmed), number.isFinite else { return .string(text) }
        return .number(number)
    }

    private static func texts(of members: [String: JSONValue], _ names: [String]) -> [String] {
        names.map { members[$0].map(text) ?? "" }
    }

    private static func text(of value: JSONValue) -> String {
        value.stringValue ?? (value == .null ? "" : value.canonicalText)
    }
}
