// Tests that the API description refuses what the server refuses: cursors, languages, ids, boxes, keys.
import API
import Domain
import Store
import TestSupport
import Testing

@Suite("Strictness of the API description", .databases)
struct StrictDescriptionTests {
    /// The schema of a parameter.
    private static func schema(_ path: String, _ name: String, method: String = "get") async throws -> JSONValue {
        let world = try await PublishedWorld.shared.value
        let document = try await world.api.get("/openapi.json", as: world.guest).json
        let parameters = document["paths"]?[path]?[method]?["parameters"]?.arrayValue ?? []
        return try #require(parameters.first { $0["name"]?.stringValue == name }?["schema"])
    }

    /// Whether a text satisfies a schema of this document; lists are comma-separated.
    private static func accepts(_ text: String, _ schema: JSONValue) throws -> Bool {
        switch schema["type"] {
        case "array":
            let items = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            let first = schema["prefixItems"]?.arrayValue ?? []
            let item = try #require(schema["items"])
            let range = (schema["minItems"]?.integerValue ?? 0)...(schema["maxItems"]?.integerValue ?? .max)
            guard range.contains(Int64(items.count)) else { return false }
            for (index, text) in items.enumerated() where try !accepts(text, index < first.count ? first[index] : item)
            {
                return false
            }
            return true
        case "number":
            guard let number = Double(text) else { return false }
            let minimum = schema["minimum"]?.doubleValue ?? -.infinity
            let maximum = schema["maximum"]?.doubleValue ?? .infinity
            return number >= minimum && number <= maximum
        default:
            let length = (schema["minLength"]?.integerValue ?? 0)...(schema["maxLength"]?.integerValue ?? .max)
            guard length.contains(Int64(text.unicodeScalars.count)) else { return false }
            guard let pattern = schema["pattern"]?.stringValue else { return true }
            return text.firstMatch(of: try Regex(pattern)) != nil
        }
    }

    private static let id = "0193b2a0-0000-7000-8000-00000000000A"

    struct Case: Sendable {
        let path, name: String
        let good, bad: [String]
    }

    private static func list(_ text: String, _ count: Int) -> String {
        Array(repeating: text, count: count).joined(separator: ",")
    }

    static let cases: [Case] = [
        Case(
            path: "/v1/texts", name: "locale", good: ["de", "zh-Hant-TW", "de_at", "es-419"],
            bad: ["x", "english", "de-", "de-AT-x"]),
        Case(path: "/v1/feeds", name: "ids", good: [id, list(id, 2)], bad: ["city", id + ",", list(id, 101)]),
        Case(
            path: "/v1/items", name: "category", good: ["airport", "airport,indian", list("airport", 50)],
            bad: ["airport,,indian", list("airport", 51), String(repeating: "x", count: 501)]),
        Case(path: "/v1/search", name: "q", good: ["a"], bad: [" "]),
        Case(path: "/v1/items", name: "cursor", good: [], bad: ["a+b", "x y", String(repeating: "x", count: 1025)]),
    ]

    static let placeCases: [Case] = [
        Case(
            path: "/v1/places", name: "box", good: ["1,2,3,4", "-180,-90,180,90"],
            bad: ["1,2,3", "1,2,3,4,5", "1,-91,3,4", "1,2,181,4", "a,b,c,d"])
    ]

    @Test(
        "B8, S17: what the server refuses in a query, the description refuses, and the other way round",
        arguments: cases + TestPack.places.ifEnabled(placeCases))
    func queries(parameter: Case) async throws {
        let world = try await PublishedWorld.shared.value
        let schema = try await Self.schema(parameter.path, parameter.name)
        for text in parameter.good + parameter.bad {
            let isGood = parameter.good.contains(text)
            #expect(try Self.accepts(text, schema) == isGood, "\(text)")
            let value = text.replacing("+", with: "%2B").replacing(" ", with: "%20")
            let reply = try await world.api.get("\(parameter.path)?\(parameter.name)=\(value)", as: world.guest)
            #expect((reply.status != 400) == isGood, "\(text): \(reply.status)")
            if !isGood { #expect(reply.pointers == ["/query/\(parameter.name)"]) }
        }
    }

    @Test("A25: the cursor that the server gives satisfies the description")
    func cursors() async throws {
        let world = try await PublishedWorld.shared.value
        let next = try #require(try await world.api.get("/v1/items", as: world.guest).next)
        #expect(try Self.accepts(next, try await Self.schema("/v1/items", "cursor")))
    }

    private static let long = String(repeating: "k", count: 255)

    static let goodKeys = ["a", "a\"b\\c", #""quoted""#, #""a\"b\\c""#, long, "\"\(long)\""]
    static let badKeys = [
        long + "k", "\"\(long)k\"", #""""#, #""open"#, #""a"b"#, #""a\b""#, "a b", "\u{E9}",
    ]

    @Test("R2: what the server refuses as Idempotency-Key, the description refuses, and the other way round")
    func keys() async throws {
        let (api, portal) = try await APIFixture.serving([.submit])
        let schema = try await Self.schema("/v1/submissions", "Idempotency-Key", method: "post")
        for key in Self.goodKeys + Self.badKeys {
            let isGood = Self.goodKeys.contains(key)
            #expect(try Self.accepts(key, schema) == isGood, "\(key)")
            let body = #"{"type":"article","contributor":"u","fields":{"title":"T","body":"<p>x</p>"}}"#
            let reply = try await api.post("/v1/submissions", body, as: portal, [("Idempotency-Key", key)])
            // A quoted and an unquoted key with the same characters are equal: the second one repeats the first.
            #expect((200...201).contains(reply.status) == isGood, "\(key): \(reply.status)")
        }
    }
}
