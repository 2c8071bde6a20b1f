// Tests content validation: each field type at its boundaries.
import Domain
import Testing

@Suite struct ContentCheckTests {
    let id = "01890a5d-ac96-774b-bcce-b302099a8057"

    func check(_ type: ContentType, _ raw: [String: JSONValue], _ purpose: ContentType.Purpose) throws -> Content {
        try type.check(raw, purpose: purpose, cleaning: ContentFixture.cleaning).content
    }

    @Test("all messages are reported at once, each at its field")
    func allAtOnce() throws {
        let type = try ContentFixture.thing(
            """
            {"name":"n","label":"N","help":"h","type":"integer","required":true},
            {"name":"u","label":"U","help":"h","type":"url"}
            """)
        let errors = fieldErrors {
            _ = try check(type, ["u": "ftp://a.b", "titel": "T", "a/b": .null], .revision)
        }
        #expect(errors.items.map(\.code) == ["required", "required", "scheme", "unknown_field", "unknown_field"])
        #expect(
            errors.items.map(\.pointer) == ["/fields/title", "/fields/n", "/fields/u", "/fields/a~1b", "/fields/titel"])
        #expect(errors.messages(at: "/fields/titel") == ["Unknown field name. Did you mean title?"])
        #expect(errors.messages(at: "/fields/title") == ["Title is required."])
    }

    @Test("of many unknown fields the first twenty are named, in their order")
    func unknownFields() throws {
        let type = try ContentFixture.projectType("article")
        let names = (0..<50).map { "x\($0 / 10)\($0 % 10)" }
        for count in [20, 21, 50] {
            var raw: [String: JSONValue] = ["title": "T", "body": "<p>B</p>"]
            for name in names.prefix(count) { raw[name] = .int(1) }
            let found = problems { _ = try check(type, raw, .submission) }
            #expect(found == names.prefix(20).map { "unknown_field /fields/\($0)" })
        }
    }

    @Test("S16: a submission can only set submittable fields, and requires no references")
    func submission() throws {
        let type = try ContentFixture.projectType("article")
        let raw: [String: JSONValue] = ["title": "T", "body": "<p>B</p>"]
        #expect(try check(type, raw, .submission).fields == raw)
        for name in ["slug", "tier", "feeds", "categories"] {
            let found = problems { _ = try check(type, raw.merging([name: "x"]) { $1 }, .submission) }
            #expect(found == ["unknown_field /fields/\(name)"])
        }
        #expect(
            problems { _ = try check(type, [:], .submission) } == ["required /fields/title", "required /fields/body"])
        let category = try ContentFixture.projectType("category")
        #expect(problems { _ = try check(category, ["title": "T"], .submission) }.isEmpty)
        #expect(problems { _ = try check(category, ["title": "T"], .revision) } == ["required /fields/group"])
    }

    @Test("A field that its type no longer has is left out of versions, kept from readers, and unknown to submissions")
    func removed() throws {
        let type = try ContentFixture.projectType("article")
        #expect(type.removedFields == ["rank"] && type.internalFields.contains("rank"))
        let raw: [String: JSONValue] = ["title": "T", "body": "<p>B</p>"]
        let stored = raw.merging(["rank": .int(3)]) { $1 }
        #expect(try check(type, stored, .revision).fields == raw)
        #expect(problems { _ = try check(type, stored, .submission) } == ["unknown_field /fields/rank"])
        let misspelled = raw.merging(["ranks": .int(3)]) { $1 }
        #expect(problems { _ = try check(type, misspelled, .revision) } == ["unknown_field /fields/ranks"])
    }

    @Test("Values of fields that the type doesn't declare stay as they were stored, and only those")
    func undeclared() throws {
        let type = try ContentFixture.thing(#"{"name":"x","label":"X","help":"h","type":"text"}"#)
        func kept(_ raw: [String: JSONValue], _ stored: [String: JSONValue]) throws -> [String: JSONValue] {
            try type.check(raw, purpose: .revision, cleaning: ContentFixture.cleaning, keeping: stored).content.fields
        }
        let stored: [String: JSONValue] = ["title": "T", "x": "1", "old": .array(["a", "b"])]
        // Sent back whole, as a command does, and left out, as a form does. A declared field is not kept.
        #expect(try kept(stored, stored) == stored)
        #expect(try kept(["title": "U"], stored) == ["title": "U", "old": .array(["a", "b"])])
        for changed: JSONValue in [.array(["b", "a"]), .null, "a"] {
            let raw: [String: JSONValue] = ["title": "T", "old": changed]
            #expect(problems { _ = try kept(raw, stored) } == ["unknown_field /fields/old"])
        }
        let new: [String: JSONValue] = ["title": "T", "new": .array(["a", "b"])]
        #expect(problems { _ = try kept(new, stored) } == ["unknown_field /fields/new"])
        #expect(problems { _ = try kept(stored, [:]) } == ["unknown_field /fields/old"])
        #expect(problems { _ = try check(type, stored, .submission) } == ["unknown_field /fields/old"])
        let sent = try type.check(
            ["title": "U"], purpose: .submission, cleaning: ContentFixture.cleaning, keeping: stored)
        #expect(sent.content.fields == ["title": "U", "old": .array(["a", "b"])])
        let removed = try ContentFixture.thing("", more: #""removed_fields":["old"],"#)
        let dropped = try removed.check(
            ["title": "T", "old": "a"], purpose: .revision, cleaning: ContentFixture.cleaning,
            keeping: ["title": "T", "old": "a"])
        #expect(dropped.content.fields == ["title": "T"])
        let declared = try ContentFixture.thing(#"{"name":"old","label":"Old","help":"h","type":"text"}"#)
        let edited = try declared.check(
            ["title": "T"], purpose: .revision, cleaning: ContentFixture.cleaning, keeping: ["title": "T", "old": "a"])
        #expect(edited.content.fields == ["title": "T"])
    }

    @Test("Each value of an edit is checked by itself: none is required or has a default, but rows are complete")
    func edit() throws {
        let type = try ContentFixture.thing(
            """
            {"name":"n","label":"N","help":"h","type":"integer","required":true},
            {"name":"m","label":"M","help":"h","type":"integer"},
            {"name":"d","label":"D","help":"h","type":"boolean","default":true},
            {"name":"r","label":"R","help":"h","type":"rows","fields":[
             {"name":"t","label":"T","help":"h","type":"text","required":true},
             {"name":"u","label":"U","help":"h","type":"text"}]}
            """, more: #""requires_one_of":[["n","m"]],"requires_together":[["m","r"]],"#)
        #expect(try check(type, [:], .edit).fields == [:])
        #expect(try check(type, ["m": .int(1)], .edit).fields == ["m": .int(1)])
        #expect(problems { _ = try check(type, ["n": "1"], .edit) } == ["type /fields/n"])
        #expect(problems { _ = try check(type, ["x": "1"], .edit) } == ["unknown_field /fields/x"])
        let rows = JSONValue.array([.object(["u": "U"])])
        #expect(problems { _ = try check(type, ["r": rows], .edit) } == ["required /fields/r/0/t"])
    }

    @Test("many unknown fields get at most 20 messages")
    func manyUnknown() throws {
        let type = try ContentFixture.thing("")
        let raw = Dictionary(uniqueKeysWithValues: (0..<5000).map { ("f\($0)", JSONValue.null) })
        #expect(problems { _ = try check(type, raw, .revision) }.count == 21)
    }

    @Test("defaults are filled only for a revision without a value")
    func defaults() throws {
        let type = try ContentFixture.field("boolean", #","default":true"#)
        #expect(try type.stored(.null) == .bool(true))
        #expect(try type.stored(.bool(false)) == .bool(false))
        #expect(try type.stored(.null, .submission) == nil)
        #expect(type.problems("x") == ["type /fields/x"])
    }

    @Test("A38: one field of a group is required; an invalid one has only its own message")
    func groups() throws {
        let type = try ContentFixture.projectType("video")
        func found(_ more: [String: JSONValue], _ purpose: ContentType.Purpose = .revision) -> [String] {
            problems { _ = try check(type, more.merging(["title": "T"]) { $1 }, purpose) }
        }
        #expect(found([:]) == ["required /fields/provider_ref"])
        #expect(found([:], .submission) == ["required /fields/provider_ref"])
        #expect(found(["provider": "p", "account": "a", "provider_ref": "1"]) == [])
        #expect(found(["hls_url": "https://a.b/c.m3u8"]) == [])
        #expect(found(["hls_url": "http://a.b/c.m3u8"]) == ["scheme /fields/hls_url"])
    }

    @Test("A38: provider, account and ID are required together; only the missing ones are reported")
    func together() throws {
        let type = try ContentFixture.projectType("video")
        func found(_ more: [String: JSONValue], _ purpose: ContentType.Purpose = .revision) -> [String] {
            problems { _ = try check(type, more.merging(["title": "T"]) { $1 }, purpose) }
        }
        #expect(found(["provider_ref": "1"]) == ["required /fields/provider", "required /fields/account"])
        #expect(found(["provider_ref": "1"], .submission) == ["required /fields/provider", "required /fields/account"])
        #expect(found(["provider": "p", "provider_ref": "1"]) == ["required /fields/account"])
        let stream: [String: JSONValue] = ["hls_url": "https://a.b/c.m3u8"]
        #expect(found(stream.merging(["account": "a"]) { $1 }).count == 2)
        #expect(found(stream.merging(["provider": "p", "account": "a", "provider_ref": "1"]) { $1 }) == [])
    }

    @Test("S39: text is one line, composed and trimmed, without control characters")
    func text() throws {
        let type = try ContentFixture.field("text")
        #expect(
            try type.stored(" a\r\nb\tc\u{2028}d\u{7}\u{9F}\u{85}e\u{301} ")?.stringValue?.unicodeScalars.elementsEqual(
                "a b c d é".precomposed.unicodeScalars) == true)
        #expect(try type.stored("") == nil && type.stored(" \u{200B}\u{FEFF}\n") == nil)
        #expect(type.problems("a\0") == ["control_characters /fields/x"])
        #expect(type.problems(.int(1)) == ["type /fields/x"])
        #expect(type.problems(.array(["a"])) == ["type /fields/x"])
        #expect(try type.stored("1' OR '1'='1'; --") == "1' OR '1'='1'; --")
    }

    @Test("S39: lengths are counted in grapheme clusters and in bytes")
    func lengths() throws {
        let clusters = try ContentFixture.field("text", #","max_length":3"#)
        let family = "👨‍👩‍👧"
        #expect(try clusters.stored(.string(family + "éa")) == .string(family + "éa"))
        #expect(clusters.problems("abcd") == ["too_long /fields/x"])
        #expect(try clusters.stored("abc ") == "abc")
        let bytes = try ContentFixture.field("text", #","max_length":3,"max_bytes":4"#)
        #expect(try bytes.stored("éé") == "éé")
        #expect(bytes.problems("ééa") == ["too_long /fields/x"])
        #expect(clusters.problems(.string("a" + String(repeating: "\u{301}", count: 100))) == ["too_long /fields/x"])
        let least = try ContentFixture.field("text", #","minimum":2"#)
        #expect(try least.stored("é😀") != nil && least.stored("") == nil)
        #expect(least.problems("é") == ["too_short /fields/x"])
    }

    @Test("S39: titles reject bidirectional controls", arguments: [0x202A, 0x202E, 0x2066, 0x2069])
    func bidi(value: UInt32) throws {
        let type = try ContentFixture.field("text")
        let text = "a\(Unicode.Scalar(value).map(String.init) ?? "")b"
        let found = problems { _ = try check(type, ["title": .string(text)], .revision) }
        #expect(found == ["control_characters /fields/title"])
        #expect(try type.stored(.string(text)) == .string(text))
        #expect(try check(type, ["title": "\u{200F}שלום"], .revision).title(in: type) == "\u{200F}שלום")
    }

    @Test("S39: long text keeps lines and tabs, with normalized line endings")
    func longText() throws {
        let type = try ContentFixture.field("long_text")
        #expect(try type.stored(" a\r\nb\rc\n\td\u{1B}[0m\u{2029} ") == " a\nb\nc\n\td[0m\n ")
        #expect(type.problems("a\0") == ["control_characters /fields/x"])
    }

    @Test("markup is cleaned by the injected functions before its length is checked")
    func markup() throws {
        let rich = try ContentFixture.field("rich_text", #","max_length":5"#)
        #expect(try rich.stored("<script>12345") == "12345")
        #expect(try rich.stored("<script>") == nil)
        #expect(rich.problems("123456") == ["too_long /fields/x"])
        #expect(rich.problems("<broken") == ["format /fields/x"])
        #expect(try ContentFixture.field("markdown").stored("a<b") == "a<b")
        #expect(try ContentFixture.field("markdown").problems("<broken") == ["format /fields/x"])
    }

    @Test(
        "A required text needs something to read or to see, in rows, too",
        arguments: [
            "<p></p>", "<p>\u{A0}</p>", "<ul><li></li></ul>", "<hr>", "<p>\u{200B}</p>",
            "<p>\u{3000}\u{2800}\u{AD}\u{FFFC}</p>", "<h2> </h2>", "\u{200B}",
            "<p><a href=\"https://example.org/\"></a></p>",
        ])
    func empty(html: String) throws {
        let rich = try ContentFixture.thing(
            """
            {"name":"x","label":"X","help":"h","type":"rich_text","required":true},
            {"name":"m","label":"M","help":"h","type":"rich_text"},
            {"name":"r","label":"R","help":"h","type":"rows","fields":[
             {"name":"t","label":"T","help":"h","type":"rich_text","required":true}]}
            """)
        func check(_ x: JSONValue) throws -> [String: JSONValue] {
            try rich.check(
                ["title": "T", "x": x, "m": x, "r": .array([.object(["t": x])])], purpose: .submission,
                cleaning: ContentFixture.cleaning
            ).content.fields
        }
        do {
            _ = try check(.string(html))
            Issue.record("\(html.debugDescription) was taken")
        } catch Failure.invalid(let errors) {
            #expect(errors.items.map(\.pointer) == ["/fields/x", "/fields/r/0/t"])
            #expect(errors.items.allSatisfy { $0.code == "required" })
        }
        let image = "<p><img src=\"https://example.org/a.jpg\" alt=\"\"></p>"
        #expect(try check(.string(image))["m"] == .string(image))
        #expect(try check("<p>{x}</p>")["x"] == "<p>{x}</p>")
    }

    @Test("A3: what is removed from a value is named in a warning at its field, and nothing else is")
    func warnings() throws {
        let type = try ContentFixture.thing(
            """
            {"name":"x","label":"X","help":"h","type":"rich_text"},{"name":"m","label":"M","help":"h","type":"markdown"},
            {"name":"r","label":"R","help":"h","type":"rows","fields":[
             {"name":"t","label":"T","help":"h","type":"text"}]}
            """)
        func warnings(_ raw: [String: JSONValue], base: String? = nil) throws -> [String] {
            try type.check(
                raw.merging(["title": "T"]) { given, _ in given }, purpose: .revision,
                cleaning: ContentFixture.cleaning,
                base: base
            ).warnings.items.map { "\($0.code) \($0.pointer) \($0.message)" }
        }
        #expect(try warnings(["x": "a\u{85}b\u{9}c\r\nd", "m": "a"]) == [])
        #expect(try warnings(["x": "<script>a"]) == ["removed /fields/x X: Removed: <script>."])
        #expect(try warnings(["m": "<script>a"]) == ["removed /fields/m M: Removed: HTML tags."])
        #expect(
            try warnings(["title": "T\u{7}", "r": .array([.null, .object(["t": "a\u{9F}"])])])
                == [
                    "control_characters /fields/title Title: Invisible control characters were removed.",
                    "control_characters /fields/r/1/t R 2, T: Invisible control characters were removed.",
                ])
    }

    @Test("relative addresses in markup refer to the given base")
    func base() throws {
        let type = try ContentFixture.field("rich_text")
        let checked = try type.check(
            ["title": "T", "x": "see BASE"], purpose: .submission, cleaning: ContentFixture.cleaning,
            base: "https://example.org/")
        #expect(checked.content.fields["x"] == "see https://example.org/")
    }

    @Test("a number is within its limits (inclusive)")
    func numbers() throws {
        let whole = try ContentFixture.field("integer", #","minimum":1,"maximum":2"#)
        #expect(try whole.stored(.int(1)) == .int(1) && whole.stored(.int(2)) == .int(2))
        #expect(whole.problems(.int(0)) == ["too_small /fields/x"])
        #expect(whole.problems(.int(3)) == ["too_large /fields/x"])
        #expect(whole.problems(.double(1.5)) == ["type /fields/x"])
        #expect(whole.problems("1") == ["type /fields/x"])
        let number = try ContentFixture.field("number", #","minimum":-0.5"#)
        #expect(try number.stored(.double(-0.5)) == .double(-0.5) && number.stored(.double(2)) == .int(2))
        #expect(number.problems(.double(-0.51)) == ["too_small /fields/x"])
        #expect(number.problems(.double(.infinity)) == ["type /fields/x"])
    }

    @Test("B29: a category group is number 1 or 2")
    func groupNumber() throws {
        let type = try ContentFixture.projectType("category_group")
        func found(_ number: JSONValue) -> [String] {
            problems { _ = try check(type, ["title": "Type of food", "number": number], .revision) }
        }
        #expect(found(.int(1)) == [] && found(.int(2)) == [])
        #expect(found(.int(0)) == ["too_small /fields/number"])
        #expect(found(.int(3)) == ["too_large /fields/number"])
        #expect(found(.null) == ["required /fields/number"])
    }

    @Test("A17: a feed is free or premium and always has a value")
    func tier() throws {
        let type = try ContentFixture.projectType("feed")
        func found(_ tier: JSONValue) -> [String] {
            problems { _ = try check(type, ["title": "T", "tier": tier], .revision) }
        }
        #expect(found("free") == [] && found("premium") == [])
        #expect(found("gold") == ["choice /fields/tier"] && found("Free") == ["choice /fields/tier"])
        #expect(found(.null) == ["required /fields/tier"] && found("") == ["required /fields/tier"])
        let content = try check(type, ["title": "T", "tier": "free"], .revision)
        #expect(content.fields["order"] == "newest" && content.fields["publish_on_approval"] == .bool(true))
    }

    @Test("a reference is an entry ID; lists keep their order without duplicates")
    func references() throws {
        let one = try ContentFixture.field("reference", #","targets":["thing"]"#)
        #expect(try one.stored(.string(id.uppercased())) == .string(id))
        #expect(one.problems("x") == ["reference /fields/x"])
        #expect(one.problems(.array([.string(id)])) == ["type /fields/x"])
        let other = "01890a5d-ac96-774b-bcce-b302099a8058"
        let many = try ContentFixture.field("references", #","targets":["thing"],"max_count":2,"minimum":2"#)
        #expect(
            try many.stored(.array([.string(other), .string(id), .string(other)]))
                == .array([.string(other), .string(id)]))
        #expect(
            many.problems(.array(["x", .string(id), .int(1)])) == [
                "reference /fields/x/0", "reference /fields/x/2", "too_short /fields/x",
            ])
        #expect(many.problems(.array([.string(id), .string(id)])) == ["too_short /fields/x"])
        let three = [id, other, "01890a5d-ac96-774b-bcce-b302099a8059"].map(JSONValue.string)
        #expect(many.problems(.array(three)) == ["too_long /fields/x"])
        #expect(many.problems(.array(Array(repeating: "x", count: 100_000))) == ["too_long /fields/x"])
        #expect(many.problems(.string(id)) == ["type /fields/x"])
        #expect(try many.stored(.array([])) == nil)
    }

    @Test("S39: zero-width characters are removed from slugs")
    func slugs() throws {
        let type = try ContentFixture.projectType("category")
        func slug(_ text: String) throws -> JSONValue? {
            let raw: [String: JSONValue] = ["title": "T", "group": .string(id), "slug": .string(text)]
            return try check(type, raw, .revision).fields["slug"]
        }
        #expect(try slug(" slow-\u{200B}tra\u{FEFF}vel ") == "slow-travel")
        #expect(problems { _ = try slug("Slow Travel") } == ["format /fields/slug"])
        #expect(problems { _ = try slug("a\0") } == ["control_characters /fields/slug"])
        #expect(try slug("") == nil)
    }

    @Test(
        "S49: a long run of any character is checked without problems",
        arguments: ["a", " ", "\u{301}", "é", "\u{202E}", "-", "<"])
    func floods(character: String) throws {
        let flood = JSONValue.string(String(repeating: character, count: 100_000))
        for name in ["text", "long_text", "rich_text", "url", "datetime", "duration", "point", "image", "integer"] {
            _ = try ContentFixture.field(name).problems(flood)
        }
        #expect(Slug.make(from: flood.stringValue ?? "").count <= Slug.maxLength)
    }
}

extension String {
    /// Compares scalars, since a literal may be in either normal form.
    var precomposed: String { replacing("e\u{301}", with: "\u{E9}") }
}
