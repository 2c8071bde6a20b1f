// A JSON value as it is: what a field holds before and after it was checked.

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

    /// Of whole numbers too.
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

    /// A NUL in any text within: no database text can hold it.
    package var holdsNUL: Bool {
        switch self {
        case .string(let text): PlainText.holdsNUL(text)
        case .array(let values): values.contains(where: \.holdsNUL)
        case .object(let members): members.contains { PlainText.holdsNUL($0.key) || $0.value.holdsNUL }
        default: false
        }
    }

    /// A number in the form in which parsing gives it: an integer wherever it is one.
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
    /// Refused with `Failure.invalid`, beside what is not JSON: nesting deeper than `maxDepth`, NUL and lone
    /// surrogates, numbers that no Double holds, and an object that names a member twice.
    package init(parsing bytes: [UInt8], maxDepth: Int = 64) throws(Failure) {
        self = try JSONParser.parse(bytes, maxDepth: maxDepth)
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
