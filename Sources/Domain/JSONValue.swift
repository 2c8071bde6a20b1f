// A JSON value: a field value before and after validation.

package enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    package var stringValue: String? {
        if case .string(let text) = self { text } else { nil }
    }

    package var integerValue: Int64? {
        if case .int(let value) = self { value } else { nil }
    }

    /// Also for integers.
    package var doubleValue: Double? {
        switch self {
        case .int(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }

    package var arrayValue: [JSONValue]? {
        if case .array(let values) = self { values } else { nil }
    }

    package var objectValue: [String: JSONValue]? {
        if case .object(let members) = self { members } else { nil }
    }

    package subscript(key: String) -> JSONValue? {
        objectValue?[key]
    }

    /// Whether any string in it contains NUL, which PostgreSQL text cannot store.
    package var containsNUL: Bool {
        switch self {
        case .string(let text): PlainText.containsNUL(text)
        case .array(let values): values.contains(where: \.containsNUL)
        case .object(let members): members.contains { PlainText.containsNUL($0.key) || $0.value.containsNUL }
        default: false
        }
    }

    /// A number as the parser returns it: an integer if it is one.
    package static func number(_ value: Double) -> JSONValue {
        Int64(exactly: value).map(JSONValue.int) ?? .double(value)
    }
}

extension JSONValue: ExpressibleByStringLiteral {
    package init(stringLiteral text: String) {
        self = .string(text)
    }
}

extension JSONValue {
    /// Reads one JSON document (RFC 8259, UTF-8).
    ///
    /// Throws `Failure.invalid` for invalid JSON, nesting deeper than `maxDepth`, NUL, lone surrogates, whole numbers of
    /// more than 64 bits, numbers beyond the range of Double, and duplicate members.
    package init(parsing bytes: [UInt8], maxDepth: Int = 64) throws(Failure) {
        self = try JSONParser.parse(bytes, maxDepth: maxDepth)
    }

    /// Reads JSON that PostgreSQL wrote: with all digits of a large Double, and with accepted values nested in others.
    package init(stored bytes: [UInt8]) throws(Failure) {
        self = try JSONParser.parse(bytes, maxDepth: 128, isStored: true)
    }
}

extension JSONValue: Encodable {
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let flag): try container.encode(flag)
        case .int(let number): try container.encode(number)
        case .double(let number): try container.encode(number)
        case .string(let text): try container.encode(text)
        case .array(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }
}
