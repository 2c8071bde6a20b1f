// Finds invisible characters and replaces them with their code points.
import Localization

enum HiddenCharacters {
    /// Bidirectional controls, zero-width characters and default-ignorable characters.
    static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isDefaultIgnorableCodePoint || scalar.properties.isBidiControl
            || (0xFFF9...0xFFFB).contains(scalar.value)
    }

    /// The text with `[U+200B]` for each hidden character, and a warning that lists them ("hidden characters: U+200B").
    static func shown(in text: String) -> (text: String, warnings: [String]) {
        var shown = String.UnicodeScalarView()
        var found: [String] = []
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            if isHidden(scalar) && !isLegitimate(scalar, after: previous) {
                let digits = String(scalar.value, radix: 16, uppercase: true)
                let name = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
                shown.append(contentsOf: "[\(name)]".unicodeScalars)
                if !found.contains(name) { found.append(name) }
            } else {
                shown.append(scalar)
            }
            previous = scalar
        }
        let list = found.prefix(5).joined(separator: ", ") + (found.count > 5 ? tr(" and others") : "")
        return (String(shown), found.isEmpty ? [] : [tr("hidden characters: \(list)")])
    }

    /// Whether the character is legitimate here: variation selectors, joiners in emoji and in scripts with joining
    /// letters,
    /// and flags of subdivisions.
    private static func isLegitimate(_ scalar: Unicode.Scalar, after previous: Unicode.Scalar?) -> Bool {
        guard let previous else { return false }
        switch scalar.value {
        case 0xFE00...0xFE0F: return !previous.properties.isAlphabetic || previous.value > 0x2E80
        case 0x200C, 0x200D:
            // Scripts from Hebrew to Mongolian, and emoji, possibly with a variation selector.
            return (0x0590...0x18AF).contains(previous.value) || previous.properties.isEmoji && !previous.isASCII
                || previous.value == 0xFE0F || previous.properties.isEmojiModifier
        case 0xE0020...0xE007F: return previous.value == 0x1F3F4 || (0xE0020...0xE007E).contains(previous.value)
        case 0xE0100...0xE01EF: return previous.properties.isIdeographic
        case 0x115F, 0x1160: return (0x1100...0x11FF).contains(previous.value)
        default: return false
        }
    }
}
