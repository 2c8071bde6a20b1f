// Rows B21, B60: the allowed and required placeholders of a text.
import Localization

package enum TextRule {
    /// The names in braces, such as `{link}`, in order of appearance, without duplicates.
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

    /// Fills the placeholders with values in one pass, so a value is never read as a placeholder.
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
        let marked = rows.filter { $0["required"] == .bool(true) }.compactMap { $0["name"]?.stringValue }
        let required = marked + (mail?.required ?? []).filter { !marked.contains($0) }
        if let mail {
            for (name, position) in zip(allowed, positions("placeholders")) where !mail.allowed.contains(name) {
                errors.add(
                    "/fields/placeholders/\(position)/name", "placeholder",
                    tr("{\(name)} is not available in this email. Use \(braced(mail.allowed))."))
            }
        }
        refuseDuplicates(allowed, "placeholders", "name", positions, &errors)
        let texts = values["values"]?.arrayValue ?? []
        refuseDuplicates(texts.map { $0["locale"]?.stringValue ?? "" }, "values", "locale", positions, &errors)
        for (text, position) in zip(texts, positions("values")) {
            let used = placeholders(in: text["value"]?.stringValue ?? "")
            let language = text["locale"]?.stringValue ?? ""
            let pointer = "/fields/values/\(position)/value"
            for name in used where !allowed.contains(name) {
                let known =
                    allowed.isEmpty
                    ? tr("This text has no placeholders.") : tr("Use \(braced(allowed)).", context: "text rule")
                errors.add(
                    pointer, "placeholder",
                    tr("Text in \(language): {\(name)} is not a placeholder of this text. \(known)"))
            }
            for name in required where !used.contains(name) {
                errors.add(pointer, "placeholder", tr("Text in \(language): the placeholder {\(name)} is missing."))
            }
        }
        return errors
    }

    /// The values of a text whose format is Markdown, by path (B61).
    static func markdown(in values: [String: JSONValue]) -> [(path: String, source: String)] {
        guard values["format"]?.stringValue == "markdown" else { return [] }
        return (values["values"]?.arrayValue ?? []).enumerated().compactMap { index, row in
            row["value"]?.stringValue.map { ("values/\(index)/value", $0) }
        }
    }

    /// Removes HTML tags from the values.
    static func checkMarkdown(
        _ values: inout [String: JSONValue], _ cleaning: FieldCleaning, positions: (String) -> [Int]
    ) -> (errors: FieldErrors, warnings: FieldErrors) {
        var (errors, warnings) = (FieldErrors(), FieldErrors())
        for (row, (text, position)) in zip(markdown(in: values), positions("values")).enumerated() {
            let pointer = "/fields/values/\(position)/value"
            do {
                let cleaned = try cleaning.markdown(text.source)
                if let removed = cleaned.removed {
                    warnings.add(pointer, "removed", tr("Text: \(removed)", context: "text rule"))
                }
                if cleaned.isEmpty { errors.add(pointer, "required", tr("Text is required.", context: "text rule")) }
                if let source = cleaned.source { replace(row: row, with: source, in: &values) }
            } catch {
                errors.add(pointer, "format", tr("Text: \(error.reason) Simplify it."))
            }
        }
        return (errors, warnings)
    }

    private static func replace(row: Int, with source: String, in values: inout [String: JSONValue]) {
        guard var rows = values["values"]?.arrayValue, var members = rows[row].objectValue else { return }
        members["value"] = .string(source)
        rows[row] = .object(members)
        values["values"] = .array(rows)
    }

    private static func braced(_ names: [String]) -> String {
        names.map { "{\($0)}" }.joined(separator: ", ")
    }

    /// Rejects duplicate languages in the rows of one field.
    static func refuseDuplicates(
        locales rows: String, _ values: [String: JSONValue], positions: (String) -> [Int]
    ) -> FieldErrors {
        var errors = FieldErrors()
        let locales = (values[rows]?.arrayValue ?? []).map { $0["locale"]?.stringValue ?? "" }
        refuseDuplicates(locales, rows, "locale", positions, &errors)
        return errors
    }

    private static func refuseDuplicates(
        _ values: [String], _ rows: String, _ field: String, _ positions: (String) -> [Int], _ errors: inout FieldErrors
    ) {
        var seen: Set<String> = []
        for (value, position) in zip(values, positions(rows)) where !seen.insert(value).inserted {
            errors.add("/fields/\(rows)/\(position)/\(field)", "duplicate", tr("\(value) appears twice. Remove one."))
        }
    }
}
