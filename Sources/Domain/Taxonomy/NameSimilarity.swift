// Row B29: whether two names of categories are so much alike that they may mean the same thing. It warns; it forbids nothing.

package enum NameSimilarity {
    /// SimilarSubject from this share of common trigrams on (>=).
    package static let share = 0.6
    /// One letter more or less is alike where the longer name has this many letters or more (>=).
    package static let leastLetters = 4
    /// One other letter is alike where the names have this many letters or more (>=): cake is no café.
    package static let leastLettersWithOther = 6

    /// Case, accents, punctuation and the order of words do not count.
    package static func areSimilar(_ one: String, _ other: String) -> Bool {
        Name(one).isLike(Name(other))
    }

    /// A name made ready to be compared with many.
    struct Name {
        private let letters: [Character]
        fileprivate let trigrams: Set<String>

        init(_ text: String) {
            let words = Slug.make(from: text).split(separator: "-")
            letters = Array(words.joined())
            trigrams = words.reduce(into: []) { $0.formUnion(Self.trigrams(of: $1)) }
        }

        func isLike(_ other: Name) -> Bool {
            if letters == other.letters { return true }
            let isLonger = letters.count != other.letters.count
            if max(letters.count, other.letters.count)
                >= (isLonger ? NameSimilarity.leastLetters : NameSimilarity.leastLettersWithOther),
                Self.differInOneLetter(letters, other.letters)
            {
                return true
            }
            let common = trigrams.intersection(other.trigrams).count
            return Double(common) >= NameSimilarity.share * Double(trigrams.count + other.trigrams.count - common)
        }

        /// Every three letters in a row, with two blanks before the word and one after it.
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

    /// All pairs of names that are alike, by their places, each pair once. Only names that have three letters in common are
    /// compared: alike ones always have.
    package static func pairs(in names: [String]) -> [(Int, Int)] {
        var known: [String: [Int]] = [:]
        var ready: [Name] = []
        var pairs: [(Int, Int)] = []
        for (place, text) in names.enumerated() {
            let name = Name(text)
            for other in Set(name.trigrams.flatMap { known[$0] ?? [] }).sorted() where name.isLike(ready[other]) {
                pairs.append((other, place))
            }
            for trigram in name.trigrams { known[trigram, default: []].append(place) }
            ready.append(name)
        }
        return pairs
    }
}
