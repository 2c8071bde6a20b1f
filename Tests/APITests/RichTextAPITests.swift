// Tests what apps get of texts with markup: both forms of Markdown, nothing dangerous, and word of what was removed.
import API
import Domain
import FoundationEssentials
import Markup
import Operations
import Store
import TestBasics
import TestSupport
import Testing

@Suite("Rich text over the API", .databases)
struct RichTextAPITests {
    private static func values(_ texts: (locale: String, value: String)...) -> JSONValue {
        .array(texts.map { .object(["locale": .string($0.locale), "value": .string($0.value)]) })
    }

    private static func submission(_ fields: [String: JSONValue]) -> String {
        JSONValue.object(["type": "article", "contributor": "u", "fields": .object(fields)]).canonicalText
    }

    /// `pointer code message` of each warning.
    private static func warnings(_ reply: APIReply) -> [String]? {
        reply.json["warnings"]?.arrayValue?.map { warning in
            ["pointer", "code", "message"].map { warning[$0]?.stringValue ?? "-" }.joined(separator: " ")
        }
    }

    @Test("B61: a text in Markdown is served as written and as safe HTML, a plain one as written only")
    func bothForms() async throws {
        let (api, guest) = try await APIFixture.serving([.readGuest])
        let source = "# Hi *{name}*\n\n<script>alert(1)</script>\n\n[a](javascript:alert(1)) [b](https://example.org/)"
        let id = try await api.publish(
            "text", "About",
            [
                "key": "site.both", "format": "markdown", "placeholders": .array([.object(["name": "name"])]),
                "values": Self.values(("en", source), ("de", "**Servus**")),
            ])
        let english = try await api.get("/v1/texts/site.both", as: guest).json
        let stored = source.replacing("<script>alert(1)</script>", with: "")
        #expect(english["value"]?.stringValue == stored, "without HTML tags, otherwise as written")
        let rendered = try #require(english["html"]?.stringValue)
        #expect(HTMLPayloads.faults(rendered).isEmpty && rendered.contains("<h2>Hi <em>{name}</em></h2>"))
        #expect(rendered.contains("<a href=\"https://example.org/\" rel=\"nofollow ugc noopener\">b</a>"))
        let german = try await api.get("/v1/texts/site.both?locale=de", as: guest).json
        #expect(german["html"] == "<p><strong>Servus</strong></p>\n")
        let listed = try await api.get("/v1/texts?prefix=site.both", as: guest).data
        #expect(listed.first?["html"] == english["html"])
        let column: String = try await api.test.client.one(
            "select html from api_v1.text where key = 'site.both' and locale = 'de'")("html")
        #expect(column == "<p><strong>Servus</strong></p>\n")

        try await api.edit(id, ["format": "plain"])
        let plain = try await api.get("/v1/texts/site.both", as: guest).json
        #expect(plain["value"]?.stringValue == stored && plain["html"] == .null)
        #expect(try await api.test.database.publications.verify().isEmpty)
    }

    @Test("B61: the seeded text in Markdown has the HTML that its Markdown renders to")
    func seeded() async throws {
        let api = try await APIFixture.make()
        let stored = try await api.test.client.query(
            "select entry_id, content, html from curation.revision where content ->> 'format' = 'markdown'")
        #expect(!stored.isEmpty)
        let type = try api.test.rules.type(named: "text")
        for row in stored {
            let content = Content(fields: (try row("content") as JSONValue).objectValue ?? [:])
            let html = (try row("html") as JSONValue).objectValue ?? [:]
            let texts = try await api.test.rules.texts(of: content, in: type)
            #expect(texts.html.mapValues(JSONValue.string) == html)
        }
    }

    @Test("B61: Markdown that can't be rendered is refused at its value")
    func tooComplex() async throws {
        let api = try await APIFixture.make()
        let fields: [String: JSONValue] = [
            "key": "site.long", "format": "markdown",
            "values": Self.values(("en", "short"), ("de", String(repeating: "*a _", count: 4000))),
        ]
        do {
            try await api.publish("text", "T", fields)
        } catch Failure.invalid(let errors) {
            #expect(errors.items.map(\.pointer) == ["/fields/values/1/value"] && errors.items.map(\.code) == ["format"])
        }
    }

