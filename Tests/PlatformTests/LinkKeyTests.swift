// Tests links derived from an id and a key.
import Platform
import Testing

@Suite("Derived links")
struct LinkKeyTests {
    private let id = (0..<16).map { UInt8($0) }

    private func key(_ byte: UInt8 = 1, _ purpose: String = "status") throws -> LinkKey {
        try #require(SecretBox(key: [UInt8](repeating: byte, count: 32))).linkKey(purpose)
    }

    @Test("S43: a link has 43 characters, contains its id, and is valid only for its edition")
    func valid() throws {
        let key = try key()
        let link = key.text(for: id, edition: 1)
        #expect(link.utf8.count == 43)
        #expect(LinkKey.id(in: link) == id)
        #expect(key.isValid(link, edition: 1))
        #expect(!key.isValid(link, edition: 2) && !key.isValid(link, edition: 0))
        #expect(key.text(for: id, edition: 1) == link)
    }

    @Test("S43: another key, purpose or id, or any changed character, makes a link invalid")
    func forged() throws {
        let link = try key().text(for: id, edition: 1)
        #expect(try !key(2).isValid(link, edition: 1))
        #expect(try !key(1, "other").isValid(link, edition: 1))
        let other = try key().text(for: id.reversed(), edition: 1)
        #expect(try !key().isValid(String(other.prefix(21)) + link.dropFirst(21), edition: 1))
        for index in link.indices {
            var changed = link
            changed.replaceSubrange(index...index, with: link[index] == "A" ? "B" : "A")
            #expect(try !key().isValid(changed, edition: 1))
        }
        for text in ["", "a", link + "A", String(link.dropLast()), link + "=", "é" + link.dropFirst()] {
            #expect(try !key().isValid(text, edition: 1))
        }
        #expect(LinkKey.id(in: "x") == nil)
    }
}
