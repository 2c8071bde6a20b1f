// A JSON value as it is: what a field holds before and after it was checked.
import FoundationEssentials

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
    var holdsNUL: Bool {
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
        let scan = try JSONScan(bytes, maxDepth: maxDepth)
        do {
            self = try JSONDecoder().decode(JSONValue.self, from: Data(bytes))
        } catch let error as DecodingError {
            throw Self.failure(error)
        } catch {
            throw .invalid(FieldErrors("", "format", "This is not JSON."))
        }
        // The decoder keeps one of two members of the same name and says nothing.
        guard memberCount == scan.memberCount else {
            throw .invalid(FieldErrors("", "duplicate_key", "An object names the same member twice."))
        }
    }

    private static func failure(_ error: DecodingError) -> Failure {
        guard case .dataCorrupted(let context) = error, !context.codingPath.isEmpty else {
            return .invalid(FieldErrors("", "format", "This is not JSON."))
        }
        let pointer = context.codingPath.reduce(into: "") { pointer, key in
            pointer += FieldErrors.step(key.intValue.map(String.init) ?? key.stringValue)
        }
        return .invalid(FieldErrors(pointer, "format", "This is not a value that JSON knows, or a number too large."))
    }

    private var memberCount: Int {
        switch self {
        case .array(let values): values.reduce(0) { $0 + $1.memberCount }
        case .object(let members): members.values.reduce(members.count) { $0 + $1.memberCount }
        default: 0
        }
    }
}

extension JSONValue: Codable {
    private struct Member: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// The likeliest first: a decoder says "no" to a wrong guess by throwing, which costs.
    package init(from decoder: any Decoder) throws {
        let single = try decoder.singleValueContainer()
        if single.decodeNil() {
            self = .null
        } else if let text = try? single.decode(String.self) {
            self = .string(text)
        } else if let number = try? single.decode(Int64.self) {
            self = .int(number)
        } else if let number = try? single.decode(Double.self), number.isFinite {
            self = .double(number)
        } else if let flag = try? single.decode(Bool.self) {
            self = .bool(flag)
        } else if let keyed = try? decoder.container(keyedBy: Member.self) {
            var members: [String: JSONValue] = [:]
            for key in keyed.allKeys {
                members[key.stringValue] = try keyed.decode(JSONValue.self, forKey: key)
            }
            self = .object(members)
        } else if var unkeyed = try? decoder.unkeyedContainer() {
            var values: [JSONValue] = []
            while !unkeyed.isAtEnd {
                values.append(try unkeyed.decode(JSONValue.self))
            }
            self = .array(values)
        } else {
            throw DecodingError.dataCorruptedError(in: single, debugDescription: "not a JSON value")
        }
    }

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