    @Test("S3, B61: no known attack comes out of any field with markup, for guests and members")
    func everyRichField() async throws {
        let api = try await APIFixture.make()
        let (guest, member) = (try await api.client([.readGuest]), try await api.client([.readFull]))
        let note = """
            {"name":"note","label":"Note","plural":"Notes","help":"h","kind":"item","title_field":"title",
             "slug_field":"slug","fields":[
             {"name":"title","label":"Title","help":"h","type":"text","required":true,"preview":true},
             {"name":"slug","label":"Slug","help":"h","type":"text"},
             {"name":"categories","label":"Categories","help":"h","type":"references","targets":["category"]},
             {"name":"body","label":"Body","help":"h","type":"markdown"},
             {"name":"parts","label":"Parts","help":"h","type":"rows","fields":[
              {"name":"text","label":"Text","help":"h","type":"markdown"}]}]}
            """
        let types = try ContentTypes(
            files: [("note.json", Array(note.utf8))]
                + api.test.rules.types.all.filter { ContentType.Kind.core.contains($0.kind) }.map { type in
                    let path = TestDatabase.packageRoot + "/Config/content-types/\(type.name).json"
                    return ("\(type.name).json", [UInt8](FileManager.default.contents(atPath: path) ?? Data()))
                }, kinds: ContentType.Kind.core)
        _ = try await api.test.superuser().query(
            "insert into curation.content_type (name, kind, four_eyes, required_approvals) values ('note', 'item', false, 1)"
        )
        let write = try api.test.services(content: ContentRules(types: types)).writeEntry
        let unsorted = JSONValue.array([.string(SeedEntry.unsorted.description)])
        for start in stride(from: 0, to: HTMLPayloads.all.count, by: 8) {
            // A control character would be removed from the Markdown, too.
            let payload =
                "start\n\n"
                + HTMLPayloads.all[start..<min(start + 8, HTMLPayloads.all.count)].joined(separator: "\n\n")
                .replacing("\u{1}", with: "")
            func publish(_ type: String, _ fields: [String: JSONValue]) async throws -> ID<Entry> {
                try await write.create(
                    type: type, fields: fields.merging(["title": "T"]) { $1 }, publishTiming: .now,
                    by: TestDatabase.administrator
                ).entry
            }
            let feed = try await publish("feed", ["tier": "free", "about": .string(payload)])
            let article = try await publish(
                "article", ["body": .string(payload), "feeds": ids([feed]), "categories": unsorted])
            let video = try await publish(
                "video",
                [
                    "body": .string(payload), "hls_url": "https://media.example/a.m3u8", "feeds": ids([feed]),
                    "categories": unsorted,
                ])
            let noted = try await publish(
                "note",
                [
                    "body": .string(payload), "categories": unsorted,
                    "parts": .array([.object(["text": .string(payload)])]),
                ])
            _ = try await publish(
                "text",
                ["key": .string("site.p\(start)"), "format": "markdown", "values": Self.values(("en", payload))])
            var found: [String] = []
            for (path, member) in [
                ("/v1/items/\(article)", member), ("/v1/items/\(video)", member), ("/v1/feeds/\(feed)", member),
            ] {
                let document = try await api.get(path, as: member).json
                found += ["body", "about"].compactMap { document["fields"]?[$0]?.stringValue }
            }
            let notes = try await api.get("/v1/items/\(noted)", as: member).json
            let source = notes["fields"]?["body"]?.stringValue ?? ""
            #expect(
                try source.hasPrefix("start\n") && Markdown.clean(source).source == nil, "\(source.debugDescription)")
            let part = notes["fields"]?["parts"]?.arrayValue?.first?["text"]?.stringValue
            let text = try await api.get("/v1/texts/site.p\(start)", as: guest).json["value"]?.stringValue
            #expect(part == source && text == source)
            found += ["body", "parts/0/text"].compactMap { notes["html"]?[$0]?.stringValue }
            found += [try await api.get("/v1/texts/site.p\(start)", as: guest).json["html"]?.stringValue].compactMap(
                \.self)
            #expect(found.count == 6)
            for html in found { #expect(HTMLPayloads.faults(html).isEmpty, "\(html.debugDescription)") }
            let previews = try await [
                api.get("/v1/items/\(noted)", as: guest), api.get("/v1/items/\(article)", as: guest),
            ].map(\.json)
            #expect(previews.allSatisfy { $0["html"] == nil && $0["fields"]?["body"] == nil })
        }
    }

    @Test("A3: a submission says what was removed from it, and stores the rest")
    func submissionWarnings() async throws {
        let (api, portal) = try await APIFixture.serving([.submit, .review])
        let body = Self.submission([
            "title": "A\u{7}B",
            "body":
                "<p dir=rtl onclick=x>a<script>1</script></p><iframe src='https://player.vimeo.com/video/7'></iframe>",
        ])
        let reply = try await api.post("/v1/submissions", body, as: portal)
        #expect(reply.status == 201)
        let expected = [
            "/fields/title control_characters Title: Invisible control characters were removed.",
            "/fields/body removed Text: Removed: onclick, <script>. Replaced by links: <iframe>.",
        ]
        #expect(Self.warnings(reply) == expected)
        let id = reply.json["id"]?.stringValue ?? ""
        let stored = try await api.get("/v1/submissions/\(id)", as: portal).json["fields"]
        #expect(stored?["title"] == "AB")
        #expect(
            stored?["body"]
                == "<p dir=\"rtl\">a</p><a href=\"https://vimeo.com/7\" rel=\"nofollow ugc noopener\">vimeo.com/7</a>")
        // The same for a repeated request, which stores nothing.
        let key = [("Idempotency-Key", "k")]
        for _ in 0..<2 {
            #expect(Self.warnings(try await api.post("/v1/submissions", body, as: portal, key)) == expected)
        }
        let clean = try await api.post("/v1/submissions", Self.submission(["title": "T", "body": "<p>a"]), as: portal)
        #expect(Self.warnings(clean) == [])

