// A language tag such as `de`, `de-AT` or `zh-Hant-TW` (the subset of BCP 47 in use for texts).
import Localization

package struct LanguageTag: Sendable, Hashable {
    /// The canonical spelling: `zh-Hant-TW`.
    package let text: String

    package static var formatMessage: String { tr("Enter a language such as en, de-AT or zh-Hant.") }

    /// The canonical spelling. Throws `Failure.invalid` with `format`.
    package static func check(_ written: String, pointer: String) throws(Failure) -> String {
        guard let tag = LanguageTag(written) else { throw .invalid(FieldErrors(pointer, "format", formatMessage)) }
        return tag.text
    }

    /// Obsolete codes that apps still send.
    private static let renamed = ["iw": "he", "in": "id", "ji": "yi"]

    /// Nil unless the text is a language with optional script and region. Corrects case and underscores.
    package init?(_ written: String) {
        guard written.utf8.count <= 64 else { return nil }
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

    /// The tag and its fallbacks: `zh-Hant-TW`, `zh-Hant`, `zh`.
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
