// Shows a curator what a text hides: characters without a shape, letters that look like others, and hosts made of them.

/// It forbids nothing: a name may mix scripts for good reasons. But nobody should approve one thing for another.
package struct SpoofCheck: Sendable {
    /// As it is shown: hidden characters by their number, doubtful hosts in DNS's spelling.
    package let shown: String
    /// Why to look twice, for people; nil where nothing is doubtful.
    package let reason: String?

    /// A text of one line, such as a title or a name.
    package init(name: String) {
        if Self.isPlain(name) {
            (shown, reason) = (name, nil)
            return
        }
        let (visible, hidden) = HiddenCharacters.shown(in: name)
        let doubts = hidden + Self.words(of: name).map { "letters of several scripts or look-alikes in “\($0)”" }
        (shown, reason) = (visible, Self.sentence(doubts))
    }

    /// A text of many lines, also one with markup: words of several languages are usual there, hidden characters and
    /// doubtful links are not.
    package init(text: String) {
        if Self.isPlain(text) && !text.contains("xn--") {
            (shown, reason) = (text, nil)
            return
        }
        let (visible, hidden) = HiddenCharacters.shown(in: text)
        var doubts = hidden
        for range in text.ranges(of: "://") {
            let host = text[range.upperBound...].prefix { !"/?#:\"'<>()[] \n\t&".contains($0) }
            let shown = DisplayHost(String(host.prefix(300)))
            if shown.isDoubtful { doubts.append("leads to \(shown.text)") }
            if doubts.count > 5 { break }
        }
        (shown, reason) = (visible, Self.sentence(doubts))
    }

    /// An address: its host in DNS's spelling where the other one could be taken for another.
    package init(address: String) {
        guard let slashes = address.firstRange(of: "://") else {
            let (visible, hidden) = HiddenCharacters.shown(in: address)
            (shown, reason) = (visible, Self.sentence(hidden))
            return
        }
        let rest = address[slashes.upperBound...]
        let host = rest.prefix { !"/?#:".contains($0) }
        let other = DisplayHost(String(host))
        let (tail, hidden) = HiddenCharacters.shown(in: String(rest[host.endIndex...]))
        shown = address[..<slashes.upperBound] + other.text + tail
        reason = Self.sentence(hidden + (other.isDoubtful ? ["look-alike letters in the host “\(host)”"] : []))
    }

    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 < 0x80 }
    }

    private static func sentence(_ doubts: [String]) -> String? {
        doubts.isEmpty ? nil : doubts.prefix(4).joined(separator: "; ")
    }

    /// The words that mix scripts, and those of another script that read as Latin, where no word of the text is plainly
    /// of that other script: in a Russian title «сор» is a word, alone it may be meant to be read as "cop".
    private static func words(of text: String) -> [String] {
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
