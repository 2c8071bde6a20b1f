// Cleans plain text: Unicode normal form, control characters, line endings.
import Localization

package enum PlainText {
    /// A single line: NFC, line endings and tabs replaced by spaces, other control characters removed, trimmed.
    package static func singleLine(_ text: String) -> String {
        trimmed(NormalForm.composed(cleaned(text, lineEnd: " ", tab: " ")))
    }

    /// Multiple lines with `\n` line endings: NFC, control characters except `\n` and `\t` removed.
    static func lines(_ text: String) -> String {
        NormalForm.composed(cleaned(text, lineEnd: "\n", tab: "\t"))
    }

    /// The text with `\n` in place of each `\r\n`, which browsers submit from text areas.
    package static func withLineFeeds(_ text: String) -> String {
        // By bytes: replacing a character takes a hundred times as long.
        guard text.contains(byte: UInt8(ascii: "\r")) else { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\n"), bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether the text has nothing visible.
    package static func isBlank(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy(isInvisible)
    }

    /// White space, default-ignorable characters, and characters that stand for something that is not there: an empty pattern
    /// of Braille, a pasted object, an annotation.
    package static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x21...0x7E: false
        case 0x2800, 0xFFF9...0xFFFC: true
        default: scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    /// Whether the text contains control characters that `singleLine` and `lines` remove.
    static func containsControls(_ text: String) -> Bool {
        !text.isASCII(within: 0x20..<0x7F) && text.unicodeScalars.contains(where: isRemoved)
    }

    static func containsNUL(_ text: String) -> Bool {
        text.contains(byte: 0)
    }

    /// Whether the text contains bidirectional controls, which can make one title read like another.
    package static func containsBidiControls(_ text: String) -> Bool {
        text.unicodeScalars.contains { (0x202A...0x202E).contains($0.value) || (0x2066...0x2069).contains($0.value) }
    }

    /// Whether the text has more than `limit` grapheme clusters, which is what readers count as characters.
    package static func isLonger(_ text: String, than limit: Int) -> Bool {
        // A text never has fewer bytes than clusters, so most texts need no counting; of a long one, the start is enough.
        guard text.utf8.count > limit else { return false }
        return text.index(text.startIndex, offsetBy: limit + 1, limitedBy: text.endIndex) != nil
    }

    /// Says how many characters a text has that `isLonger` than the limit. Of a text with many more, not all are counted.
    package static func tooLong(_ text: String, limit: Int) -> String {
        let most = limit + 10_000
        return isLonger(text, than: most)
            ? tr("More than \(most) characters; at most \(limit) are allowed.")
            : tr("\(text.count) characters; at most \(limit) are allowed.")
    }

    /// At most `length` characters, including the ellipsis of a shortened text, such as a title in a message.
    package static func shortened(_ text: String, to length: Int) -> String {
        isLonger(text, than: length) ? text.prefix(length - 1) + "…" : text
    }

    private static func cleaned(_ text: String, lineEnd: Unicode.Scalar, tab: Unicode.Scalar) -> String {
        if text.isASCII(within: 0x20..<0x7F) { return text }
        var scalars = String.UnicodeScalarView()
        var previous: Unicode.Scalar = " "
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0A where previous == "\r":
                break
            case 0x0A, 0x0D, 0x85, 0x2028, 0x2029:
                scalars.append(lineEnd)
            case 0x09:
                scalars.append(tab)
            default:
                if !isRemoved(scalar) { scalars.append(scalar) }
            }
            previous = scalar
        }
        return String(scalars)
    }

    /// Control characters except tabs and line endings.
    private static func isRemoved(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D, 0x85: false
        case 0..<0x20, 0x7F..<0xA0: true
        default: false
        }
    }

    static func trimmed(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let start = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(scalars[start...last])
    }
}
