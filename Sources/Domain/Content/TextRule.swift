// Rows B21, B60: which placeholders a text may use, and which it must.

package enum TextRule {
    /// The names between braces, `{link}`, in the order in which they come; each once.
    package static func placeholders(in text: String) -> [String] {
        var found: [String] = []
        var name: String?
        for character in text {
            switch character {
            case "{": name = ""
            case "}":
                if let name, !name.isEmpty, !found.contains(name) { found.append(name) }
                name = nil
            case _ where isPartOfName(character): name?.append(character)
            default: name = nil
            }
        }
        return found
    }

    /// The text with the values in the places of their placeholders, in one pass: what a value says is never a placeholder.
    package static func fill(_ text: String, _ values: [String: String]) -> String {
        var filled = ""
        var open: Substring?
        for index in text.indices {
            let character = text[index]
            switch character {
            case "{":
                if let open { filled += open }
                open = text[index...index]
            case "}" where open != nil:
                let name = String(open?.dropFirst() ?? "")
                filled += values[name] ?? "{\(name)}"
                open = nil
            case _ where open != nil && isPartOfName(character): open?.append(character)
            default:
                if let written = open { filled += written }
                open = nil
                filled.append(character)
            }
        }
        return filled + (open ?? "")
    }

    private static func isPartOfName(_ character: Character) -> Bool {
        guard let byte = character.asciiValue else { return false }
        return byte.isASCIILetter || byte.isASCIIDigit || "_.-".utf8.contains(byte)
    }

    static func check(_ values: [String: JSONValue], positions: (String) -> [Int]) -> FieldErrors {
        var errors = FieldErrors()
        let rows = values["placeholders"]?.arrayValue ?? []
        let allowed = rows.compactMap { $0["name"]?.stringValue }
        let mail = MailText.rule(for: values["key"]?.stringValue ?? "")
        let marked = rows.filter { $0["needed"] == .bool(true) }.compactMap { $0["name"]?.stringValue }
        let needed = marked + (mail?.needed ?? []).filter { !marked.contains($0) }
        if let mail {
            for (name, position) in zip(allowed, positions("placeholders")) where !mail.allowed.contains(name) {
                errors.add(
                    "/fields/placeholders/\(position)/name", "placeholder",
                    "Nothing is filled in for {\(name)} when this is sent. It may use \(braced(mail.allowed)).")
            }
        }
        refuseTwice(allowed, "placeholders", "name", positions, &errors)
        let texts = values["values"]?.arrayValue ?? []
        refuseTwice(texts.map { $0["locale"]?.stringValue ?? "" }, "values", "locale", positions, &errors)
        for (text, position) in zip(texts, positions("values")) {
            let used = placeholders(in: text["value"]?.stringValue ?? "")
            let language = text["locale"]?.stringValue ?? ""
            let pointer = "/fields/values/\(position)/value"
            for name in used where !allowed.contains(name) {
                let known = allowed.isEmpty ? "It may use none." : "It may use \(braced(allowed))."
                errors.add(
                    pointer, "placeholder",
                    "Text in \(language): {\(name)} is not a placeholder of this text. \(known)")
            }
            for name in needed where !used.contains(name) {
                errors.add(pointer, "placeholder", "Text in \(language): the placeholder {\(name)} is missing.")
            }
        }
        return errors
    }

    private static func braced(_ names: [String]) -> String {
        names.map { "{\($0)}" }.joined(separator: ", ")
    }

    /// Rows of one field in which each language may stand once.
    static func refuseTwice(
        locales rows: String, _ values: [String: JSONValue], positions: (String) -> [Int]
    ) -> FieldErrors {
        var errors = FieldErrors()
        let locales = (values[rows]?.arrayValue ?? []).map { $0["locale"]?.stringValue ?? "" }
        refuseTwice(locales, rows, "locale", positions, &errors)
        return errors
    }

    private static func refuseTwice(
        _ values: [String], _ rows: String, _ field: String, _ positions: (String) -> [Int], _ errors: inout FieldErrors
    ) {
        var seen: Set<String> = []
        for (value, position) in zip(values, positions(rows)) where !seen.insert(value).inserted {
            errors.add("/fields/\(rows)/\(position)/\(field)", "duplicate", "\(value) is given twice.")
        }
    }
}
