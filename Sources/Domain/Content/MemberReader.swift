// Reads the members of a JSON object from a file, and remembers everything that is wrong with them.

/// Every message names the file and, behind `#`, the place within it: `article.json#/fields/3/type`.
struct MemberReader {
    let place: String
    private(set) var errors = FieldErrors()
    private let members: [String: JSONValue]
    private var known: Set<String> = []

    init(_ value: JSONValue, at place: String) {
        self.place = place
        if case .object(let members) = value {
            self.members = members
        } else {
            members = [:]
            errors.add(place, "type", "This must be an object.")
        }
    }

    /// Text that must be there; empty, with a message, where it is not.
    mutating func text(_ name: String) -> String {
        guard let text = optionalText(name) else {
            if errors.messages(at: place + "/" + name).isEmpty { add(name, "required", "\(name) is missing.") }
            return ""
        }
        return text
    }

    mutating func optionalText(_ name: String) -> String? {
        guard let value = value(name) else { return nil }
        guard let text = value.stringValue, !PlainText.isBlank(text) else {
            add(name, "type", "\(name) must be a text that is not empty.")
            return nil
        }
        return text
    }

    mutating func flag(_ name: String, usually usual: Bool) -> Bool {
        guard let value = value(name) else { return usual }
        guard case .bool(let flag) = value else {
            add(name, "type", "\(name) must be true or false.")
            return usual
        }
        return flag
    }

    mutating func count(_ name: String, in range: ClosedRange<Int64>) -> Int? {
        guard let value = value(name) else { return nil }
        guard case .int(let number) = value, range.contains(number) else {
            let ends = "\(range.lowerBound) to \(range.upperBound)"
            add(name, "type", "\(name) must be a whole number from \(ends).")
            return nil
        }
        return Int(number)
    }

    mutating func number(_ name: String) -> Double? {
        switch value(name) {
        case .none: return nil
        case .int(let number): return Double(number)
        case .double(let number): return number
        default:
            add(name, "type", "\(name) must be a number.")
            return nil
        }
    }

    /// One of the values of an enumeration; nil, with a message, for anything else.
    mutating func word<Word: RawRepresentable & CaseIterable>(_ name: String) -> Word? where Word.RawValue == String {
        let text = text(name)
        if let word = Word(rawValue: text) { return word }
        if !text.isEmpty {
            let words = Word.allCases.map(\.rawValue)
            let sentence = "\(name) must be one of \(words.joined(separator: ", "))."
            add(name, "choice", Suggestion.sentence(sentence, for: text, among: words))
        }
        return nil
    }

    /// An empty list where there is none.
    mutating func list(_ name: String) -> [JSONValue] {
        guard let value = value(name) else { return [] }
        guard case .array(let values) = value else {
            add(name, "type", "\(name) must be a list.")
            return []
        }
        return values
    }

    mutating func texts(_ name: String) -> [String] {
        let values = list(name)
        let texts = values.compactMap(\.stringValue)
        if texts.count < values.count { add(name, "type", "\(name) must be a list of texts.") }
        return texts
    }

    mutating func value(_ name: String) -> JSONValue? {
        known.insert(name)
        return members[name]
    }

    mutating func add(_ name: String, _ code: String, _ message: String) {
        errors.add(place + "/" + name, code, message)
    }

    mutating func add(_ others: FieldErrors) {
        errors.add(others)
    }

    /// To be called last: every member that nobody asked for is refused.
    mutating func refuseUnknown() {
        for name in members.keys.filter({ !known.contains($0) }).sorted() {
            let sentence = "\(name) is not known here."
            let message = Suggestion.sentence(sentence, for: name, among: known)
            errors.add(place + FieldErrors.step(name), "unknown_field", message)
        }
    }
}
