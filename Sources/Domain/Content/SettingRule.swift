// Validates the value of a setting: its kind and limits.
import Localization

package enum SettingRule {
    package enum Kind: String, Sendable, CaseIterable {
        case integer, number, boolean, text, list, choice
    }

    /// The non-empty lines of a list of values or choices.
    package static func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map { PlainText.singleLine(String($0)) }.filter { !$0.isEmpty }
    }

    /// Minimum and maximum are inclusive.
    static func check(_ values: [String: JSONValue]) -> FieldErrors {
        guard let kind = values["kind"]?.stringValue.flatMap(Kind.init) else { return FieldErrors() }
        let text = values["value"]?.stringValue ?? ""
        let choices = lines(values["choices"]?.stringValue ?? "")
        if (kind == .choice) == choices.isEmpty {
            return FieldErrors(
                "/fields/choices", "required",
                tr("Choices: a setting of kind choice requires choices; other kinds can't have them."))
        }
        let (minimum, maximum) = (values["minimum"]?.doubleValue, values["maximum"]?.doubleValue)
        if let minimum, let maximum, minimum > maximum {
            return FieldErrors("/fields/minimum", "too_large", tr("Minimum: this is more than the maximum."))
        }
        // An empty list is valid.
        if text.isEmpty, kind != .list { return error("required", tr("enter a value.")) }
        switch kind {
        case .integer, .number:
            guard let value = number(text, isWhole: kind == .integer) else {
                return error("type", kind == .integer ? tr("enter a whole number.") : tr("enter a number such as 0.5."))
            }
            if let minimum, value < minimum { return error("too_small", tr("enter \(formatted(minimum)) or more.")) }
            if let maximum, value > maximum { return error("too_large", tr("enter \(formatted(maximum)) or less.")) }
        case .boolean:
            if text != "true", text != "false" { return error("type", tr("enter true or false.")) }
        case .list:
            let items = lines(text)
            if Set(items).count < items.count { return error("duplicate", tr("remove the duplicate line.")) }
        case .choice:
            if !choices.contains(text) {
                return error("choice", tr("choose one of: \(choices.joined(separator: ", "))."))
            }
        case .text: break
        }
        return FieldErrors()
    }

    private static func error(_ code: String, _ message: String) -> FieldErrors {
        FieldErrors("/fields/value", code, tr("Value: \(message)", context: "kind"))
    }

    /// Parses digits, and for a number at most one dot between them, like PostgreSQL.
    private static func number(_ text: String, isWhole: Bool) -> Double? {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= (isWhole ? 1 : 2), digits.utf8.count <= 15,
            parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isASCIIDigit) })
        else { return nil }
        return Double(text)
    }

    private static func formatted(_ number: Double) -> String { JSONValue.number(number).canonicalText }
}
