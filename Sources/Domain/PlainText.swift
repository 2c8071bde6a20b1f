// Cleans text that people wrote: normal form, control characters, line ends.

package enum PlainText {
    /// One line: NFC, every line end or tab a space, other control characters gone, nothing blank at either end.
    package static func singleLine(_ text: String) -> String {
        trimmed(NormalForm.composed(cleaned(text, lineEnd: " ", tab: " ")))
    }

    /// Any number of lines, each ended by `\n`: NFC, control characters but `\n` and `\t` gone.
    static func lines(_ text: String) -> String {
        NormalForm.composed(cleaned(text, lineEnd: "\n", tab: "\t"))
    }

    /// Nothing that a reader would see: white space and characters without a shape.
    package static func isBlank(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.properties.isWhitespace || $0.properties.isDefaultIgnorableCodePoint }
    }

    static func holdsNUL(_ text: String) -> Bool {
        text.holds(0)
    }

    /// Characters that turn the direction of all that follows, and so can make a title read as another.
    static func holdsBidiControls(_ text: String) -> Bool {
        text.unicodeScalars.contains { (0x202A...0x202E).contains($0.value) || (0x2066...0x2069).contains($0.value) }
    }

    /// True if the text has more than `limit` grapheme clusters, which are what a reader counts.
    static func isLonger(_ text: String, than limit: Int) -> Bool {
        // Never fewer bytes than clusters: most texts need no counting.
        text.utf8.count > limit && text.count > limit
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
            case 0..<0x20, 0x7F..<0xA0:
                break
            default:
                scalars.append(scalar)
            }
            previous = scalar
        }
        return String(scalars)
    }

    private static func trimmed(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let start = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(scalars[start...last])
    }
}
