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

    @Test("a slug has at most 80 characters and ends with a whole word")
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
