// Builds an item's details from a source's response: known members under our names, others unchanged (D8).
import Domain

struct DetailBuilder {
    private var rest: [String: JSONValue]
    private var details: [String: JSONValue] = [:]

    init(_ members: [String: JSONValue]) {
        rest = members
    }

    /// Renames a member; empty ones are dropped.
    mutating func move(_ name: String, as key: String) {
        put(rest.removeValue(forKey: name), as: key)
    }

    mutating func put(_ value: JSONValue?, as key: String) {
        switch value {
        case .none, .null: break
        case .string(let text) where text.isEmpty: break
        case .array(let values) where values.isEmpty: break
        case .some(let value): details[key] = value
        }
    }

    /// Removes a member for the caller to read.
    mutating func remove(_ name: String) -> JSONValue? { rest.removeValue(forKey: name) }

    /// Known members and the others; another member with a known name gets the prefix `source_`.
    func finish() -> [String: JSONValue] {
        var all = details
        for (name, value) in rest where value != .null {
            all[details[name] == nil ? name : "source_" + name] = value
        }
        return all
    }
}

extension JSONValue {
    /// A string, or a number as a string: sources use both for ids.
    var idText: String? {
        switch self {
        case .string(let text): text.isEmpty ? nil : text
        case .int(let number): String(number)
        default: nil
        }
    }

    /// The strings at a member of each element: `[{"title": "Seafood"}]` gives Seafood.
    func texts(_ member: String) -> JSONValue {
        .array((arrayValue ?? []).compactMap { $0[member]?.stringValue }.map(JSONValue.string))
    }
}
