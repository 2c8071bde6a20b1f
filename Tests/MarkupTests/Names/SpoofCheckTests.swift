// Tests warnings about hidden characters, mixed scripts, and confusable names and hosts.
import Testing

@testable import Markup

@Suite("Suspicious characters")
struct SpoofCheckTests {
    @Test(
        "S39: invisible characters are shown as code points",
        arguments: [
            ("pay\u{200B}pal", "pay[U+200B]pal", "U+200B"), ("\u{202E}gpj.exe", "[U+202E]gpj.exe", "U+202E"),
            ("a\u{2066}b\u{2069}", "a[U+2066]b[U+2069]", "U+2066, U+2069"), ("a\u{200F}b", "a[U+200F]b", "U+200F"),
            ("a\u{00AD}b", "a[U+00AD]b", "U+00AD"), ("a\u{FEFF}b", "a[U+FEFF]b", "U+FEFF"),
            ("a\u{200D}b", "a[U+200D]b", "U+200D"), ("a\u{E0041}b", "a[U+E0041]b", "U+E0041"),
            ("a\u{3164}b", "a[U+3164]b", "U+3164"), ("a\u{FE0F}b", "a[U+FE0F]b", "U+FE0F"),
        ])
    func hidden(_ name: String, _ shown: String, _ numbers: String) {
        let check = SpoofCheck(name: name)
        #expect(check.shown == shown)
        #expect(check.reason?.hasPrefix("hidden characters: \(numbers)") == true)
        #expect(SpoofCheck(text: "First line\n" + name).shown == "First line\n" + shown)
    }

    @Test(
        "S39: legitimate invisible characters are kept",
        arguments: [
            "Plain words", "Café Zürich", "👩‍👩‍👧 at the sea ❤️‍🔥", "🏴󠁧󠁢󠁳󠁣󠁴󠁿 Scotland", "می‌خواهم", "क्‍ष", "東京 Tokyo",
            "ラーメンを食べる", "한국어 K-Pop", "Привет, мир", "Сор из избы", "Ωμέγα", "Kılıç ve ısı", "x² + y", "C++ & C#",
            "Straße nach Łódź", "ﷺ",
        ])
    func innocent(_ name: String) {
        let check = SpoofCheck(name: name)
        #expect(check.reason == nil)
        #expect(check.shown == name)
    }

    @Test(
        "S40: words that mix scripts, and words that read as Latin, are reported",
        arguments: [
            ("Your p\u{430}ypal account", "p\u{430}ypal"), ("\u{440}\u{430}\u{443}", "\u{440}\u{430}\u{443}"),
            ("\u{391}pple", "\u{391}pple"), ("\u{1D429}\u{1D41A}\u{1D432}", "\u{1D429}\u{1D41A}\u{1D432}"),
            ("\u{13A1}e", "\u{13A1}e"), ("goog\u{4CF}e", "goog\u{4CF}e"),
        ])
    func mixed(_ name: String, _ word: String) {
        #expect(SpoofCheck(name: name).reason == "mixed scripts or confusable letters in “\(word)”")
    }

    @Test(
        "S40: a confusable host is shown in Punycode",
        arguments: [
            ("p\u{430}ypal.com", "xn--pypal-4ve.com"),
            ("\u{430}\u{440}\u{440}\u{4CF}\u{435}.com", "xn--80ak6aa92e.com"),
            ("\u{261}oogle.com", "xn--oogle-qmc.com"), ("s\u{131}n\u{131}r.com", "xn--snr-juab.com"),
            ("\u{FF47}oogle.com", "google.com"),
        ])
    func doubtfulHosts(_ host: String, _ ascii: String) {
        #expect(DisplayHost(host).isSuspicious)
        #expect(DisplayHost(host).text == ascii)
        let check = SpoofCheck(url: "https://\(host):8443/p?q=1#f")
        #expect(check.shown == "https://\(ascii):8443/p?q=1#f")
        #expect(check.reason == "confusable letters in the host “\(host)”")
    }

    @Test(
        "S40: an unambiguous host in another script is shown in Unicode",
        arguments: [
            "example.org", "münchen.de", "пример.испытание", "例え.jp", "kæmpe.dk", "сор.рф", "ελλάδα.gr", "한국.kr",
            "xn--mnchen-3ya.de", "[::1]", "192.0.2.1", "straße.de",
        ])
    func honestHosts(_ host: String) {
        #expect(!DisplayHost(host).isSuspicious)
        #expect(DisplayHost(host).text == host)
        #expect(SpoofCheck(url: "http://\(host)/").reason == nil)
    }

    @Test("S40: a suspicious host in Punycode is kept and reported, also in links")
    func punycode() {
        #expect(DisplayHost("xn--pypal-4ve.com").isSuspicious)
        #expect(DisplayHost("xn--pypal-4ve.com").text == "xn--pypal-4ve.com")
        #expect(
            SpoofCheck(text: #"<a href="https://xn--pypal-4ve.com/in">here</a>"#).reason
                == "leads to xn--pypal-4ve.com")
        #expect(SpoofCheck(text: "see https://p\u{430}ypal.com/in").reason == "leads to xn--pypal-4ve.com")
    }

    @Test("S40: an invalid host is shown as code points")
    func noHosts() {
        for host in ["a\u{2028}b.com", "\u{2024}\u{2024}.com", "xn--\u{430}.com", "\u{202E}moc.elgoog"] {
            let shown = DisplayHost(host)
            #expect(shown.isSuspicious)
            #expect(shown.text.utf8.allSatisfy { $0 < 0x80 }, "\(shown.text)")
        }
    }

    @Test("S30, S40: 200 hosts of a text are checked, each once, and a text with more says so")
    func manyLinks() {
        func text(_ count: Int) -> String {
            // Also hosts that need no check, and one again and again.
            (1...count).map {
                "https://münchen\($0).de/ https://example.org/ https://example.org:443 https://bücher.de"
            }
            .joined(separator: "\n")
        }
        let spoofed = "\nhttps://p\u{430}ypal.com/"
        #expect(SpoofCheck(text: text(199)).reason == nil)
        #expect(SpoofCheck(text: text(198) + spoofed).reason == "leads to xn--pypal-4ve.com")
        #expect(SpoofCheck(text: text(199) + spoofed).reason == "more links were not checked")
        #expect(
            SpoofCheck(text: spoofed + text(3000)).reason == "leads to xn--pypal-4ve.com; more links were not checked")
        let repeated = String(repeating: spoofed, count: 3000)
        #expect(SpoofCheck(text: repeated).reason == "leads to xn--pypal-4ve.com")
    }

    @Test("S30, S49: long texts of hidden and mixed letters are checked")
    func long() {
        let mixed = String(repeating: "p\u{430}\u{200B}", count: 20_000)
        #expect(SpoofCheck(name: mixed).reason != nil)
        #expect(SpoofCheck(text: String(repeating: "://\u{430}a", count: 20_000)).reason != nil)
        #expect(DisplayHost(mixed).isSuspicious)
    }
}
