// Tests the preview, references and canonical text of content.
import Domain
import Testing

@Suite struct ContentTests {
    let id = "01890a5d-ac96-774b-bcce-b302099a8057"

    func check(_ type: ContentType, _ raw: [String: JSONValue], _ purpose: ContentType.Purpose) throws -> Content {
        try type.check(raw, purpose: purpose, cleaning: ContentFixture.cleaning).content
    }

    @Test("A16: the preview contains only public fields, cut between words")
    func preview() throws {
        let type = try ContentFixture.thing(
            """
            {"name":"s","label":"S","help":"h","type":"long_text","preview":true},
            {"name":"x","label":"X","help":"h","type":"long_text"}
            """, more: #""preview_length":20,"#)
        func preview(_ text: String) -> [String: JSONValue] {
            Content(fields: ["title": "T", "s": .string(text), "x": "secret", "gone": "secret"]).preview(in: type)
        }
        #expect(preview("12345678901234567890") == ["s": "12345678901234567890"])
        #expect(preview("123456789 123456789 1") == ["s": "123456789 123456789…"])
        #expect(preview("123456789 1234567890 1") == ["s": "123456789…"])
        #expect(preview("123456789012345678901") == ["s": "1234567890123456789…"])
    }

    @Test("content lists its references in order")
    func referencesOf() throws {
        let type = try ContentFixture.projectType("article")
        let other = "01890a5d-ac96-774b-bcce-b302099a8058"
        let content = try check(
            type,
            [
                "title": "T", "body": "B", "categories": .array([.string(id)]),
                "feeds": .array([.string(other), .string(id)]),
            ], .revision)
        let found = content.references(of: type).map { "\($0.field) \($0.position) \($0.id)" }
        #expect(found == ["feeds 0 \(other)", "feeds 1 \(id)", "categories 0 \(id)"])
        #expect(
            content.references(of: type).map { "\($0.pointer) \($0.targets)" } == [
                #"/fields/feeds/0 ["feed"]"#, #"/fields/feeds/1 ["feed"]"#, #"/fields/categories/0 ["category"]"#,
            ])
        let category = try ContentFixture.projectType("category")
        #expect(Content(fields: ["group": .string(id)]).references(of: category).map(\.pointer) == ["/fields/group"])
        #expect(
            Content(fields: ["group": .string(id)]).references(of: try ContentFixture.projectType("category")).count
                == 1)
    }

    @Test("equal content has equal canonical text")
    func canonical() throws {
        let type = try ContentFixture.field("text")
        let one = try check(type, ["title": "e\u{301}", "x": "a "], .revision)
        let two = try check(type, ["x": " a", "title": "\u{E9}"], .revision)
        #expect(one.canonicalText == two.canonicalText)
        #expect(one.canonicalText == "{\"title\":\"\u{E9}\",\"x\":\"a\"}")
    }

    @Test("validating stored content changes nothing")
    func idempotent() throws {
        let type = try ContentFixture.projectType("video")
        let raw: [String: JSONValue] = [
            "title": " Ca\u{301}t ", "body": "<script>x\r\n", "url": "HTTP://A.example", "duration": "PT1M",
            "published": "2026-11-20t18:00:00z", "poster": "https://a.b/c", "feeds": .array([.string(id.uppercased())]),
            "provider": "p", "account": "a", "provider_ref": "1", "hls_url": "https://a.b/c.m3u8",
            "media": .object(["a": .double(1)]), "slug": "a",
        ]
        let once = try check(type, raw, .revision)
        #expect(try check(type, once.fields, .revision).canonicalText == once.canonicalText)
    }
}
