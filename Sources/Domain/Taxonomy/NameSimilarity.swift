// Row B29: detects category names that are so similar that they may mean the same. Used for warnings only.

package enum NameSimilarity {
    /// The minimum share of common trigrams of similar names (>=).
    package static let share = 0.6
    /// The minimum length of the longer name for a difference of one inserted letter (>=).
    package static let minLengthForInsertion = 4
    /// The minimum length of names for a difference of one substituted letter (>=): cake is not café.
    package static let minLengthForSubstitution = 6

    /// Ignores case, accents, punctuation and word order.
    package static func areSimilar(_ one: String, _ other: String) -> Bool {
        Name(one).isSimilar(to: Name(other))
    }

    /// A name prepared for many comparisons.
    struct Name {
        private let letters: [Character]
        fileprivate let trigrams: Set<String>

        init(_ text: String) {
            let words = Slug.make(from: text).split(separator: "-")
            letters = Array(words.joined())
            trigrams = words.reduce(into: []) { $0.formUnion(Self.trigrams(of: $1)) }
        }

        func isSimilar(to other: Name) -> Bool {
            if letters == other.letters { return true }
            let isLonger = letters.count != other.letters.count
            if max(letters.count, other.letters.count)
                >= (isLonger ? NameSimilarity.minLengthForInsertion : NameSimilarity.minLengthForSubstitution),
                Self.differInOneLetter(letters, other.letters)
            {
                return true
            }
            let common = trigrams.intersection(other.trigrams).count
            return Double(common) >= NameSimilarity.share * Double(trigrams.count + other.trigrams.count - common)
        }

        /// All trigrams of a word, padded with two spaces before and one after it.
        private static func trigrams(of word: Substring) -> Set<String> {
            let padded = Array("  " + word + " ")
            return Set((0..<padded.count - 2).map { String(padded[$0..<$0 + 3]) })
        }

        private static func differInOneLetter(_ one: [Character], _ other: [Character]) -> Bool {
            let (short, long) = one.count <= other.count ? (one, other) : (other, one)
            guard long.count - short.count <= 1 else { return false }
            let start = zip(short, long).prefix { $0 == $1 }.count
            let rest = long.count == short.count ? start + 1 : start
            return Array(short.dropFirst(rest)) == Array(long.dropFirst(start + 1))
        }
    }

    /// The index pairs of all similar names, each pair once. Compares only names with a common trigram, which all
    /// similar
    /// names have.
    package static func pairs(in names: [String]) -> [(Int, Int)] {
        var indicesOfTrigram: [String: [Int]] = [:]
        var prepared: [Name] = []
        var pairs: [(Int, Int)] = []
        for (index, text) in names.enumerated() {
            let name = Name(text)
            for other in Set(name.trigrams.flatMap { indicesOfTrigram[$0] ?? [] }).sorted()
            where name.isSimilar(to: prepared[other]) {
                pairs.append((other, index))
            }
            for trigram in name.trigrams { indicesOfTrigram[trigram, default: []].append(index) }
            prepared.append(name)
        }
        return pairs
    }
}
