// Tests which URLs a field accepts.
import Domain
import Testing

@Suite struct WebURLTests {
    @Test(
        "web addresses are http or https with a host",
        arguments: [
            ("https://example.org", "https://example.org"),
            (" HTTP://Example.ORG:8080/A?b#c\n", "http://example.org:8080/A?b#c"),
            ("https://example.org./", "https://example.org./"), ("http://[::1]:80/x", "http://[::1]:80/x"),
            ("https://münchen.example/ü", "https://xn--mnchen-3ya.example/ü"),
            ("http://a_b.example", "http://a_b.example"),
            ("https://example.org?x=http://y@z", "https://example.org?x=http://y@z"),
            ("http://1.2.3.4:65535", "http://1.2.3.4:65535"), ("http://255.255.255.255/", "http://255.255.255.255/"),
            ("http://[2001:db8::1.2.3.4]/", "http://[2001:db8::1.2.3.4]/"),
            ("https://xn--mnchen-3ya.example/", "https://xn--mnchen-3ya.example/"),
            ("https://XN--FIQS8S./", "https://xn--fiqs8s./"), ("https://4.example/", "https://4.example/"),
            ("https://256.example4/", "https://256.example4/"),
        ])
    func addresses(written: String, stored: String) throws {
        #expect(try ContentFixture.field("url").stored(.string(written)) == .string(stored))
    }

    @Test(
        "An international host is stored in ASCII, mapped as browsers do (UTS 46)",
        arguments: [
            // ß is a letter of its own; its capital and STRASSE are another name.
            ("straße.example", "xn--strae-oqa.example"), ("STRASSE.example", "strasse.example"),
            ("MÜNCHEN.Example", "xn--mnchen-3ya.example"), ("mu\u{308}nchen.example", "xn--mnchen-3ya.example"),
            ("XN--MNCHEN-3YA.example", "xn--mnchen-3ya.example"), ("\u{FF4D}ünchen.example", "xn--mnchen-3ya.example"),
            // Full-width and ideographic dots.
            ("例え\u{FF0E}テスト", "xn--r8jz45g.xn--zckzah"), ("例え\u{3002}テスト", "xn--r8jz45g.xn--zckzah"),
            ("example\u{FF61}org", "example.org"),
            // A joiner that the script needs.
            ("क्\u{200D}ष.example", "xn--11b2ezcw70k.example"), ("ς.example", "xn--3xa.example"),
            ("_dmarc.ü.example", "_dmarc.xn--tda.example"),
        ])
    func international(written: String, stored: String) throws {
        let type = try ContentFixture.field("url")
        #expect(try type.stored(.string("https://\(written):8443/É")) == .string("https://\(stored):8443/É"))
    }

    @Test(
        "S4: an international host that is invalid there is rejected",
        arguments: [
            "a\u{200D}b.example", "a\u{200C}b.example", "\u{200D}.example", "-ü.example", "ü-.example", "ü..example",
            "אb.example", "1א.example", "\u{301}a.example", "x\u{2024}y.example", "💌.example", "ü=.example",
            "ü\u{FF0F}.example", "ü\u{FF20}b.example", "ü\u{FF1A}80", "[\u{FF1A}:1]", "1.2.3.\u{FF14}",
            "\u{FF11}.2.3.4", String(repeating: "ü", count: 70) + ".example",
            String(repeating: String(repeating: "ü", count: 20) + ".", count: 12) + "example",
        ])
    func wrongInternational(host: String) throws {
        let type = try ContentFixture.field("url")
        #expect(type.problems(.string("https://\(host)/")) == ["format /fields/x"])
        #expect(type.problems(.string("https://example.org/\u{200D}")) == ["control_characters /fields/x"])
    }

    @Test(
        "S4: every other URL is rejected",
        arguments: [
            ("javascript:alert(1)", "scheme"), ("JaVaScRiPt://example.org/%0aalert(1)", "scheme"),
            ("//example.org", "scheme"),
            ("example.org", "scheme"), ("data:text/html,x", "scheme"), ("ftp://example.org", "scheme"),
            ("https:/example.org", "format"), ("https:example.org", "format"), ("https://", "format"),
            ("https:///path", "format"), ("https://?x", "format"), ("https://:80/", "format"),
            ("https://a..b", "format"), ("https://.", "format"), ("https://a b/", "format"),
            ("https://a/b c", "format"),
            ("https://a\\@b", "format"), ("https://user@example.org", "format"), ("https://u:p@example.org", "format"),
            ("https://a:65536", "format"), ("https://a:0", "format"), ("https://a:", "format"),
            ("https://a:1x", "format"),
            ("https://a:+1", "format"), ("https://[::1", "format"), ("https://[x]", "format"),
            ("https://a%2e/", "format"),
            ("https://256.0.0.1", "format"), ("https://1.2.3", "format"), ("https://1.2.3.4.5", "format"),
            ("https://01.2.3.4", "format"), ("http://127.1/", "format"), ("http://2130706433/", "format"),
            ("http://foo.0x4", "format"), ("http://0x7f.0.0.1/", "format"), ("http://foo.0x", "format"),
            ("http://example.123./", "format"), ("http://1.2.3.\u{FF14}/", "format"),
            ("https://[0:.0]", "format"), ("https://[::1.2.3]", "format"), ("https://[1:2:3:4:5:6:7:8:9]", "format"),
            ("https://[::g]", "format"), ("https://[fe80::1%25eth0]", "format"), ("https://[]", "format"),
            ("https://xn--/", "format"), ("https://xn--a/", "format"), ("https://xn--example-/", "format"),
            ("https://xn--99999999999/", "format"), ("https://a.xn--0.example/", "format"),
            ("https://<b>/", "format"), ("java\tscript:x", "control_characters"),
            ("https://a\nb/", "control_characters"),
            ("https://a\u{200B}b/", "control_characters"), ("https://a/\u{202E}b", "control_characters"),
            ("https://a/\0", "control_characters"),
        ])
    func wrongAddresses(written: String, code: String) throws {
        #expect(try ContentFixture.field("url").problems(.string(written)) == ["\(code) /fields/x"])
    }

    @Test("a URL with a user name is rejected with its reason")
    func login() throws {
        let type = try ContentFixture.field("url")
        let errors = fieldErrors { _ = try type.stored("https://example.org@evil.example/") }
        #expect(errors.messages(at: "/fields/x") == ["X: Remove the user name and password from the URL."])
    }

    @Test("a URL has at most 2048 bytes")
    func longAddresses() throws {
        let type = try ContentFixture.field("url")
        let start = "https://example.org/"
        #expect(try type.stored(.string(start + String(repeating: "a", count: 2048 - 20))) != nil)
        #expect(type.problems(.string(start + String(repeating: "a", count: 2049 - 20))) == ["too_long /fields/x"])
    }
}
