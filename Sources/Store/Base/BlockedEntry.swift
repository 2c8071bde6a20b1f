// An entry that a rule keeps from being published, with a message that names it.
import Domain
import Localization

package struct BlockedEntry: Sendable, Encodable {
    private enum CodingKeys: CodingKey {
        case entry, type, title, code, message
    }

    /// Nil when the rule names no entry.
    package let entry: ID<Entry>?
    package let type: String
    package let title: String
    /// A code for programs, such as `rule` or `required`.
    package let code: String
    /// Names the entry, the field, and the value where it is not simply missing.
    package let message: String
    /// The error that publishing fails with.
    package let failure: Failure

    /// The message without the ID, for pages, which link to the entry.
    package var cause: String { entry.map { message.replacing(" (\($0))", with: "") } ?? message }

    /// Reads a result of `curation.blocked_entry`; nil for a rule without a message.
    init?(reading value: JSONValue) {
        func text(_ name: String) -> String { value[name]?.stringValue ?? "" }
        guard let rule = ConstraintRules.rule(for: text("rule")) else { return nil }
        let id: ID<Entry>? = ID(text("entry"))
        entry = id
        type = text("type")
        title = text("title")
        let name = id.map { "\(Self.name(text("type"), text("title"), $0)): " } ?? ""
        let unpublished = text("unpublished").isEmpty ? "" : tr(" Not published: \(text("unpublished")).")
        // A violated unique key has its values in the detail: `Key (key, locale)=(home.title, en) already exists.`
        let key = text("detail").hasPrefix("Key (") ? " \(text("detail"))" : ""
        let reason = text("reason").isEmpty ? tr("the rule \(text("rule")) is violated") : text("reason")
        failure = rule(reason).rewording { "\(name)\($0)\(unpublished)\(key)" }
        switch failure {
        case .invalid(let errors):
            code = errors.items.first?.code ?? "invalid"
            message = errors.items.map(\.message).joined(separator: " ")
        case .refused(let code, let message), .conflict(let code, let message):
            (self.code, self.message) = (code, message)
        default: (code, message) = ("rule", failure.sentence)
        }
    }

    /// The results in a JSON array, one for each entry: an entry may have rows in several read tables.
    static func distinct(_ values: JSONValue?) -> [BlockedEntry] {
        var seen: Set<ID<Entry>> = []
        return (values?.arrayValue ?? []).compactMap(BlockedEntry.init).filter { blocked in
            blocked.entry.map { seen.insert($0).inserted } ?? true
        }
    }

    /// The name of an entry in messages: `Place "Joe's" (0197b2d4-…)`.
    static func name(_ type: String, _ title: String, _ id: ID<Entry>) -> String { "\(name(type, title)) (\(id))" }

    /// The same without the ID: `Place "Joe's"`.
    static func name(_ type: String, _ title: String) -> String {
        let type = type.replacing("_", with: " ")
        return "\(type.prefix(1).uppercased())\(type.dropFirst()) \"\(title)\""
    }
}

extension Failure {
    /// The same failure with other messages, where they are about an entry.
    fileprivate func rewording(_ word: (String) -> String) -> Failure {
        switch self {
        case .invalid(let errors):
            var reworded = FieldErrors()
            for item in errors.items { reworded.add(item.pointer, item.code, word(item.message)) }
            return .invalid(reworded)
        case .refused(let code, let message): return .refused(code: code, message: word(message))
        case .conflict(let code, let message): return .conflict(code: code, message: word(message))
        case .missing, .stale, .forbidden, .unavailable: return self
        }
    }
}
