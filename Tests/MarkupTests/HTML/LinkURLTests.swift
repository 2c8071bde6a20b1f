// Tests which URLs are allowed in links.

import FoundationEssentials
import Markup
import Testing

@Suite struct LinkURLTests {
    @Test(
        "S4: http, https and mailto are read as a browser reads them",
        arguments: [
            ("https://example.org/a b", "https://example.org/a%20b"),
            (" \u{1}https://example.org/\n", "https://example.org/"),
            ("ht\ttps://exa\nmple.org/", "https://example.org/"),
            ("HTTP://EXAMPLE.org", "HTTP://EXAMPLE.org"),
            ("mailto:a@example.org", "mailto:a@example.org"), ("tel:+43-1.234(5)", "tel:+43-1.234(5)"),
            ("TEL:1", "TEL:1"),
            ("https://example.org/?q=javascript:x#y", "https://example.org/?q=javascript:x#y"),
        ])
    func allows(address: String, expected: String) {
        #expect(LinkURL.absolute(address, for: .link) == expected)
    }

    @Test(
        "S4: every other scheme and every URL without one is rejected",
        arguments: [
            "javascript:alert(1)", "JaVaScRiPt:alert(1)", "java\tscript:alert(1)", " \u{1}javascript:alert(1)",
            "java\u{1}script:alert(1)", "javascript\n:alert(1)", "data:text/html,x", "vbscript:x", "file:///etc/passwd",
            "blob:https://example.org/x", "view-source:https://example.org/", "tel:", "tel:x", "tel:1/2", "tel:<1>",
            "ftp://example.org/",
            "https:example.org", "https:///example.org", "https:/\\example.org", "https://", "https://?", "https:",
            "mailto:", "//example.org/", "\\\\example.org", "/path", "?q", "#f", "", ":", "x", "\u{FEFF}javascript:x",
        ])
    func refuses(address: String) {
        #expect(LinkURL.absolute(address, for: .link) == nil)
    }

    @Test("images come by http and https only")
    func images() {
        #expect(LinkURL.absolute("https://example.org/p.png", for: .image) == "https://example.org/p.png")
        #expect(LinkURL.absolute("mailto:a@example.org", for: .image) == nil)
        #expect(LinkURL.absolute("tel:1", for: .image) == nil)
        #expect(LinkURL.absolute("data:image/png;base64,AAAA", for: .image) == nil)
    }

    @Test(
        "S4: a base resolves relative URLs and allows no other schemes",
        arguments: [
            ("b", "https://example.org/a/b"), ("/b", "https://example.org/b"), ("?q=1", "https://example.org/a/c?q=1"),
            ("//cdn.example/x", "https://cdn.example/x"), ("javascript:alert(1)", nil), ("", nil),
        ] as [(String, String?)])
    func resolves(address: String, expected: String?) throws {
        let base = try #require(URL(string: "https://example.org/a/c"))
        #expect(LinkURL.absolute(address, for: .link, base: base) == expected)
        let hostile = try #require(URL(string: "javascript:alert(1)"))
        #expect(LinkURL.absolute("b", for: .link, base: hostile) == nil)
    }

    @Test(
        "links in pages may also be relative to this site, but not to another",
        arguments: [
            ("/queue", "/queue"), ("/", "/"), ("?page=2", "?page=2"), ("#top", "#top"), (" /queue ", "/queue"),
            ("https://example.org/", "https://example.org/"), ("mailto:a@example.org", "mailto:a@example.org"),
            ("//example.org", "#"), ("/\\example.org", "#"), ("/\t/example.org", "#"), ("\\\\example.org", "#"),
            ("queue", "#"), ("", "#"), ("javascript:alert(1)", "#"), ("data:x", "#"), ("https:example.org", "#"),
        ])
    func onPage(address: String, expected: String) {
        #expect(LinkURL.onPage(address) == expected)
    }
}
