// Tests the rules of submission forms and of notes at fields, each at its boundary.
import Domain
import Testing

@Suite("Submission forms and notes at fields")
struct FormDefinitionTests {
    private func article() throws -> ContentType { try ContentFixture.projectType("article") }

    private func pointers(_ change: (inout FormDefinition) -> Void) throws -> [String] {
        var form = FormDefinition(name: "stories", type: "article", title: "Your stories")
        change(&form)
        let type = try article()
        var errors = FieldErrors()
        _ = errors.collect { () throws(Failure) in try form.checked(as: type) }
        return errors.items.map(\.pointer)
    }

    /// The pointers of the errors; empty if the notes are right.
    private func pointers(of notes: [String: String], as type: ContentType) -> [String] {
        var errors = FieldErrors()
        _ = errors.collect { () throws(Failure) in try FieldNotes.check(notes, as: type) }
        return errors.items.map(\.pointer)
    }

    private func pointers(of draft: Decision.Draft) -> [String] {
        var errors = FieldErrors()
        _ = errors.collect { () throws(Failure) in try draft.check(on: .pending) }
        return errors.items.map(\.pointer)
    }

    @Test("A15: every setting of a form is checked at its boundary, and all errors are reported at once")
    func boundaries() throws {
        #expect(try pointers { _ in }.isEmpty)
        for name in ["a", "9", "a-b-9", String(repeating: "a", count: 60)] {
            #expect(try pointers { $0.name = name }.isEmpty, "\(name)")
        }
        for name in ["", "-a", "a-", "a--b", "A", "é", "a b", "a/b", String(repeating: "a", count: 61)] {
            #expect(try pointers { $0.name = name } == ["/name"], "\(name)")
        }
        #expect(try pointers { $0.title = String(repeating: "t", count: 200) }.isEmpty)
        #expect(try pointers { $0.title = String(repeating: "t", count: 201) } == ["/title"])
        #expect(try pointers { $0.title = " \u{200B}" } == ["/title"])
        #expect(try pointers { $0.introduction = String(repeating: "t", count: 5000) }.isEmpty)
        #expect(try pointers { $0.introduction = String(repeating: "t", count: 5001) } == ["/introduction"])
        #expect(try pointers { $0.locale = "de-AT" }.isEmpty)
        #expect(try pointers { $0.locale = "german" } == ["/locale"])
        #expect(try pointers { $0.category = String(repeating: "c", count: 200) }.isEmpty)
        #expect(try pointers { $0.category = String(repeating: "c", count: 201) } == ["/category"])
        #expect(try pointers { $0.fields = ["title", "body"] }.isEmpty)
        #expect(try pointers { $0.fields = ["title"] } == ["/fields"])
        for name in ["slug", "feeds", "media", "nothing"] {
            #expect(try pointers { $0.fields = ["title", "body", name] } == ["/fields"], "\(name)")
        }
        #expect(
            try pointers { form in
                form.name = "A"
                form.title = ""
                form.origins = ["*"]
            } == ["/name", "/title", "/origins"])
    }

    @Test("S21: an origin is a scheme, a host and a port; nothing else reaches the header")
    func origins() throws {
        for origin in ["https://example.org", "https://example.org:8443", "http://localhost:3000", "https://a.b/"] {
            #expect(try pointers { $0.origins = [origin] }.isEmpty, "\(origin)")
        }
        let wrong = [
            "*", "https://*", "https://*.example.org", "http://example.org", "example.org", "https://", "'self'",
            "data:",
            "https://example.org/page", "https://example.org?x", "https://example.org;script-src *", "https://a,b",
            "https://user@example.org", "https://exämple.org", "https://a.org https://b.org", "https://a.org\nX: y",
        ]
        for origin in wrong { #expect(try pointers { $0.origins = [origin] } == ["/origins"], "\(origin)") }
        #expect(try pointers { $0.origins = (1...20).map { "https://\($0).example.org" } }.isEmpty)
        #expect(try pointers { $0.origins = (1...21).map { "https://\($0).example.org" } } == ["/origins"])
        var form = FormDefinition(name: "stories", type: "article", title: "T")
        form.origins = ["https://Example.ORG/", "https://example.org"]
        #expect(try form.checked(as: try article()).origins == ["https://example.org"])
    }

    @Test("A form shows what contributors fill in: no references, no JSON, nothing that only the team sets")
    func fields() throws {
        let form = FormDefinition(name: "stories", type: "article", title: "T")
        let names = form.shownFields(of: try article()).map(\.name)
        #expect(names == ["title", "summary", "body", "url", "author", "published", "locale", "image"])
        var few = form
        few.fields = ["body", "title"]
        #expect(few.shownFields(of: try article()).map(\.name) == ["title", "body"])
        few.fields = names
        #expect(try few.checked(as: try article()).fields == nil, "all fields are kept as all, also of a later version")
    }

    @Test("Notes are for fields that contributors fill in, of 1 to 500 characters; empty ones are left out")
    func notes() throws {
        let type = try article()
        let longest = String(repeating: "é", count: FieldNotes.maxLength)
        #expect(try FieldNotes.check(["title": longest], as: type) == ["title": longest])
        #expect(try FieldNotes.check(["title": " x\r\ny ", "body": " \n "], as: type) == ["title": "x\ny"])
        let wrong = [
            "body": longest + "é", "slug": "n", "feeds": "n", "nothing": "n", "a/b": "n", "title": "a\0b",
            "summary": "",
        ]
        let expected = [
            "/field_notes/a~1b", "/field_notes/body", "/field_notes/feeds", "/field_notes/nothing",
            "/field_notes/slug", "/field_notes/title",
        ]
        #expect(pointers(of: wrong, as: type) == expected)
        #expect(
            FieldNotes.text("Hello.", ["body": "Longer.", "title": "Shorter."], as: type)
                == "Hello.\n\nTitle: Shorter.\n\nText: Longer.")
    }

    @Test("Only a request for changes has notes at fields")
    func verdicts() throws {
        for verdict in Verdict.allCases where verdict != .requestChanges {
            let draft = Decision.Draft(verdict: verdict, fieldNotes: ["title": "n"])
            #expect(pointers(of: draft).contains("/field_notes"), "\(verdict)")
        }
        try Decision.Draft(verdict: .requestChanges, message: "m", fieldNotes: ["title": "n"]).check(on: .pending)
    }
}
