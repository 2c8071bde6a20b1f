// Tests the type for safe HTML.

import FoundationEssentials
import Markup
import Testing

@Suite struct SafeHTMLTests {
    @Test("HTML is safe if sanitized or a literal, and is encoded as a JSON string")
    func makes() throws {
        #expect(try SafeHTML(sanitizing: "<b onclick=x>a").html == "<b>a</b>")
        #expect(SafeHTML(trusted: "<hr>").html == "<hr>")
        let json = try JSONEncoder().encode([SafeHTML(trusted: "<hr>")])
        #expect(String(decoding: json, as: UTF8.self) == #"["<hr>"]"#)
        #expect(throws: HTMLRefusal.self) {
            try SafeHTML(sanitizing: String(repeating: "<p>", count: 30_000))
        }
    }
}
