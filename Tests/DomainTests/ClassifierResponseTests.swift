// Tests what an external classifier may answer, and what it reads, at their boundaries.
import Domain
import Testing

@Suite("Answers of an external classifier")
struct ClassifierResponseTests {
    private func read(_ text: String) -> ClassifierResponse? { try? ClassifierResponse(reading: Array(text.utf8)) }

    @Test("A score from 0 to 100 is read, with or without reasons, name and version")
    func complete() {
        #expect(read(#"{"score": 0}"#) == ClassifierResponse(score: 0, reasons: [], name: nil, version: nil))
        #expect(
            read(#"{"score": 100, "reasons": ["a", " b "], "name": "N", "version": null}"#)
                == ClassifierResponse(score: 100, reasons: ["a", "b"], name: "N", version: nil))
        for score in ["-1", "101", "1.5", "null", "true", "\"1\""] {
            #expect(read("{\"score\": \(score)}") == nil, "\(score)")
        }
    }

    @Test("At most ten reasons of at most 200 characters, and names of at most 60; one more is refused")
    func lengths() {
        func reasons(_ count: Int, _ length: Int) -> ClassifierResponse? {
            let texts = Array(repeating: "\"\(String(repeating: "é", count: length))\"", count: count)
            return read("{\"score\": 1, \"reasons\": [\(texts.joined(separator: ","))]}")
        }
        #expect(reasons(10, 200)?.reasons.count == 10)
        #expect(reasons(11, 1) == nil && reasons(1, 201) == nil && reasons(1, 0) == nil)
        func named(_ length: Int) -> ClassifierResponse? {
            read("{\"score\": 1, \"name\": \"\(String(repeating: "n", count: length))\"}")
        }
        #expect(named(60) != nil && named(61) == nil && named(0) == nil)
    }

    @Test("Reasons are one line of text without controls; markup stays text; direction controls are refused")
    func plain() {
        #expect(read(#"{"score": 1, "reasons": ["a\u0000b"]}"#) == nil)
        #expect(read(#"{"score": 1, "reasons": ["a\n\u001bb"]}"#)?.reasons == ["a b"])
        #expect(read(#"{"score": 1, "reasons": ["<b>x</b>"]}"#)?.reasons == ["<b>x</b>"])
        #expect(read(#"{"score": 1, "reasons": ["a\u202eb"]}"#) == nil)
        #expect(read(#"{"score": 1, "reasons": ["\u200b"]}"#) == nil)
    }

    @Test("What is refused is described without what the service sent")
    func described() {
        for text in [
            "secret", #"{"score": "secret"}"#, #"{"score": 1, "secret": 2}"#, #"{"score": 1, "reasons": "secret"}"#,
        ] {
            let problem = #expect(throws: ClassifierResponse.Unusable.self) {
                try ClassifierResponse(reading: Array(text.utf8))
            }
            #expect(problem?.description.contains("secret") == false)
        }
    }
}

@Suite("What an external classifier reads")
struct ClassifiedTextTests {
    private func text(_ title: String, _ plain: String, _ fields: [String: JSONValue] = [:]) throws -> ClassifiedText {
        return ClassifiedText(
            Content(fields: fields.merging(["title": .string(title)]) { $1 }),
            in: try ContentFixture.projectType("article"), plain: plain)
    }

    @Test("Text and title are cut at their limit of bytes, never within a character")
    func cut() throws {
        let fits = try text("T", String(repeating: "a", count: 8192))
        #expect(fits.text.utf8.count == 8192 && !fits.isCut)
        let longer = try text("T", String(repeating: "a", count: 8191) + "é")
        #expect(longer.text == String(repeating: "a", count: 8191) && longer.isCut)
        #expect(try text(String(repeating: "é", count: 300), "x").title.utf8.count == 512)
    }

    @Test("Hosts of links are sent once each, at most twenty")
    func hosts() throws {
        let links = (1...25).map { "<a href=\"https://s\($0).example/\">x</a>" }.joined()
        let found = try text("T", "x", ["body": .string(links + links)])
        #expect(found.hosts.count == 20 && found.hosts.first == "s1.example" && Set(found.hosts).count == 20)
    }
}
