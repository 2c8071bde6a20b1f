// Tests the rules across fields of onboarding sets, texts and settings at their boundaries.
import Testing

@testable import Domain

@Suite("Rules across fields")
struct ContentRuleTests {
    private func faults(_ type: String, _ fields: [String: JSONValue]) throws -> [String] {
        let type = try ContentFixture.projectType(type)
        return problems {
            _ = try type.check(
                fields.merging(["title": "T", "key": "k"]) { $1 }, purpose: .revision,
                cleaning: ContentFixture.cleaning)
        }
    }

    // MARK: Onboarding

    private func screens(_ count: Int) -> JSONValue {
        .array(
            (0..<count).map { .object(["text": .string("Screen \($0)"), "image": "https://example.org/p.png"]) })
    }

    @Test(
        "B16, K10: a set has 2 to 5 screens (inclusive); 1 and 6 are rejected at the screens",
        arguments: [(1, "too_short"), (2, nil), (5, nil), (6, "too_long")])
    func screenCount(count: Int, code: String?) throws {
        let found = try faults("onboarding_set", ["locale": "en", "screens": screens(count)])
        #expect(found == (code.map { ["\($0) /fields/screens"] } ?? []))
    }

    @Test("C25: a set may define other limits; its minimum is at most its maximum")
    func configured() throws {
        func set(_ least: Int64, _ most: Int64, _ count: Int) throws -> [String] {
            try faults(
                "onboarding_set",
                ["locale": "en", "screens": screens(count), "min_screens": .int(least), "max_screens": .int(most)])
        }
        #expect(try set(1, 1, 1) == [])
        #expect(try set(1, 7, 7) == [])
        #expect(try set(1, 7, 8) == ["too_long /fields/screens"])
        #expect(try set(3, 5, 2) == ["too_short /fields/screens"])
        #expect(try set(4, 3, 4).contains("too_large /fields/min_screens"))
    }

    @Test("B16: a screen without text and image is rejected with its number")
    func incomplete() throws {
        let rows: JSONValue = .array([
            .object(["text": "a", "image": "https://example.org/p.png"]), .object(["text": "b"]),
            .object(["image": "https://example.org/p.png"]),
        ])
        #expect(
            try faults("onboarding_set", ["screens": rows]) == [
                "required /fields/screens/1/image", "required /fields/screens/2/text",
            ])
    }

    // MARK: Texts

    @Test("Placeholders are names in braces; other braces are literal")
    func placeholders() {
        #expect(TextRule.placeholders(in: "{a}{b.c} {a} {} { x } {d e} {ü} {{f}} {g") == ["a", "b.c", "f"])
    }

    private func text(_ values: [(String, String)], required: Bool = true) -> [String: JSONValue] {
        [
            "placeholders": .array([
                .object(["name": "link", "required": .bool(required)]),
                .object(["name": "name", "required": .bool(false)]),
            ]),
            "values": .array(values.map { .object(["locale": .string($0.0), "value": .string($0.1)]) }),
        ]
    }

    @Test("B21, B60: a text uses only allowed placeholders and all required ones in each language")
    func textPlaceholders() throws {
        #expect(try faults("text", text([("en", "Go {link}"), ("de", "{name}: {link}")])) == [])
        #expect(
            try faults("text", text([("en", "Go {lnik}"), ("de", "Geh {link}")])) == [
                "placeholder /fields/values/0/value", "placeholder /fields/values/0/value",
            ], "one is unknown, one is missing")
        #expect(
            try faults("text", text([("en", "Go {link}"), ("de", "Geh")])) == ["placeholder /fields/values/1/value"])
        #expect(try faults("text", text([("en", "Go")], required: false)) == [])
        #expect(
            try faults("text", ["values": .array([.object(["locale": "en", "value": "{x}"])])]) == [
                "placeholder /fields/values/0/value"
            ], "a text without placeholders may use none")
        #expect(
            try faults("text", text([("de-AT", "{link}"), ("de_at", "{link}")])) == [
                "duplicate /fields/values/1/locale"
            ])
    }

    @Test("A message has the position of the row in the input, also after omitted rows")
    func positions() throws {
        var fields = text([("en", "{link}")])
        fields["values"] = .array([.null, .object(["locale": "en", "value": "nothing"])])
        #expect(try faults("text", fields) == ["placeholder /fields/values/1/value"])
    }

    // MARK: Settings

    private func setting(_ kind: String, _ value: String, _ more: [String: JSONValue] = [:]) throws -> [String] {
        try faults(
            "setting", more.merging(["section": "G", "kind": .string(kind), "value": .string(value)]) { $1 })
    }

    @Test(
        "K9: a number is within its limits (inclusive)",
        arguments: [("2", "too_small"), ("3", nil), ("10", nil), ("11", "too_large")])
    func limits(value: String, code: String?) throws {
        let found = try setting("integer", value, ["minimum": .int(3), "maximum": .int(10)])
        #expect(found == (code.map { ["\($0) /fields/value"] } ?? []))
    }

    @Test("A value matches its kind")
    func kinds() throws {
        #expect(try setting("integer", "-7") == [])
        #expect(try setting("integer", "7.0") == ["type /fields/value"])
        #expect(try setting("integer", "") == ["required /fields/value"])
        #expect(try setting("integer", String(repeating: "9", count: 15)) == [])
        #expect(try setting("integer", String(repeating: "9", count: 16)) == ["type /fields/value"])
        #expect(try setting("number", "0.5") == [])
        #expect(try setting("number", ".5") == ["type /fields/value"])
        #expect(try setting("number", "1e5") == ["type /fields/value"])
        #expect(try setting("boolean", "true") == [])
        #expect(try setting("boolean", "yes") == ["type /fields/value"])
        #expect(try setting("text", "Ready") == [])
        #expect(try setting("text", "") == ["required /fields/value"])
        #expect(try setting("list", "a\nb") == [])
        #expect(try setting("list", "") == [], "an empty list says: none")
        #expect(try setting("list", "a\n a ") == ["duplicate /fields/value"])
        #expect(try setting("choice", "<", ["choices": "<\n<="]) == [])
        #expect(try setting("choice", ">", ["choices": "<\n<="]) == ["choice /fields/value"])
        #expect(try setting("choice", "<") == ["required /fields/choices"])
        #expect(try setting("text", "x", ["choices": "x"]) == ["required /fields/choices"])
        #expect(
            try setting("integer", "5", ["minimum": .int(6), "maximum": .int(5)]) == ["too_large /fields/minimum"])
    }

    @Test("An unknown rule is rejected by name")
    func unknown() throws {
        let file = ContentFixture.thingFile("", more: #""rule":"onbaording","#)
        #expect(
            problems { _ = try ContentTypes(files: [file], kinds: ContentFixture.kinds) } == ["choice thing.json#/rule"]
        )
    }
}
