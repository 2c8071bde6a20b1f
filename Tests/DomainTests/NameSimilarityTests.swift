// Tests the similarity of category names at the boundaries of the rule.
import Testing

@testable import Domain

@Suite("Name similarity")
struct NameSimilarityTests {
    @Test(
        "B29: case, accents, punctuation and the order of words do not count",
        arguments: [("Cafe", "CAFÉ"), ("Food & drink", "drink, food"), ("Bed-and-breakfast", "Bed and Breakfast")])
    func same(one: String, other: String) {
        #expect(NameSimilarity.areSimilar(one, other))
        #expect(NameSimilarity.areSimilar(other, one))
    }

    @Test(
        "B29: one inserted letter is similar from 4 letters on (>=), one substituted letter from 6 on (>=)",
        arguments: [
            ("Bar", "Bars", true), ("Bar", "Car", false), ("Pubs", "Pub", true), ("Cake", "Café", false),
            ("Ba", "Bar", false), ("Snack", "Snaci", false), ("Dinner", "Dimner", true), ("Dinner", "Dimmer", false),
            ("Inn", "Inns", true), ("Hotel", "Hotels", true),
        ])
    func oneLetter(one: String, other: String, isSimilar: Bool) {
        #expect(NameSimilarity.areSimilar(one, other) == isSimilar)
        #expect(NameSimilarity.areSimilar(other, one) == isSimilar)
    }

    /// Trigrams of "abcdef": 7 ("  a", " ab", "abc", "bcd", "cde", "def", "ef ").
    @Test("B29: names are similar from a 0.6 share of common trigrams on (>=)")
    func share() {
        // 6 common of 10 together: exactly the share.
        #expect(NameSimilarity.areSimilar("abcdef", "abcdefxy"))
        // 6 common of 11.
        #expect(!NameSimilarity.areSimilar("abcdef", "abcdefxyz"))
        #expect(!NameSimilarity.areSimilar("Coffee", "Fish and chips"))
    }

    @Test("Names without letters are similar only to each other, and an empty list has no pairs")
    func nothing() {
        #expect(NameSimilarity.pairs(in: []).isEmpty)
        #expect(NameSimilarity.pairs(in: ["Tea"]).isEmpty)
        let pairs = NameSimilarity.pairs(in: ["Café", "Tea", "Cafe", "CAFES"])
        #expect(pairs.map { [$0.0, $0.1] } == [[0, 2], [0, 3], [2, 3]])
    }
}
