// Reads the members of a JSON object from a configuration file and collects all errors.
import Localization

/// Pointers of messages consist of the file, `#` and the position in it: `article.json#/fields/3/type`.
package struct MemberReader {
    package let pointer: String
    package private(set) var errors = FieldErrors()
    private let members: [String: JSONValue]
    private var known: Set<String> = []

    package init(_ value: JSONValue, at pointer: String) {
        self.pointer = pointer
        if case .object(let members) = value {
            self.members = members
        } else {
            members = [:]
            errors.add(pointer, "type", tr("This must be an object."))
        }
    }

    /// A required text; empty, with a message, if it is missing.
    package mutating func text(_ name: String) -> String {
        guard let text = optionalText(name) else {
            if errors.messages(at: pointer + "/" + name).isEmpty { add(name, "required", tr("\(name) is missing.")) }
            return ""
        }
        return text
    }

    package mutating func optionalText(_ name: String) -> String? {
        guard let value = value(name) else { return nil }
        guard let text = value.stringValue, !PlainText.isBlank(text) else {
            add(name, "type", tr("\(name) must be a non-empty string."))
            return nil
        }
        return text
    }

    package mutating func flag(_ name: String, default value: Bool) -> Bool {
        guard let member = self.value(name) else { return value }
        guard case .bool(let flag) = member else {
            add(name, "type", tr("\(name) must be true or false."))
            return value
        }
        return flag
    }

    package mutating func count(_ name: String, in range: ClosedRange<Int64>) -> Int? {
        guard let value = value(name) else { return nil }
        guard case .int(let number) = value, range.contains(number) else {
            let ends = "\(range.lowerBound) to \(range.upperBound)"
            add(name, "type", tr("\(name) must be a whole number from \(ends)."))
            return nil
        }
        return Int(number)
    }

    package mutating func number(_ name: String) -> Double? {
        switch value(name) {
        case .none: return nil
        case .int(let number): return Double(number)
        case .double(let number): return number
        default:
            add(name, "type", tr("\(name) must be a number."))
            return nil
        }
    }

    /// A value of an enumeration; nil, with a message, for anything else.
    package mutating func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String
    ) -> Choice? where Choice.RawValue == String {
        choice(name, among: Choice.allCases.map(\.rawValue)).flatMap(Choice.init)
    }

    package mutating func choice(_ name: String, among choices: [String]) -> String? {
        let text = text(name)
        if choices.contains(text) { return text }
        if !text.isEmpty {
            let sentence = tr("\(name) must be one of \(choices.joined(separator: ", ")).")
            add(name, "choice", Suggestion.sentence(sentence, for: text, among: choices))
        }
        return nil
    }

    /// A list; empty if the member is missing.
    package mutating func list(_ name: String) -> [JSONValue] {
        guard let value = value(name) else { return [] }
        guard case .array(let values) = value else {
            add(name, "type", tr("\(name) must be a list."))
            return []
        }
        return values
    }

    package mutating func texts(_ name: String) -> [String] {
        let values = list(name)
        let texts = values.compactMap(\.stringValue)
        if texts.count < values.count { add(name, "type", tr("\(name) must be a list of strings.")) }
        return texts
    }

    package mutating func value(_ name: String) -> JSONValue? {
        known.insert(name)
        return members[name]
    }

    package mutating func add(_ name: String, _ code: String, _ message: String) {
        errors.add(pointer + "/" + name, code, message)
    }

    package mutating func add(_ others: FieldErrors) {
        errors.add(others)
    }

    /// Call last: rejects every member that was not read.
    package mutating func refuseUnknown() {
        for name in Suggestion.unknown(members.keys, besides: known) {
            let sentence = tr("Unknown member \(name).")
            let message = Suggestion.sentence(sentence, for: name, among: known)
            errors.add(pointer + FieldErrors.step(name), "unknown_field", message)
        }
    }
}
