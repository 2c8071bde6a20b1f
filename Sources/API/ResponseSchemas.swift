// The schemas of responses: read from a short notation, published as JSON Schema.
import Domain
import FoundationEssentials

/// `openapi/responses.json` of the templates: `shapes` by name, and the shape of each reading endpoint's response.
///
/// A shape is the name of another shape, one of `text`, `id`, `time`, `flag`, `integer`, `number`, `any`, a choice of
/// values
/// (`live|gone`), a list (`["text"]`), or an object. `?` after a shape allows null, `?` after a member's name makes it
/// optional, `"*"` means members of any name, and `"page"` a list of 20 with its cursor. Objects may always have
/// additional members: within a version responses only grow (B14).
package struct ResponseSchemas: Sendable {
    /// The schemas by name, for `components`.
    let schemas: [String: JSONValue]
    /// The schema of a response by the pattern of its endpoint.
    let responses: [String: JSONValue]
    /// The notation line by line, such as `Item.published_at time`: the recorded contract.
    let lines: [String]

    package static let none = ResponseSchemas()

    package struct Unreadable: Error, CustomStringConvertible {
        package let description: String
    }

    private init() {
        (schemas, responses, lines) = ([:], [:], [])
    }

    /// Throws `Unreadable` for an unknown shape.
    package init(parsing text: [UInt8]) throws {
        let document = try JSONValue(parsing: text)
        let shapes = document["shapes"]?.objectValue ?? [:]
        let names = Set(shapes.keys)
        schemas = try shapes.mapValues { try Self.schema($0, names) }
        let responses = document["responses"]?.objectValue ?? [:]
        self.responses = try responses.mapValues { try Self.schema($0, names) }
        lines = (shapes.flatMap { Self.lines($0.key, $0.value) } + responses.flatMap { Self.lines($0.key, $0.value) })
            .sorted()
    }

    /// Without the file the description has no response schemas.
    package static func load(templates: String) throws -> ResponseSchemas {
        guard let data = try? Data(contentsOf: URL(filePath: templates + "/openapi/responses.json")) else {
            return .none
        }
        return try ResponseSchemas(parsing: Array(data))
    }

    private static let plain: [String: JSONValue] = [
        "text": .object(["type": "string"]), "id": .object(["type": "string", "format": "uuid"]),
        "time": .object(["type": "string", "format": "date-time"]), "flag": .object(["type": "boolean"]),
        "integer": .object(["type": "integer"]), "number": .object(["type": "number"]), "any": .object([:]),
    ]

    private static func schema(_ shape: JSONValue, _ names: Set<String>) throws -> JSONValue {
        switch shape {
        case .string(let word) where word.hasSuffix("?"):
            .object(["anyOf": .array([try schema(.string(String(word.dropLast())), names), .object(["type": "null"])])])
        case .string(let word) where word.contains("|"):
            .object(["enum": .array(word.split(separator: "|").map { .string(String($0)) })])
        case .string(let word) where names.contains(word):
            .object(["$ref": .string("#/components/schemas/\(word)")])
        case .string(let word):
            try plain[word] ?? { throw Unreadable(description: "openapi/responses.json: unknown shape \(word)") }()
        case .array(let elements) where elements.count == 1:
            .object(["type": "array", "items": try schema(elements[0], names)])
        case .object(let members):
            try object(members, names)
        default:
            throw Unreadable(description: "openapi/responses.json: \(shape.canonicalText) is not a shape")
        }
    }

    private static func object(_ members: [String: JSONValue], _ names: Set<String>) throws -> JSONValue {
        if members.count == 1, let any = members["*"] {
            return .object(["type": "object", "additionalProperties": try schema(any, names)])
        }
        var members = members
        if let element = members.removeValue(forKey: "page") {
            members["data"] = .array([element])
            members["next"] = members["next"] ?? "text?"
        }
        var properties: [String: JSONValue] = [:]
        for (name, shape) in members { properties[bare(name)] = try schema(shape, names) }
        let needed = members.keys.filter { !$0.hasSuffix("?") }.sorted()
        return .object([
            "type": "object", "properties": .object(properties), "required": .array(needed.map(JSONValue.string)),
        ])
    }

    private static func bare(_ name: String) -> String { name.hasSuffix("?") ? String(name.dropLast()) : name }

    private static func lines(_ name: String, _ shape: JSONValue) -> [String] {
        switch shape {
        case .string(let word): ["\(name) \(word)"]
        case .array(let elements): elements.flatMap { lines(name + "[]", $0) }
        case .object(let members): members.flatMap { lines("\(name).\($0.key)", $0.value) }
        default: []
        }
    }
}
