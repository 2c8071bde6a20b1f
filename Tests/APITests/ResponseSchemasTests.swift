// Tests response schemas: every read endpoint has one, version 1 stays compatible, and a wrong response is detected.
import Domain
import FoundationEssentials
import TestSupport
import Testing

@testable import API

@Suite("Response schemas")
struct ResponseSchemasTests {
    private func shapes() throws -> ResponseSchemas {
        try ResponseSchemas.load(templates: "\(TestDatabase.packageRoot)/Templates")
    }

    @Test("Every endpoint that returns JSON to readers has a response schema")
    func complete() throws {
        let shapes = try shapes()
        let reading = APISite.endpoints(TestDatabase.allPacks).filter { route in
            if case .read = route.work {
                route.type == APIEndpoint.json && !route.pattern.hasSuffix("/text")
            } else {
                false
            }
        }
        #expect(Set(reading.map(\.pattern)) == Set(shapes.responses.keys))
    }

    @Test("B8, B14: within version 1 no response member is removed, retyped or newly absent or null")
    func recorded() throws {
        let data = try #require(
            FileManager.default.contents(atPath: "\(TestDatabase.packageRoot)/Tests/contract/responses-v1.txt"))
        let recorded = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
        let now = Set(try shapes().lines)
        #expect(recorded.count > 300)
        let broken = recorded.filter { !now.contains($0) }
        #expect(broken.isEmpty, "apps read these: \(broken)")
        let unrecorded = now.subtracting(recorded).sorted()
        #expect(unrecorded.isEmpty, "add to Tests/contract/responses-v1.txt:\n\(unrecorded.joined(separator: "\n"))")
    }

    private static let notation = """
        {"shapes": {"Point": {"lat": "number", "name?": "text?", "at?": "time"}},
         "responses": {"/v1/points": {"page": "Point", "state": "new|old"}}}
        """

    @Test(
        "A missing, null, mistyped or unknown value is a problem at its pointer; additional members are allowed",
        arguments: [
            (#"{"data":[{"lat":1.5,"name":null,"more":7}],"next":null,"state":"new"}"#, ""),
            (#"{"data":[{"lat":1,"at":"2026-01-02T03:04:05Z"}],"next":"x","state":"old"}"#, ""),
            (#"{"data":[{}],"next":null,"state":"new"}"#, "/data/0/lat is missing"),
            (#"{"data":[{"lat":null}],"next":null,"state":"new"}"#, "/data/0/lat: null is no number"),
            (#"{"data":[{"lat":"1"}],"next":null,"state":"new"}"#, "/data/0/lat: \"1\" is no number"),
            (#"{"data":[{"lat":1,"at":"today"}],"next":null,"state":"new"}"#, "/data/0/at: today"),
            (#"{"data":[],"next":7,"state":"new"}"#, "/next: 7 is no string"),
            (#"{"data":[],"next":null,"state":"newer"}"#, "/state: \"newer\""),
        ])
    func noticed(body: String, problem: String) throws {
        let shapes = try ResponseSchemas(parsing: Array(Self.notation.utf8))
        let schema = try #require(shapes.responses["/v1/points"])
        // "Point" is defined in the same document.
        let whole = Self.inlined(schema, shapes)
        let found = ResponseCheck.problems(try JSONValue(parsing: Array(body.utf8)), whole, "")
        #expect(found == (problem.isEmpty ? [] : [problem]))
    }

    private static func inlined(_ schema: JSONValue, _ shapes: ResponseSchemas) -> JSONValue {
        switch schema {
        case .object(let members):
            if let name = members["$ref"]?.stringValue?.split(separator: "/").last,
                let shape = shapes.schemas[String(name)]
            {
                return shape
            }
            return .object(members.mapValues { inlined($0, shapes) })
        case .array(let elements): return .array(elements.map { inlined($0, shapes) })
        default: return schema
        }
    }

    @Test("An unknown schema name is rejected when it is read, with the name")
    func unknown() {
        #expect(throws: ResponseSchemas.Unreadable.self) {
            try ResponseSchemas(parsing: Array(#"{"shapes": {"A": {"b": "Nothing"}}}"#.utf8))
        }
    }

    @Test("The API description contains the schemas in machine-readable form")
    func described() async throws {
        let shapes = try shapes()
        #expect(Set(shapes.schemas.keys).isDisjoint(with: OpenAPISchemas.all.keys), "a name is one thing")
        #expect(shapes.schemas["Place"]?["properties"]?["lat"]?["type"] == "number")
        #expect(shapes.responses["/v1/items"]?["properties"]?["data"]?["items"]?["$ref"] == "#/components/schemas/Item")
        #expect(shapes.responses["/v1/changes"]?["properties"]?["next"]?["type"] == "string")
    }
}
