// Tests language tags and keys: normalization and rejection.
import Testing

@testable import Domain

@Suite("Languages and keys")
struct LanguageTagTests {
    @Test(
        "B61: a language tag is normalized",
        arguments: [
            ("de", "de"), ("DE-at", "de-AT"), ("pt_BR", "pt-BR"), ("zh-hant-tw", "zh-Hant-TW"), ("es-419", "es-419"),
            ("iw", "he"), ("in", "id"), ("fil", "fil"),
        ])
    func tags(written: String, text: String) {
        #expect(LanguageTag(written)?.text == text)
    }

    @Test(
        "Anything but a language tag is rejected",
        arguments: ["", "d", "deutsch", "de-", "de-A", "de-AUT", "de-AT-x", "d1", "de AT", "zh-Hant-TW-TW", "ä"])
    func refused(written: String) {
        #expect(LanguageTag(written) == nil)
    }

    @Test("B61: a language falls back to its broader forms")
    func chain() {
        #expect(LanguageTag("zh-Hant-TW")?.chain == ["zh-Hant-TW", "zh-Hant", "zh"])
        #expect(LanguageTag("en")?.chain == ["en"])
    }

    @Test("Language tags of real Android and web apps are accepted")
    func real() {
        for name in ["ar", "el", "en", "eu", "iw", "in", "nb", "zh-TW", "pt-BR", "zh-CN", "zh-HK", "ko", "no"] {
            #expect(LanguageTag(name) != nil, "\(name)")
        }
    }

    @Test(
        "A key has words separated by dots and hyphens, at most 80 bytes",
        arguments: [
            ("a", true), ("site.about", true), ("run_pause_seconds", true), ("weaving.alt.swerves", true),
            ("mail-x.y2", true), ("", false), (".a", false), ("a.", false), ("a..b", false), ("A", false),
            ("2a", false), ("a b", false), ("ä", false), (String(repeating: "a", count: 80), true),
            (String(repeating: "a", count: 81), false),
        ])
    func keys(text: String, isKey: Bool) throws {
        let type = try ContentFixture.field("key")
        #expect(type.problems(.string(text)) == (isKey || text.isEmpty ? [] : ["format /fields/x"]))
    }

    @Test("A locale field stores the normalized tag")
    func locales() throws {
        let type = try ContentFixture.field("locale")
        #expect(try type.stored(" de_at ") == "de-AT")
        #expect(type.problems("german") == ["format /fields/x"])
        #expect(type.problems(.int(1)) == ["type /fields/x"])
    }
}
