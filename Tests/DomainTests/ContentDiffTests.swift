// Tests the diff of two versions, field by field and word by word.
import Diff
import Domain
import TestBasics
import Testing

@Suite struct ContentDiffTests {
    func diff(_ old: String, _ new: String) throws -> [TextRun] {
        let type = try ContentFixture.field("long_text")
        let changes = ContentDiff.between(
            old: Content(fields: ["x": .string(old)]), new: Content(fields: ["x": .string(new)]), type: type)
        let runs = changes.first?.runs ?? []
        #expect(runs.filter { $0.kind != .added }.map(\.text).joined() == (changes.isEmpty ? "" : old))
        #expect(runs.filter { $0.kind != .removed }.map(\.text).joined() == (changes.isEmpty ? "" : new))
        return runs
    }

    func show(_ runs: [TextRun]) -> String {
        runs.map { run in
            switch run.kind {
            case .kept: run.text
            case .removed: "[-\(run.text)-]"
            case .added: "{+\(run.text)+}"
            }
        }.joined()
    }

    @Test("changed words are between kept words")
    func words() throws {
        #expect(
            try show(diff("Ten best coffee shops", "Ten minimalist coffee shops"))
                == "Ten [-best-]{+minimalist+} coffee shops")
        #expect(try show(diff("a", "a b")) == "a{+ b+}")
        #expect(try show(diff("a b", "b")) == "[-a -]b")
        #expect(try show(diff("don't", "don’t")) == "[-don't-]{+don’t+}")
        #expect(try show(diff("x", "y")) == "[-x-]{+y+}")
        #expect(try diff("same", "same") == [])
    }

    @Test("only changed fields are listed, with their values as text")
    func fields() throws {
        let id = "01890a5d-ac96-774b-bcce-b302099a8057"
        let type = try ContentFixture.projectType("feed")
        let old = Content(fields: ["title": "T", "tier": "free", "publish_on_approval": .bool(true), "summary": "S"])
        let new = Content(fields: [
            "title": "T", "tier": "premium", "publish_on_approval": .bool(false), "categories": .array([.string(id)]),
        ])
        let changes = ContentDiff.between(old: old, new: new, type: type) { $0.description == id ? "Pizza" : "?" }
        #expect(changes.map(\.field) == ["summary", "tier", "categories", "publish_on_approval"])
        #expect(changes.map(\.old) == ["S", "Free, with an account", nil, "Yes"])
        #expect(changes.map(\.new) == [nil, "Premium subscription", "Pizza", "No"])
        #expect(changes.first.map { show($0.runs) } == "[-S-]")
        #expect(ContentDiff.between(old: nil, new: old, type: type).count == 4)
        #expect(ContentDiff.between(old: old, new: old, type: type).isEmpty)
    }

    @Test("kept and removed words form the old text, kept and added words the new text", arguments: TestScale.seeds(1))
    func property(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let words = ["a", "b", " ", "\n", "é", "<p>", "👨‍👩‍👧", ",", "  ", "word"]
        for _ in 0..<300 {
            let old = (0..<Int.random(in: 0...12, using: &random)).map { _ in words.randomElement(using: &random) ?? ""
            }
            var new = old
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                new.insert(words.randomElement(using: &random) ?? "", at: Int.random(in: 0...new.count, using: &random))
                new.remove(at: Int.random(in: 0..<new.count, using: &random))
            }
            _ = try diff(old.joined(), new.joined())
        }
    }

    @Test("a few words changed in a long text are found")
    func long() throws {
        var words = (0..<9000).map { "w\($0)" }
        let old = words.joined(separator: " ")
        words[10] = "here"
        words[8990] = "there"
        #expect(
            try diff(old, words.joined(separator: " ")).filter { $0.kind == .added }.map(\.text) == ["here", "there"])
    }

    @Test("a text with many changes is compared by lines, and one without lines is shown as replaced")
    func fallback() throws {
        let old = (0..<3000).map { "line \($0) of it" }
        let new = old.enumerated().map { $0.offset % 10 == 0 && $0.offset < 2000 ? "other \($0.offset)" : $0.element }
        let runs = try diff(old.joined(separator: "\n"), new.joined(separator: "\n"))
        #expect(runs.contains { $0.kind == .removed && $0.text == "line 10 of it\n" })
        let (a, b) = (String(repeating: "a ", count: 25_000), String(repeating: "b,", count: 25_000))
        #expect(try diff(a, b).map(\.kind) == [.removed, .added])
    }
}
