// Tests the validation of rows fields, including their limits.
import Testing

@testable import Domain

@Suite("Rows fields")
struct RowsFieldTests {
    private static let id = "00000000-0000-7000-8000-000000000011"
    private static let other = "00000000-0000-7000-8000-000000000012"

    /// Two to three screens with a text of at most 5 characters, an image, a boolean, a choice and a reference.
    private func type(_ more: String = "", minCount: Int = 2, maxCount: Int = 3) throws -> ContentType {
        try ContentFixture.thing(
            """
            {"name":"x","label":"Screens","row_label":"Screen","help":"h","type":"rows","min_count":\(minCount),
             "max_count":\(maxCount),"preview":true,"submittable":true\(more),"fields":[
             {"name":"text","label":"Text","help":"h","type":"text","required":true,"max_length":5,"preview":true},
             {"name":"image","label":"Image","help":"h","type":"image"},
             {"name":"body","label":"Body","help":"h","type":"rich_text"},
             {"name":"kind","label":"Kind","help":"h","type":"choice","default":"a","submittable":false,
              "choices":[{"value":"a","label":"A"},{"value":"b","label":"B"}]},
             {"name":"place","label":"Place","help":"h","type":"reference","targets":["thing"],"counted":true}]}
            """)
    }

    private func screens(_ count: Int) -> JSONValue {
        .array((0..<count).map { .object(["text": .string("s\($0)")]) })
    }

