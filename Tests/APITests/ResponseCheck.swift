// Validates every response in a test against its schema in the API description.
import Domain
import FoundationEssentials
import Platform
import TestSupport
import Testing

@testable import API

enum ResponseCheck {
    static let shapes: ResponseSchemas? = FileManager.default.contents(
        atPath: "\(TestDatabase.packageRoot)/Templates/openapi/responses.json"
    ).flatMap { try? ResponseSchemas(parsing: Array($0)) }

    /// Every response of a read endpoint must match its schema, whatever the test is about.
    static func check(_ reply: APIReply, to method: String, _ target: String) {
        guard method == "GET", reply.status == 200, let shapes else { return }
        let path = target.split(separator: "?").first.map(String.init) ?? target
        guard let pattern = pattern(of: path), let schema = shapes.responses[pattern] else { return }
        // Views of a full row and plain text have a media type of their own.
        guard reply["Content-Type"]?.hasPrefix("application/json") == true else { return }
        let wrong = problems(reply.json, schema, "")
        #expect(wrong.isEmpty, "\(target) is not as Templates/openapi/responses.json has it: \(wrong.prefix(5))")
    }

    private static func pattern(of path: String) -> String? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        func fits(_ pattern: String) -> Bool {
            let names = pattern.split(separator: "/", omittingEmptySubsequences: false)
            return names.count == parts.count && zip(names, parts).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
        }
        return APISite.endpoints(TestDatabase.packs).first { $0.method == "GET" && $0.pattern == path }?.pattern
            ?? APISite.endpoints(TestDatabase.packs).first { $0.method == "GET" && fits($0.pattern) }?.pattern
    }

    /// Where `value` violates `schema`; supports the part of JSON Schema that the schemas use.
    static func problems(_ value: JSONValue, _ schema: JSONValue, _ place: String) -> [String] {
        if let name = schema["$ref"]?.stringValue?.split(separator: "/").last {
            guard let schema = shapes?.schemas[String(name)] else { return ["\(place): no shape \(name)"] }
            return problems(value, schema, place)
        }
        if let any = schema["anyOf"]?.arrayValue {
            let found = any.map { problems(value, $0, place) }
            return found.contains(where: \.isEmpty) ? [] : found.first ?? []
        }
        if let words = schema["enum"]?.arrayValue {
            return words.contains(value) ? [] : ["\(place): \(value.canonicalText)"]
        }
        switch (schema["type"]?.stringValue, value) {
        case (nil, _), ("null", .null), ("boolean", .bool), ("integer", .int), ("number", .int), ("number", .double):
            return []
        case ("string", .string(let text)):
            let isGood =
                switch schema["format"]?.stringValue {
                case "uuid": UUID(uuidString: text) != nil
                case "date-time": Timestamp(text) != nil
                default: true
                }
            return isGood ? [] : ["\(place): \(text)"]
        case ("array", .array(let elements)):
            guard let element = schema["items"] else { return [] }
            return elements.enumerated().flatMap { problems($0.element, element, "\(place)/\($0.offset)") }
        case ("object", .object(let members)):
            let needed = schema["required"]?.arrayValue?.compactMap(\.stringValue) ?? []
            let missing = needed.filter { members[$0] == nil }.map { "\(place)/\($0) is missing" }
            return missing
                + members.flatMap { name, member -> [String] in
                    let shape = schema["properties"]?[name] ?? schema["additionalProperties"] ?? .object([:])
                    return problems(member, shape, "\(place)/\(name)")
                }
        default:
            return ["\(place): \(value.canonicalText.prefix(60)) is no \(schema["type"]?.stringValue ?? "")"]
        }
    }
}
