// Measures the similarity of submissions and entries: the compared features, the search keys and the score.

/// The compared features of one submission or entry.
package struct Similarity: Sendable, Hashable {
    /// The minimum score of similar content (>=).
    package static let threshold = 0.6

    /// Normalized words separated by one space.
    package let title: String
    package let text: String
    /// The canonical URL; nil without one.
    package let url: String?
    package let point: GeoPoint?

    /// The maximum number of words of a title and a text that are compared.
    private static let titleWords = 40
    private static let textWords = 100
    /// Texts with fewer words are not compared (<).
    private static let minTextWords = 6
    /// The maximum distance in meters between two positions of the same place (<=).
    private static let near = 150.0
    /// Grid cells per degree for position keys; a cell is about 220 m high.
    private static let cells = 500.0
    private static let numberWords: Set<Substring> = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
        "first", "second", "third", "fourth", "fifth", "final",
    ]

    /// From stored values.
    package init(title: String, text: String, url: String?, point: GeoPoint?) {
        self.title = title
        self.text = text
        self.url = url
        self.point = point
    }

    /// `plain` is the text of markup fields without the markup (`ContentRules.plain`).
    package init(_ content: Content, in type: ContentType, plain: String, sourceURL: String? = nil) {
        func joined(_ text: String, _ limit: Int) -> String {
            NormalizedTerms.of(text, limit: limit).joined(separator: " ")
        }
        title = joined(content.title(in: type), Self.titleWords)
        let long = type.fields.first { $0.type == .longText && content.fields[$0.name] != nil }
        let body = NormalizedTerms.of(plain, limit: Self.textWords)
        // Feed entries often have the summary as text or vice versa; both begin with the same words.
        text =
            body.count >= Self.minTextWords
            ? body.joined(separator: " ")
            : joined(long.flatMap { content.fields[$0.name]?.stringValue } ?? plain, Self.textWords)
        let link = type.kind == .item ? type.fields.first { $0.type == .url } : nil
        url = (link.flatMap { content.fields[$0.name]?.stringValue } ?? sourceURL).flatMap(CanonicalURL.of)
        point = type.fields.first { $0.type == .point }.flatMap { GeoPoint(content.fields[$0.name]) }
    }

    // MARK: Keys

    /// The keys to store; similar content has at least one in common. At most 13 keys, so that the cost of a search
    /// does not
    /// depend on the amount of content; each key is selective: three words of the title, not one.
    package var keys: [Int32] { keys(around: 0) }

    /// The keys to search for; includes the neighboring cells of a position.
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
        keys.formUnion(Self.smallest(4, of: Self.runs(of: 3, in: title[...], "t")))
        if text.count >= 6 {
            keys.insert(Self.hash("p", text[..<6]))
            keys.formUnion(Self.smallest(3, of: Self.runs(of: 4, in: text.prefix(60), "x")))
        }
        if let url { keys.insert(Self.hash("a", [url[...]])) }
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

    /// The smallest hashes are a sample that is the same on both sides.
    private static func smallest(_ count: Int, of hashes: [UInt32]) -> ArraySlice<UInt32> {
        Array(Set(hashes)).sorted().prefix(count)
    }

    /// FNV-1a, which is stable across runs and machines, with a finalizer, so that the smallest values are evenly
    /// spread.
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

    package func hasURL(of other: Similarity) -> Bool { url != nil && url == other.url }

    /// From 0 (nothing in common) to 1. Compares titles by trigrams and texts by word pairs up to the length of the
    /// shorter
    /// one, since one is often truncated. Different numbers in the titles, as in parts of a series, halve the score.
    package func score(with other: Similarity) -> Double {
        if let point, let otherPoint = other.point {
            let isNear = meters(point, otherPoint) <= Self.near
            return isNear ? titleScore(with: other, isSelective: true) : titleScore(with: other) * 0.4
        }
        let titles = titleScore(with: other)
        let score: Double
        if let texts = textScore(with: other) {
            score = 0.4 * titles + 0.6 * texts
        } else {
            // A single common word is weak evidence.
            score = title.count >= 12 || title.contains(" ") ? titles : titles * 0.5
        }
        return differsInNumber(from: other) ? score * 0.5 : score
    }

    private func titleScore(with other: Similarity, isSelective: Bool = false) -> Double {
        if title.isEmpty || other.title.isEmpty { return 0 }
        if title == other.title { return 1 }
        let (one, two) = (Self.trigrams(title), Self.trigrams(other.title))
        let common = one.intersection(two).count
        let share = Double(common) / Double(one.count + two.count - common)
        // Titles often have the name of the source as prefix or suffix: then the longer one contains the shorter one.
        let (short, long) = title.count <= other.title.count ? (title, other.title) : (other.title, title)
        let isWithin = long.hasPrefix(short + " ") || long.hasSuffix(" " + short)
        let isLong = isSelective || short.split(separator: " ").count >= 3 || short.count >= 15
        return isWithin && isLong ? max(share, 0.9) : share
    }

    /// Nil if either has too little text.
    private func textScore(with other: Similarity) -> Double? {
        let (one, two) = (text.split(separator: " "), other.text.split(separator: " "))
        let length = min(one.count, two.count)
        guard length >= Self.minTextWords else { return nil }
        let pairs = Self.pairs(one.prefix(length)), others = Self.pairs(two.prefix(length))
        let common = pairs.intersection(others).count
        return Double(common) / Double(pairs.count + others.count - common)
    }

    /// Compares digits and number words; titles without numbers do not differ.
    private func differsInNumber(from other: Similarity) -> Bool {
        let (one, two) = (Self.numbers(title), Self.numbers(other.title))
        return !one.isEmpty && !two.isEmpty && one != two
    }

    private static func numbers(_ title: String) -> [Substring] {
        title.split(separator: " ").flatMap { word -> [Substring] in
            numberWords.contains(word) ? [word] : word.split { !$0.isNumber }
        }
    }

    /// Trigrams as in PostgreSQL: two spaces before each word and one after it.
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

    private func meters(_ one: GeoPoint, _ two: GeoPoint) -> Double {
        let (a, b) = (one.vector, two.vector)
        let chord = (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z)
        return GeoVector.meters(ofChord: chord.squareRoot())
    }
}
