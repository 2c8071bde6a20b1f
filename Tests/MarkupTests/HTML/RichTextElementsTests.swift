// Tests that the elements offered to the editor are those that the sanitizer keeps and the reference names.
import Foundation
import Testing

@testable import Markup

@Suite("Elements of rich text")
struct RichTextElementsTests {
    private static let elements = RichTextElements.all
    private static let alone = elements.paragraphs + elements.inlines + elements.containers
    private static let listed = Set(alone + elements.structures + elements.children.keys + elements.empty)

    /// The names in the first column of a table of the reference.
    private static func named(inTable heading: String) throws -> Set<String> {
        let page = try String(contentsOf: URL(filePath: "docs/reference/rich-text.md"), encoding: .utf8)
        let table = try #require(page.firstRange(of: heading)?.lowerBound)
        let end = try #require(page[table...].firstRange(of: "\n\n")?.lowerBound)
        let first = page[table..<end].split(separator: "\n").dropFirst(2).map { $0.split(separator: "|")[0] }
        return Set(first.flatMap { $0.matches(of: #/`([a-z0-9]+)`/#).map { String($0.1) } })
    }

    @Test("The list contains what the reference names, and nothing else")
    func reference() throws {
        var named = try Self.named(inTable: "| elements |")
        // `h2` to `h6` (`h1` becomes `h2`).
        named.formUnion(["h3", "h4", "h5"])
        named.subtract(["h1"])
        #expect(Self.listed == named)
    }

    @Test("The toolbar makes every element but those that the reference lists as only kept")
    func offered() throws {
        let template = try String(contentsOf: URL(filePath: "Templates/partial/rich-text.html"), encoding: .utf8)
        let controls = template.matches(of: #/ data-makes="([a-z0-9 ]+)"/#).map { String($0.1) }
        let made = Set(controls.flatMap { $0.split(separator: " ").map(String.init) })
        let kept = Set(Self.elements.onlyKept)
        #expect(made.isDisjoint(with: kept))
        #expect(made.union(kept) == Self.listed)
        #expect(try Self.named(inTable: "| only kept |") == kept)
    }

    @Test("Each element is kept with its attributes", arguments: alone)
    func kept(_ name: String) throws {
        // A span needs a language or direction, a link an address, and the parts of ruby ruby around them.
        let own = name == "a" ? " href=\"https://example.org/\"" : name == "abbr" ? " title=\"x\"" : ""
        let element = "<\(name)\(own) dir=\"rtl\">x</\(name)>"
        let html = try HTMLSanitizer.sanitize(name == "rt" || name == "rp" ? "<ruby>\(element)</ruby>" : element)
        #expect(html.contains("<\(name)") && html.contains("dir=\"rtl\""), "\(html)")
        #expect(own.isEmpty || html.contains(own))
    }

    @Test("The editor gets them as JSON")
    func json() throws {
        let object = try JSONSerialization.jsonObject(with: Data(RichTextElements.json.utf8)) as? [String: Any]
        #expect((object?["attributes"] as? [String: [String]])?["ol"] == ["type", "start", "reversed"])
        #expect((object?["children"] as? [String: [String]])?["figcaption"] == ["figure"])
        #expect(object?["attributesOfAll"] as? [String] == ["dir", "id", "lang"])
    }
}
