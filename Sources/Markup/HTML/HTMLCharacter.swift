// Tells the characters that cannot survive a trip through an HTML parser, or that no reader can see.

enum HTMLCharacter {
    /// Control characters but for white space, the byte order mark, and code points that are no characters.
    static func isUnwanted(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0C, 0x0D: false
        case 0x00...0x1F, 0x7F...0x9F, 0xFEFF, 0xFDD0...0xFDEF: true
        default: scalar.value & 0xFFFE == 0xFFFE
        }
    }

    static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "\n" || scalar == "\t" || scalar == "\r" || scalar == "\u{C}"
    }

    /// Without unwanted characters, and with line ends as an HTML parser would leave them.
    static func cleaned(_ text: String) -> String {
        // Most text is printable ASCII, and needs no closer look.
        var text = text
        let isPlain = text.withUTF8 { bytes in
            bytes.allSatisfy { (0x20..<0x7F).contains($0) || $0 == 0x0A || $0 == 0x09 }
        }
        if isPlain { return text }
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where !isUnwanted(scalar) {
            switch scalar {
            case "\r": scalars.append("\n")
            case "\u{C}": scalars.append(" ")
            default: scalars.append(scalar)
            }
        }
        return String(scalars)
    }
}
