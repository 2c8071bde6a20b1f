// Divides a text into the pieces that a comparison keeps, removes or adds as a whole.

package enum TextPieces {
    /// Words and numbers such as "don't" and "1,204", white space, and other single characters. A character of a script
    /// without spaces between words is a piece.
    package static func words(of text: String) -> [Substring] {
        var pieces: [Substring] = []
        var start = text.startIndex
        var previous = CharacterClass.other
        var index = start
        while index < text.endIndex {
            let character = text[index]
            var current = CharacterClass(character)
            if current == .other, previous == .word, start < index, joins(text, at: index) { current = .word }
            if start < index, current != previous || current == .other {
                pieces.append(text[start..<index])
                start = index
            }
            previous = current
            index = text.index(after: index)
        }
        if start < text.endIndex { pieces.append(text[start...]) }
        return pieces
    }

    /// Whether the character belongs to the word around it: a point or comma between digits, an apostrophe between letters.
    private static func joins(_ text: String, at index: String.Index) -> Bool {
        let after = text.index(after: index)
        guard after < text.endIndex else { return false }
        let (before, next) = (text[text.index(before: index)], text[after])
        return switch text[index] {
        case ".", ",": before.isNumber && next.isNumber
        case "'", "’": before.isLetter && next.isLetter
        default: false
        }
    }

    /// The text up to each line end. A markup tag also ends a line, since markup is often a single line of text.
    package static func lines(of text: String) -> [Substring] {
        var pieces: [Substring] = []
        var start = text.startIndex
        var index = start
        while index < text.endIndex {
            let next = text.index(after: index)
            if text[index].isNewline || text[index] == ">" {
                pieces.append(text[start..<next])
                start = next
            }
            index = next
        }
        if start < text.endIndex { pieces.append(text[start...]) }
        return pieces
    }

    private enum CharacterClass {
        case word, space, other

        init(_ character: Character) {
            if let ascii = character.asciiValue {
                switch ascii {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: self = .word
                case 0x09...0x0D, 0x20: self = .space
                default: self = .other
                }
            } else if character.isLetter || character.isNumber {
                self = Self.hasNoSpaces(character) ? .other : .word
            } else {
                self = character.isWhitespace ? .space : .other
            }
        }

        /// Han, Hiragana, Katakana, Thai, Lao and Khmer.
        private static func hasNoSpaces(_ character: Character) -> Bool {
            guard let scalar = character.unicodeScalars.first else { return false }
            switch scalar.value {
            case 0x0E00...0x0EFF, 0x1780...0x17FF, 0x3040...0x30FF: return true
            default: return scalar.properties.isIdeographic
            }
        }
    }
}