    @Test("R1: rows are cleaned field by field, keep their order, and get their defaults")
    func cleaned() throws {
        let stored = try type().stored(
            .array([
                .object(["text": " two  ", "image": "https://example.org/a.png", "body": "<script>x"]),
                .object(["text": "one", "kind": "b", "place": .string(Self.id.uppercased())]),
            ]))
        #expect(
            stored
                == .array([
                    .object([
                        "text": "two", "image": .object(["url": "https://example.org/a.png"]), "body": "x",
                        "kind": "a",
                    ]),
                    .object(["text": "one", "kind": "b", "place": .string(Self.id)]),
                ]))
    }

    @Test("minCount and maxCount are inclusive; no rows means no value")
    func counts() throws {
        let type = try type()
        #expect(type.problems(screens(1)) == ["too_short /fields/x"])
        #expect(type.problems(screens(2)) == [])
        #expect(type.problems(screens(3)) == [])
        #expect(type.problems(screens(4)) == ["too_long /fields/x"])
        #expect(type.problems(screens(101)) == ["too_long /fields/x"], "much too long a list is not looked at")
        #expect(try type.stored(.array([])) == nil)
        #expect(try type.stored(.null) == nil)
        let required = try self.type(#","required":true"#)
        #expect(required.problems(.array([])) == ["required /fields/x"])
        #expect(required.problems(.array([.null])) == ["required /fields/x"])
    }

    @Test("All messages of all rows are reported at once, at the positions of the input")
    func pointers() throws {
        let type = try type()
        let rows: JSONValue = .array([
            .null,
            .object(["text": "12345"]),
            .object(["text": "123456", "image": .object(["url": "http://example.org"])]),
            .object(["image": "https://example.org/a.png", "txet": "x"]),
            "a text", .object([:]),
        ])
        #expect(
            type.problems(rows) == [
                "too_long /fields/x/2/text", "scheme /fields/x/2/image/url", "required /fields/x/3/text",
                "unknown_field /fields/x/3/txet", "type /fields/x/4",
            ])
        #expect(type.problems("a text") == ["type /fields/x"])
        let errors = fieldErrors { _ = try type.stored(rows) }
        #expect(errors.messages(at: "/fields/x/3/text") == ["Screen 4, Text is required."])
        #expect(errors.messages(at: "/fields/x/3/txet").first?.contains("text") == true, "suggests a name")
    }

    @Test("A submission can't set row fields that are not submittable, and gets no defaults")
    func submissions() throws {
        let type = try type()
        let row: JSONValue = .object(["text": "a", "kind": "b"])
        #expect(
            type.problems(.array([row, .object(["text": "b", "place": .string(Self.id)])]), .submission) == [
                "unknown_field /fields/x/0/kind", "unknown_field /fields/x/1/place",
            ])
        #expect(try type.stored(screens(2), .submission) == screens(2))
    }

    @Test("References in rows are listed by rows and field, without duplicates, and counted as configured")
    func references() throws {
        let type = try type()
        let rows: [JSONValue] = [Self.id, Self.other, Self.id].map { .object(["text": "t", "place": .string($0)]) }
        let content = Content(fields: ["title": "T", "x": .array(rows)])
        #expect(
            content.references(of: type).map { "\($0.field) \($0.position) \($0.id) \($0.counted)" } == [
                "x.place 0 \(Self.id) true", "x.place 1 \(Self.other) true",
            ])
        #expect(content.references(of: type).map(\.pointer) == ["/fields/x/0/place", "/fields/x/1/place"])
        #expect(
            content.leaves(of: type).map(\.path) == [
                "title", "x.text", "x.place", "x.text", "x.place", "x.text", "x.place",
            ])
    }

    @Test("The preview of rows contains only preview fields")
    func preview() throws {
        let type = try type()
        let content = Content(fields: ["x": .array([.object(["text": "t", "body": "secret"])])])
        #expect(content.preview(in: type)["x"] == .array([.object(["text": "t"])]))
    }

    @Test("The diff shows rows with field labels; an inserted row does not change the others")
    func difference() throws {
        let type = try type()
        let old = Content(fields: ["x": .array([.object(["text": "b", "kind": "a"])])])
        let new = Content(
            fields: ["x": .array([.object(["text": "n"]), .object(["text": "b", "kind": "a"])])])
        let change = try #require(ContentDiff.between(old: old, new: new, type: type).first)
        #expect(change.label == "Screens")
        #expect(change.new == "Text: n\n\nText: b\nKind: A")
        #expect(change.runs.filter { $0.kind == .removed }.isEmpty)
        #expect(change.runs.filter { $0.kind == .added }.map(\.text).joined().contains("n"))
    }

    @Test("A form without row inputs shows and reads rows as JSON")
    func json() throws {
        let field = try #require(try type().field("x"))
        let rows = screens(2)
        #expect(field.value(fromForm: field.formTexts(of: rows)) == rows)
        #expect(field.value(fromForm: ["["]) == "[")
        #expect(field.value(fromForm: [""]) == nil)
    }

    @Test("Invalid definitions of rows fields are rejected")
    func definitions() throws {
        func faults(_ more: String, type: String = "rows") -> [String] {
            problems { _ = try ContentFixture.field(type, more) }
        }
        let text = #"{"name":"t","label":"T","help":"h","type":"text"}"#
        #expect(faults(#","fields":[\#(text)]"#) == [])
        #expect(faults("") == ["required thing.json#/fields/1/fields"])
        #expect(faults(#","fields":[\#(text)]"#, type: "text") == ["required thing.json#/fields/1/fields"])
        #expect(faults(#","fields":[\#(text),\#(text)]"#) == ["duplicate thing.json#/fields/1/fields/1/name"])
        #expect(
            faults(#","fields":[{"name":"r","label":"R","help":"h","type":"rows","fields":[\#(text)]}]"#) == [
                "type thing.json#/fields/1/fields/0/type"
            ])
        #expect(
            faults(#","fields":[{"name":"r","label":"R","help":"h","type":"reference","targets":["nothing"]}]"#) == [
                "reference thing.json#/fields/1/fields/0/targets"
            ])
        #expect(faults(#","min_count":3,"max_count":3,"fields":[\#(text)]"#) == [])
        #expect(faults(#","min_count":4,"max_count":3,"fields":[\#(text)]"#) == ["type thing.json#/fields/1/min_count"])
        #expect(faults(#","min_count":4"#, type: "text") == ["type thing.json#/fields/1/min_count"])
        // One input per row marks the row as present.
        #expect(faults(#","max_count":450,"fields":[\#(text)]"#) == [])
        #expect(faults(#","max_count":451,"fields":[\#(text)]"#) == ["too_large thing.json#/fields/1/max_count"])
        let wrong = #"{"name":"t","label":"T","help":"h","type":"integer","default":"x"}"#
        #expect(faults(#","fields":[\#(wrong)]"#) == ["type thing.json#/fields/1/fields/0/default"])
    }
}
