// How much two things that were sent in or are live are alike: what of them is compared, under which keys each is found, and the score.

/// One side of the comparison.
package struct Similarity: Sendable, Hashable {
    /// SimilarSubject from this score on (>=).
    package static let least = 0.6

    /// Folded words with one blank between them.
    package let title: String
    package let text: String
    /// Canonical; nil where it has none.
    package let address: String?
    package let point: GeoPoint?

    /// Words of a title and of a text that are looked at.
    private static let titleWords = 40
    private static let textWords = 100
    /// Texts with fewer words say too little to be compared (<).
    private static let leastTextWords = 6
    /// Meters between two positions of one thing, at most (<=).
    private static let near = 150.0
    /// Cells of a degree in which positions are found; one is about 220 m high.
    private static let cells = 500.0
    private static let numberWords: Set<Substring> = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
        "first", "second", "third", "fourth", "fifth", "final",
    ]

    /// As it was kept.
    package init(title: String, text: String, address: String?, point: GeoPoint?) {
        self.title = title
        self.text = text
        self.address = address
        self.point = point
    }

    /// `plain` is the text of fields with markup, without it (`ContentRules.plain`).
    package init(_ content: Content, in type: ContentType, plain: String, sourceURL: String? = nil) {
        func joined(_ text: String, _ limit: Int) -> String {
            NormalizedTerms.of(text, limit: limit).joined(separator: " ")
        }
        title = joined(content.title(in: type), Self.titleWords)
        let long = type.fields.first { $0.type == .longText && content.fields[$0.name] != nil }
        let body = NormalizedTerms.of(plain, limit: Self.textWords)
        // What came from a feed often has its summary for a text, or the other way round: they begin alike.
        text =
            body.count >= Self.leastTextWords
            ? body.joined(separator: " ")
            : joined(long.flatMap { content.fields[$0.name]?.stringValue } ?? plain, Self.textWords)
        let link = type.kind == .item ? type.fields.first { $0.type == .url } : nil
        address = (link.flatMap { content.fields[$0.name]?.stringValue } ?? sourceURL).flatMap(CanonicalURL.of)
        point = type.fields.first { $0.type == .point }.flatMap { GeoPoint(content.fields[$0.name]) }
    }

    // MARK: Keys

    /// Under these it is found: two things that are alike have at least one in common. No more than 13, so that looking for
    /// one costs the same however many there are; each says much: three words of the title, not one.
    package var keys: [Int32] { keys(around: 0) }

    /// Under these others are looked for: a position is looked for in the neighbourhood, too.
    package var searchKeys: [Int32] { keys(around: 1) }

    private func keys(around: Int) -> [Int32] {
        let title = title.split(separator: " ")
        let text = text.split(separator: " ")
        var keys: Set<UInt32> = []
        if !title.isEmpty { keys.insert(Self.hash("w", title[...])) }
        if title.count >= 2 {
            keys.insert(Self.hash("f", title[..<2]))
            keys.insert(Self.hash("f", title.suffix(2)))
        }
        keys.formUnion(Self.least(4, of: Self.runs(of: 3, in: title[...], "t")))
        if text.count >= 6 {
            keys.insert(Self.hash("p", text[..<6]))
            keys.formUnion(Self.least(3, of: Self.runs(of: 4, in: text.prefix(60), "x")))
        }
        if let address { keys.insert(Self.hash("a", [address[...]])) }
        if let point {
            let (lat, lon) = (
                Int((point.lat * Self.cells).rounded(.down)), Int((point.lon * Self.cells).rounded(.down))
            )
            for y in lat - around...lat + around {
                for x in lon - around...lon + around { keys.insert(Self.hash("g", ["\(y)", "\(x)"])) }
            }
        }
        return keys.map { Int32(bitPattern: $0) }.sorted()
    }

    private static func runs(of length: Int, in words: ArraySlice<Substring>, _ kind: String) -> [UInt32] {
        guard words.count >= length else { return [] }
        return (words.startIndex...words.endIndex - length).map { hash(kind, words[$0..<$0 + length]) }
    }

    /// The least hashes are a sample that both sides draw alike.
    private static func least(_ count: Int, of hashes: [UInt32]) -> ArraySlice<UInt32> {
        Array(Set(hashes)).sorted().prefix(count)
    }

    /// FNV-1a, which is the same in every run and on every machine; mixed, so that its least values are any.
    private static func hash(_ kind: String, _ words: ArraySlice<Substring>) -> UInt32 {
        var hash: UInt32 = 0x811C_9DC5
        func add(_ byte: UInt8) { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
        kind.utf8.forEach(add)
        for word in words {
            add(0x20)
            word.utf8.forEach(add)
        }
        hash ^= hash >> 16
        hash = hash &* 0x85EB_CA6B
        hash ^= hash >> 13
        hash = hash &* 0xC2B2_AE35
        return hash ^ (hash >> 16)
    }

    // MARK: Score

    package func hasAddress(of other: Similarity) -> Bool { address != nil && address == other.address }

    /// From 0 (nothing in common) to 1. Titles count by their letters, three in a row each; texts by their pairs of words, as
    /// far as the shorter one goes, for one is often cut. Two parts of a series differ in a number.
    package func score(with other: Similarity) -> Double {
        if let point, let place = other.point {
            let isNear = metres(point, place) <= Self.near
            return isNear ? titleScore(with: other, isTelling: true) : titleScore(with: other) * 0.4
        }
        let titles = titleScore(with: other)
        let score: Double
        if let texts = textScore(with: other) {
            score = 0.4 * titles + 0.6 * texts
        } else {
            // One word that two things have in common says little.
            score = title.count >= 12 || title.contains(" ") ? titles : titles * 0.5
        }
        return differsInNumber(from: other) ? score * 0.5 : score
    }

    private func titleScore(with other: Similarity, isTelling: Bool = false) -> Double {
        if title.isEmpty || other.title.isEmpty { return 0 }
        if title == other.title { return 1 }
        let (one, two) = (Self.trigrams(title), Self.trigrams(other.title))
        let common = one.intersection(two).count
        let share = Double(common) / Double(one.count + two.count - common)
        // The name of a source stands before or behind a title: the whole shorter title is in the longer one.
        let (short, long) = title.count <= other.title.count ? (title, other.title) : (other.title, title)
        let isWithin = long.hasPrefix(short + " ") || long.hasSuffix(" " + short)
        let saysMuch = isTelling || short.split(separator: " ").count >= 3 || short.count >= 15
        return isWithin && saysMuch ? max(share, 0.9) : share
    }

    /// Nil where one of them has too little text.
    private func textScore(with other: Similarity) -> Double? {
        let (one, two) = (text.split(separator: " "), other.text.split(separator: " "))
        let length = min(one.count, two.count)
        guard length >= Self.leastTextWords else { return nil }
        let pairs = Self.pairs(one.prefix(length)), others = Self.pairs(two.prefix(length))
        let common = pairs.intersection(others).count
        return Double(common) / Double(pairs.count + others.count - common)
    }

    /// In figures or in words; a title without numbers says nothing.
    private func differsInNumber(from other: Similarity) -> Bool {
        let (one, two) = (Self.numbers(title), Self.numbers(other.title))
        return !one.isEmpty && !two.isEmpty && one != two
    }

    private static func numbers(_ title: String) -> [Substring] {
        title.split(separator: " ").flatMap { word -> [Substring] in
            numberWords.contains(word) ? [word] : word.split { !$0.isNumber }
        }
    }

    /// As PostgreSQL makes them: two blanks before each word and one behind it.
    private static func trigrams(_ text: String) -> Set<String> {
        var found: Set<String> = []
        for word in text.split(separator: " ") {
            let padded = Array("  \(word) ".unicodeScalars)
            for start in 0..<padded.count - 2 {
                var view = String.UnicodeScalarView()
                view.append(contentsOf: padded[start..<start + 3])
                found.insert(String(view))
            }
        }
        return found
    }

    private static func pairs(_ words: ArraySlice<Substring>) -> Set<String> {
        Set(zip(words, words.dropFirst()).map { "\($0) \($1)" })
    }

    private func metres(_ one: GeoPoint, _ two: GeoPoint) -> Double {
        let (a, b) = (one.vector, two.vector)
        let chord = (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z)
        return GeoVector.metres(ofChord: chord.squareRoot())
    }
}
