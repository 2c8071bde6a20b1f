// Makes the details of an item from what a source said: known members under our names, all others as they are (D8).
import Domain

struct DetailBuilder {
    private var rest: [String: JSONValue]
    private var details: [String: JSONValue] = [:]

    init(_ members: [String: JSONValue]) {
        rest = members
    }

    /// Moves a member to our name; what is empty is left out.
    mutating func take(_ name: String, as ours: String) {
        put(rest.removeValue(forKey: name), as: ours)
    }

    mutating func put(_ value: JSONValue?, as ours: String) {
        switch value {
        case .none, .null: break
        case .string(let text) where text.isEmpty: break
        case .array(let values) where values.isEmpty: break
        case .some(let value): details[ours] = value
        }
    }

    /// Takes a member out for the caller to read.
    mutating func remove(_ name: String) -> JSONValue? { rest.removeValue(forKey: name) }

    /// Known members, and the others; one that has a name of ours gets `source_` before it.
    func finish() -> [String: JSONValue] {
        var whole = details
        for (name, value) in rest where value != .null {
            whole[details[name] == nil ? name : "source_" + name] = value
        }
        return whole
    }
}

extension JSONValue {
    /// A text, or a number as text: sources write ids either way.
    var idText: String? {
        switch self {
        case .string(let text): text.isEmpty ? nil : text
        case .int(let number): String(number)
        default: nil
        }
    }

    /// Text as it is, for lists of named things: `[{"title": "Seafood"}]` gives Seafood.
    func texts(_ member: String) -> JSONValue {
        .array((arrayValue ?? []).compactMap { $0[member]?.stringValue }.map(JSONValue.string))
    }
}
