// What a setting may hold: a value of its kind, within its limits.

package enum SettingRule {
    package enum Kind: String, Sendable, CaseIterable {
        case integer, number, boolean, text, list, choice
    }

    /// The lines of a list of values or choices.
    package static func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map { PlainText.singleLine(String($0)) }.filter { !$0.isEmpty }
    }

    /// The least and the greatest number are allowed themselves.
    static func check(_ values: [String: JSONValue]) -> FieldErrors {
        guard let kind = values["kind"]?.stringValue.flatMap(Kind.init) else { return FieldErrors() }
        let text = values["value"]?.stringValue ?? ""
        let choices = lines(values["choices"]?.stringValue ?? "")
        if (kind == .choice) == choices.isEmpty {
            return FieldErrors(
                "/fields/choices", "required", "Choices: a setting of kind choice, and no other, has them.")
        }
        let (minimum, maximum) = (number(values["minimum"]), number(values["maximum"]))
        if let minimum, let maximum, minimum > maximum {
            return FieldErrors("/fields/minimum", "too_large", "Least: this is more than the greatest.")
        }
        // An empty list says something: none.
        if text.isEmpty, kind != .list { return wrong("required", "this is needed.") }
        switch kind {
        case .integer, .number:
            guard let value = number(text, isWhole: kind == .integer) else {
                return wrong("type", kind == .integer ? "write a whole number." : "write a number such as 0.5.")
            }
            if let minimum, value < minimum { return wrong("too_small", "at least \(shown(minimum)) is needed.") }
            if let maximum, value > maximum { return wrong("too_large", "at most \(shown(maximum)) is allowed.") }
        case .boolean:
            if text != "true", text != "false" { return wrong("type", "write true or false.") }
        case .list:
            let items = lines(text)
            if Set(items).count < items.count { return wrong("duplicate", "one of the lines is there twice.") }
        case .choice:
            if !choices.contains(text) { return wrong("choice", "choose one of \(choices.joined(separator: ", ")).") }
        case .text: break
        }
        return FieldErrors()
    }

    private static func wrong(_ code: String, _ message: String) -> FieldErrors {
        FieldErrors("/fields/value", code, "Value: \(message)")
    }

    private static func number(_ value: JSONValue?) -> Double? {
        switch value {
        case .int(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }

    /// As PostgreSQL reads it too: digits, and for a number one dot within them.
    private static func number(_ text: String, isWhole: Bool) -> Double? {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= (isWhole ? 1 : 2), digits.utf8.count <= 15,
            parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isASCIIDigit) })
        else { return nil }
        return Double(text)
    }

    private static func shown(_ number: Double) -> String { JSONValue.number(number).canonicalText }
}
