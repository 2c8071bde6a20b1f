// Detects characters that an HTML parser does not preserve, or that are invisible.

enum HTMLCharacter {
    /// Control characters except white space, the byte order mark, and noncharacters.
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

    /// Removes unwanted characters and normalizes line endings like an HTML parser.
    static func cleaned(_ text: String) -> String {
        // Fast path: most text is printable ASCII.
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
