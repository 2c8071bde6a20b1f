// A language as people and apps name it: `de`, `de-AT`, `zh-Hant-TW` (the part of BCP 47 that is in use for texts).

package struct LanguageTag: Sendable, Hashable {
    /// As it is written everywhere: `zh-Hant-TW`.
    package let text: String

    package static let form = "Write a language such as en, de-AT or zh-Hant."

    /// What apps still send, though it was replaced long ago.
    private static let renamed = ["iw": "he", "in": "id", "ji": "yi"]

    /// Nil for what is no language, script and region; case and underscores are mended.
    package init?(_ written: String) {
        var parts = written.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }.map { $0.lowercased() }
        guard let language = parts.first, (2...3).contains(language.utf8.count), Self.isLetters(language) else {
            return nil
        }
        parts.removeFirst()
        var text = Self.renamed[language] ?? language
        if let script = parts.first, script.utf8.count == 4, Self.isLetters(script) {
            text += "-" + script.prefix(1).uppercased() + script.dropFirst()
            parts.removeFirst()
        }
        if let region = parts.first, Self.isRegion(region) {
            text += "-" + region.uppercased()
            parts.removeFirst()
        }
        guard parts.isEmpty else { return nil }
        self.text = text
    }

    /// The tag and what is asked for when there is nothing in it: `zh-Hant-TW`, `zh-Hant`, `zh`.
    package var chain: [String] {
        var parts = text.split(separator: "-")
        var chain: [String] = []
        while !parts.isEmpty {
            chain.append(parts.joined(separator: "-"))
            parts.removeLast()
        }
        return chain
    }

    private static func isLetters(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x61...0x7A).contains($0) }
    }

    private static func isRegion(_ text: String) -> Bool {
        (text.utf8.count == 2 && isLetters(text)) || (text.utf8.count == 3 && text.utf8.allSatisfy(\.isASCIIDigit))
    }
}
