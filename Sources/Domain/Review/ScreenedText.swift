// The features of a submission that screening uses: words, links, length and language.

package struct ScreenedText: Sendable {
    /// Normalized.
    package let title: [String]
    package let text: [String]
    package let contributor: String?
    /// The host of each link, in order of appearance.
    package let hosts: [String]
    /// The number of letters of the text, without the title.
    package let letters: Int
    package let language: String?

    /// The maximum number of words used.
    private static let maxWords = 2000

    package init(_ content: Content, in type: ContentType, plain: String, contributor: String?) {
        title = NormalizedTerms.of(content.title(in: type), limit: 100)
        let written = type.fields.filter { $0.type == .longText }.compactMap { content.fields[$0.name]?.stringValue }
        let words = NormalizedTerms.of(([plain] + written).joined(separator: "\n"), limit: Self.maxWords)
        text = words
        letters = words.reduce(0) { $0 + $1.unicodeScalars.count }
        language = LanguageGuess.of(words)
        self.contributor = contributor
        hosts = Self.hosts(in: JSONValue.object(content.fields).canonicalText)
    }

    /// The domains that a search finds the links by: their hosts, and the domains above those, such as `example.org` for
    /// `news.example.org`; of the page that it was taken from, too.
    package static func domains(of fields: [String: JSONValue], sourceURL: String?) -> [String] {
        let found = hosts(in: JSONValue.object(fields).canonicalText) + (sourceURL.map { hosts(in: $0) } ?? [])
        var domains: Set<String> = []
        for host in found.prefix(maxDomains) {
            var labels = host.split(separator: ".")[...]
            repeat {
                domains.insert(labels.joined(separator: "."))
                labels = labels.dropFirst()
            } while labels.count > 1
        }
        return domains.sorted()
    }

    private static let maxDomains = 200

    /// For a submission whose content type no longer exists.
    package static let none = ScreenedText()

    private init() {
        (title, text, contributor, hosts, letters, language) = ([], [], nil, [], 0, nil)
    }

    private static func hosts(in text: String) -> [String] {
        text.ranges(of: "://").flatMap { range -> [String] in
            guard text[..<range.lowerBound].hasSuffix("http") || text[..<range.lowerBound].hasSuffix("https") else {
                return []
            }
            let host = text[range.upperBound...].prefix { $0.isLetter || $0.isNumber || ".-。．｡".contains($0) }
            let start = host.prefix(while: \.isASCII)
            // In languages without spaces, text may follow a host at once.
            var found = start.endIndex == host.endIndex || start.contains(".") ? [start.lowercased()] : []
            if start.endIndex < host.endIndex, let name = HostName.internationalName(host) { found.append(name) }
            return found.filter { !$0.isEmpty }.map { $0.hasPrefix("www.") ? String($0.dropFirst(4)) : $0 }
        }
    }

    /// The tokens for training: each word once, separately for title and text, since a word has a different weight in
    /// each.
    package var tokens: Set<SpamToken> {
        var tokens: Set<SpamToken> = []
        for word in title { tokens.insert(SpamToken(field: .title, text: String(word.prefix(40)))) }
        for word in text.prefix(300) { tokens.insert(SpamToken(field: .text, text: String(word.prefix(40)))) }
        for host in hosts.prefix(20) { tokens.insert(SpamToken(field: .link, text: String(host.prefix(100)))) }
        if let contributor { tokens.insert(SpamToken(field: .contributor, text: String(contributor.prefix(100)))) }
        return tokens
    }

    /// Whether title or text contains these normalized words as a phrase.
    func contains(_ phrase: String) -> Bool {
        let wanted = phrase.split(separator: " ").map(String.init)
        func contains(_ all: [String]) -> Bool {
            guard let first = wanted.first, all.count >= wanted.count else { return false }
            return all.indices.dropLast(wanted.count - 1).contains { start in
                all[start] == first && Array(all[start..<start + wanted.count]) == wanted
            }
        }
        return contains(title) || contains(text)
    }
}
