// Tests links that follow from an id and a key: only the one that was made opens, and nothing in it can be changed.
import Platform
import Testing

@Suite("Links that follow from a key")
struct LinkKeyTests {
    private let id = (0..<16).map { UInt8($0) }

    private func key(_ byte: UInt8 = 1, _ purpose: String = "status") throws -> LinkKey {
        try #require(SecretBox(key: [UInt8](repeating: byte, count: 32))).linkKey(purpose)
    }

    @Test("A link has 43 characters, names its id, and is valid for its edition alone")
    func valid() throws {
        let key = try key()
        let link = key.text(for: id, edition: 1)
        #expect(link.utf8.count == 43)
        #expect(LinkKey.id(in: link) == id)
        #expect(key.isValid(link, edition: 1))
        #expect(!key.isValid(link, edition: 2) && !key.isValid(link, edition: 0))
        #expect(key.text(for: id, edition: 1) == link)
    }

    @Test("Another key, another purpose, another id and any changed character make a link that is not valid")
    func forged() throws {
        let link = try key().text(for: id, edition: 1)
        #expect(try !key(2).isValid(link, edition: 1))
        #expect(try !key(1, "other").isValid(link, edition: 1))
        let other = try key().text(for: id.reversed(), edition: 1)
        #expect(try !key().isValid(String(other.prefix(21)) + link.dropFirst(21), edition: 1))
        for place in link.indices {
            var changed = link
            changed.replaceSubrange(place...place, with: link[place] == "A" ? "B" : "A")
            #expect(try !key().isValid(changed, edition: 1))
        }
        for text in ["", "a", link + "A", String(link.dropLast()), link + "=", "é" + link.dropFirst()] {
            #expect(try !key().isValid(text, edition: 1))
        }
        #expect(LinkKey.id(in: "x") == nil)
    }
}