        let decision = try await api.post(
            "/v1/submissions/\(id)/decision",
            #"{"verdict":"approve","publish":"none","edits":{"title":"T","body":"<p>b<object>c</object></p>"}}"#,
            as: portal)
        #expect(decision.status == 200, "\(decision.text)")
        #expect(Self.warnings(decision) == ["/fields/body removed Text: Removed: <object>."])
    }

    @Test(
        "A required text without anything to read or see is refused, however it is written",
        arguments: [
            "<p>&nbsp;</p>", "<p><br></p>", "<ul><li></li></ul>", "<table><tr><td>&#12288;</table>",
            "<p>&#8203;&shy;</p>",
            "<!-- x -->", "<p><img src='a.jpg'></p>", "<script>x</script>", "<hr>", "&#10240;",
        ])
    func empty(html: String) async throws {
        let (api, portal) = try await APIFixture.serving([.submit])
        for body in [JSONValue.string(html), .object(["markdown": .string(html)])] {
            let reply = try await api.post(
                "/v1/submissions", Self.submission(["title": "T", "body": body]), as: portal)
            #expect(reply.status == 422 && reply.pointers == ["/fields/body"], "\(reply.text)")
        }
        let image = Self.submission(["title": "T", "body": "<p><img src='https://example.org/a.jpg'></p>"])
        #expect(try await api.post("/v1/submissions", image, as: portal).status == 201)
    }

    @Test("B61: a text in Markdown loses HTML tags, in what is stored, too, and says so")
    func markdownTags() async throws {
        let api = try await APIFixture.make()
        let write = api.test.services.writeEntry
        let values = Self.values(("en", "Hello <script>alert(1)</script> [x]({link})"), ("de", "Hallo"))
        let fields: [String: JSONValue] = [
            "key": "site.tags", "format": "markdown", "values": values,
            "placeholders": .array([.object(["name": "link"])]),
        ]
        let written = try await write.create(
            type: "text", fields: fields.merging(["title": "T"]) { $1 }, publishTiming: .now,
            by: TestDatabase.administrator)
        #expect(
            written.warnings.items.map { "\($0.pointer) \($0.message)" } == [
                "/fields/values/0/value Text: Removed: HTML tags. Removed from the HTML: href."
            ])
        let text = try await api.get("/v1/texts/site.tags", as: try await api.client([.readGuest])).json
        #expect(text["value"] == "Hello alert(1) [x]({link})")
        #expect(text["html"]?.stringValue?.contains("alert(1)") == true)
        let only = fields.merging([
            "title": "T", "key": "site.only", "placeholders": .array([]), "values": Self.values(("en", "<b></b>")),
        ]) { $1 }
        do {
            _ = try await write.create(type: "text", fields: only, by: TestDatabase.administrator)
            Issue.record("an empty text was taken")
        } catch Failure.invalid(let errors) {
            #expect(errors.items.contains { $0.pointer == "/fields/values/0/value" && $0.code == "required" })
        }
    }

    @Test("A4: whole numbers beyond 64 bits are refused where they stand, others are kept exactly")
    func wholeNumbers() async throws {
        let (api, portal) = try await APIFixture.serving([.submit, .review])
        func send(_ number: String) async throws -> APIReply {
            try await api.post(
                "/v1/submissions",
                #"{"type":"article","contributor":"u","fields":{"title":"T","body":"b","media":{"n":\#(number)}}}"#,
                as: portal)
        }
        let reply = try await send("9223372036854775808")
        #expect(reply.status == 400 && reply.pointers == ["/fields/media/n"])
        let kept = try await send("9007199254740993")
        let id = kept.json["id"]?.stringValue ?? ""
        let fields = try await api.get("/v1/submissions/\(id)", as: portal).json["fields"]
        #expect(fields?["media"]?["n"] == .int(9_007_199_254_740_993), "\(kept.text)")
    }

    @Test("S51: HTML that costs too much is a 422 at its field")
    func expensive() async throws {
        let (api, portal) = try await APIFixture.serving([.submit])
        let fonts = (0..<10_000).map { "<font size=\($0)>" }.joined() + "x"
        let bold = "<p>" + (0..<300).map { "<b id=\($0)>" }.joined() + String(repeating: "<p>x", count: 3000)
        for html in [fonts, bold] {
            let reply = try await api.post(
                "/v1/submissions", Self.submission(["title": "T", "body": .string(html)]), as: portal)
            #expect(reply.status == 422 && reply.pointers == ["/fields/body"])
            #expect(reply.text.contains("too badly nested"))
        }
    }

    @Test(
        "A3: an imported feed entry has its links and images at their addresses, and one row however often it is listed"
    )
    func feedTexts() async throws {
        let api = try await APIFixture.make()
        let importer = api.test.services.importFeed
        let actor = Actor(kind: .system, name: "import")
        let atom = """
            <feed xmlns="http://www.w3.org/2005/Atom"><title>T</title>
            <link rel="http://www.iana.org/assignments/relation/alternate" href="https://page.example/blog/"/>
            <entry><id>a</id><title>don&#146;t</title><updated>2026-01-01T00:00:00Z</updated>
            <content type="html" xml:base="2026/">&lt;a href="one.html">1&lt;/a>&lt;img src="/p.png"></content></entry>
            <entry><id>a</id><title>older</title><updated>2025-01-01T00:00:00Z</updated>
            <content type="html">x</content></entry>
            <entry><id>b</id><title>Only an image</title><content type="html">&lt;img src="p.png"></content></entry></feed>
            """
        let result = try await importer(
            Array(atom.utf8), origin: "atom.xml", url: "https://host.example/feed.xml", by: actor)
        #expect(result.submissions == 2 && result.refused.isEmpty)
        let rows = try await api.test.client.query(
            "select title, fields ->> 'body' as body, received ->> 'base' as base from curation.submission order by id")
        let found = try rows.map { row in
            "\(try row("title") as String) \(try row("base") as String) \(try row("body") as String)"
        }.sorted()
        #expect(
            found == [
                "Only an image https://page.example/blog/ <img src=\"https://page.example/blog/p.png\" alt=\"\">",
                "don’t https://host.example/2026/ <a href=\"https://host.example/2026/one.html\" "
                    + "rel=\"nofollow ugc noopener\">1</a><img src=\"https://host.example/p.png\" alt=\"\">",
            ])
        #expect(try await importer(Array(atom.utf8), origin: "atom.xml", by: actor).submissions == 0, "known already")
    }

    @Test("The source of an imported submission is the title of its feed; without one, it's the name of the client")
    func sourceNames() async throws {
        let api = try await APIFixture.make()
        let importer = api.test.services.importFeed
        let actor = Actor(kind: .system, name: "import")
        // 102 characters of which 99 combine, with one that PostgreSQL refuses.
        let long = "H\\u0000i" + String(repeating: "\u{301}", count: 99)
        for (number, title) in [long, "", "Harbor notes"].enumerated() {
            let document = """
                {"version": "https://jsonfeed.org/version/1.1", "title": "\(title)",
                "items": [{"id": "1", "title": "Of feed \(number)", "content_text": "Text."}]}
                """
            let result = try await importer(Array(document.utf8), origin: "\(number)", by: actor)
            #expect(result.submissions == 1 && result.refused.isEmpty)
        }
        let rows = try await api.test.database.queue.page(QueueFilter(), cursor: nil, limit: 10).items
        let cut = "H\u{FFFD}i" + String(repeating: "\u{301}", count: 97)
        #expect(rows.map(\.source) == [cut, "import", "Harbor notes"])
        for (search, number) in [
            ("source:\"harbor NOTES\"", 1), ("source:harbor", 1), ("source:import", 3), ("source:h", 2),
        ] {
            let found = try await ReadSubmissionSearch.resolve(search, api.test.rules.types, api.test.database)
            var filter = QueueFilter()
            found.apply(to: &filter, account: nil, overdueAfter: 24)
            #expect(try await api.test.database.queue.count(filter) == number, "\(search)")
        }
        #expect(Set(rows.map(\.clientName)) == ["import"], "the API names the client")
        let last = try #require(rows.last)
        try await api.test.superuser().execute("delete from curation.queue_item where submission_id = \(last.id)")
        let event = AuditEvent("submission.create", on: "submission", last.id.description)
        try await api.test.database.transaction(by: actor, event) { try await $0.queue.requeue([last.id]) }
        let requeued = try await api.test.database.queue.find(last.id)
        #expect(requeued?.source == "Harbor notes")
        let row = try await api.test.database.submissions.find(last.id)
        #expect(row?.sourceName == "Harbor notes" && row?.clientName == "import")
    }
}
