// Tests the generation and validation of slugs.
import Domain
import Testing

@Suite struct SlugTests {
    @Test(
        "a title becomes words separated by hyphens",
        arguments: [
            ("Slow travel: 10 ways!", "slow-travel-10-ways"),
            ("  Crème brûlée — à la carte ", "creme-brulee-a-la-carte"),
            ("It's Joe’s", "its-joes"), ("", "entry"), ("!!! 😀", "entry"), ("İstanbul Łódź", "istanbul-łodz"),
            ("Привет, Йод", "привет-йод"), ("Ἀθήνα", "αθηνα"), ("हिन्दी में", "हिन्दी-में"), ("東京 ガイド", "東京-ガイド"),
            ("한국어", "한국어"), ("../../etc", "etc"), ("a\0b", "a-b"), ("zero\u{200B}width", "zerowidth"), ("ﬁn", "ﬁn"),
        ])
    func make(title: String, slug: String) throws {
        #expect(Slug.make(from: title) == slug)
        #expect(try Slug.check(Slug.make(from: title)) == slug)
    }

    @Test("a slug has at most 80 code points and ends with a whole word")
    func length() throws {
        #expect(Slug.make(from: String(repeating: "a", count: 81)) == String(repeating: "a", count: 80))
        let words = String(repeating: "abcdefghi ", count: 9)
        #expect(Slug.make(from: words).count == 79)
        let fits = String(repeating: "abcdefghi ", count: 7) + "abcdefghij"
        #expect(Slug.make(from: fits).count == 80)
        #expect(try Slug.check(String(repeating: "é", count: 80)).count == 80)
        #expect(problems { _ = try Slug.check(String(repeating: "é", count: 81)) } == ["too_long /fields/slug"])
    }

    @Test(
        "a title of any script gets a slug of at most 80 code points with room for a suffix, and both can be edited",
        arguments: [
            "हिन्दी में समाचार शीर्षक ", "ข่าวเด่นประจำวันที่", "မြန်မာသတင်းခေါင်းစဉ်", "മലയാളം വാർത്താ തലക്കെട്ട് ", "العربية ", "한국어", "日本語", "é́",
            "a\u{1AB0}\u{1AB1}", "a",
        ])
    func scripts(text: String) throws {
        for count in [1, 79, 80, 81, 200] {
            let title = String(String(repeating: text, count: count).prefix(count))
            let slugs = Slug.candidates(from: title, for: ID("0197b2d4-1111-7222-8333-444455556666")!)
            #expect(Set(slugs).count == 5)
            for slug in slugs {
                #expect(slug.unicodeScalars.count <= 80)
                #expect(try Slug.check(slug) == slug)
            }
            #expect(slugs.last?.hasSuffix("-444455556666") == true)
        }
        let stacked = "a" + String(repeating: "\u{1AB0}", count: 200)
        #expect(Slug.make(from: stacked).unicodeScalars.count == 80)
    }

    @Test("a suffix replaces the end of a slug that fills the limit")
    func suffix() {
        let full = Slug.make(from: String(repeating: "a", count: 80))
        #expect(Slug.adding("2", to: full) == String(repeating: "a", count: 78) + "-2")
        #expect(
            Slug.adding("2", to: String(repeating: "a", count: 77) + "-bc") == String(repeating: "a", count: 77) + "-2")
        #expect(Slug.adding("2", to: "title") == "title-2")
    }

    @Test(
        "an invalid slug is rejected",
        arguments: ["", "-", "a-", "-a", "a--b", "a b", "A", "a/b", "a_b", "ä.b", "."])
    func check(slug: String) {
        #expect(problems { _ = try Slug.check(slug, pointer: "/s") } == ["format /s"])
    }

    @Test("the message for an invalid slug suggests a valid one")
    func offer() {
        #expect(
            fieldErrors { _ = try Slug.check("Slow Travel") }.items.first?.message.hasSuffix(": slow-travel") == true)
    }
}
