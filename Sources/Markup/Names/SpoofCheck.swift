// Warns curators of suspicious characters: hidden characters, confusable letters and spoofed hosts.
import Localization

/// Only warns, since a name may mix scripts legitimately.
package struct SpoofCheck: Sendable {
    /// The hosts of a text that are checked: each takes as long as many plain ones.
    private static let maximumHosts = 200

    /// The display text: hidden characters as code points, suspicious hosts in Punycode.
    package let shown: String
    /// The warning; nil if nothing is suspicious.
    package let reason: String?

    /// For a single line, such as a title or a name.
    package init(name: String) {
        if Self.isPlain(name) {
            (shown, reason) = (name, nil)
            return
        }
        let (visible, hidden) = HiddenCharacters.shown(in: name)
        let warnings =
            hidden + Self.suspiciousWords(of: name).map { tr("mixed scripts or confusable letters in “\($0)”") }
        (shown, reason) = (visible, Self.sentence(Array(warnings.prefix(4))))
    }

    /// For long text, with or without markup: checks hidden characters and links, but not mixed languages, which are
    /// common. Of very many links with different hosts that need a check, the first are checked.
    package init(text: String) {
        if Self.isPlain(text) && !text.contains("xn--") {
            (shown, reason) = (text, nil)
            return
        }
        let (visible, hidden) = HiddenCharacters.shown(in: text)
        var warnings = hidden
        var checked: Set<String> = []
        var unchecked: String?
        var rest = text[...]
        while warnings.count <= 5, let slashes = rest.firstRange(of: "://") {
            rest = rest[slashes.upperBound...]
            let host = String(rest.prefix { !"/?#:\"'<>()[] \n\t&".contains($0) }.prefix(300))
            let isPlain = Self.isPlain(host) && !host.lowercased().contains("xn--")
            if isPlain || checked.contains(host) { continue }
            if checked.count == Self.maximumHosts {
                unchecked = tr("more links were not checked")
                break
            }
            checked.insert(host)
            let shown = DisplayHost(host)
            if shown.isSuspicious { warnings.append(tr("leads to \(shown.text)")) }
        }
        (shown, reason) = (visible, Self.sentence(Array(warnings.prefix(4)) + (unchecked.map { [$0] } ?? [])))
    }

    /// For a URL: shows the host in Punycode if it could be confused with another host.
    package init(url: String) {
        guard let slashes = url.firstRange(of: "://") else {
            let (visible, hidden) = HiddenCharacters.shown(in: url)
            (shown, reason) = (visible, Self.sentence(hidden))
            return
        }
        let rest = url[slashes.upperBound...]
        let host = rest.prefix { !"/?#:".contains($0) }
        let other = DisplayHost(String(host))
        let (tail, hidden) = HiddenCharacters.shown(in: String(rest[host.endIndex...]))
        shown = url[..<slashes.upperBound] + other.text + tail
        reason = Self.sentence(hidden + (other.isSuspicious ? [tr("confusable letters in the host “\(host)”")] : []))
    }

    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 < 0x80 }
    }

    private static func sentence(_ warnings: [String]) -> String? {
        warnings.isEmpty ? nil : warnings.joined(separator: "; ")
    }

    /// The words that mix scripts, and words of another script that read as Latin, unless another word is clearly of
    /// that
    /// script: «сор» is a word in a Russian title, but alone it may imitate "cop".
    private static func suspiciousWords(of text: String) -> [String] {
        var mixed: [String] = []
        var similar: [String] = []
        var isForeign = false
        for part in text.unicodeScalars.split(whereSeparator: { !isPart($0) }) {
            let word = String(part)
            let letters = part.filter { $0.properties.isAlphabetic }
            if letters.allSatisfy(\.isASCII) { continue }
            if Confusables.areMixed(word) {
                mixed.append(word)
            } else if !letters.allSatisfy(Confusables.isLatin) {
                if Confusables.lookLikeASCII(word) { similar.append(word) } else { isForeign = true }
            }
        }
        return mixed + (isForeign ? [] : similar)
    }

    private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.properties.isAlphabetic || HiddenCharacters.isHidden(scalar) { return true }
        switch scalar.properties.generalCategory {
        case .decimalNumber, .nonspacingMark, .spacingMark: return true
        default: return false
        }
    }
}
