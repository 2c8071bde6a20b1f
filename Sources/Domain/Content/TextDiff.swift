// Word diff of two texts.

/// Finds the fewest changed words. If more than `patience` words changed, it compares lines; if more than `patience`
/// lines
/// changed, it reports the whole text as replaced. The cost is bounded by length times `patience`, never by the square
/// of
/// the length.
enum TextDiff {
    static let patience = 600

    static func runs(from old: String, to new: String) -> [FieldChange.Run] {
        if old.isEmpty && new.isEmpty { return [] }
        return runs(pieces(of: old, endingAt: nil), pieces(of: new, endingAt: nil))
            ?? runs(pieces(of: old, endingAt: isLineEnd), pieces(of: new, endingAt: isLineEnd))
            ?? merged([(.removed, old[...]), (.added, new[...])])
    }

    /// A markup tag also ends a line, since markup is often a single line of text.
    private static func isLineEnd(_ character: Character) -> Bool {
        character.isNewline || character == ">"
    }

    /// Words, white space and other single characters; with `isEnd`, the text up to each end.
    private static func pieces(of text: String, endingAt isEnd: ((Character) -> Bool)?) -> [Substring] {
        var pieces: [Substring] = []
        var start = text.startIndex
        var previous = CharacterClass.other
        var index = start
        while index < text.endIndex {
            let character = text[index]
            let next = text.index(after: index)
            if let isEnd {
                if isEnd(character) {
                    pieces.append(text[start..<next])
                    start = next
                }
            } else {
                let current = CharacterClass(character)
                if start < index, current != previous || current == .other {
                    pieces.append(text[start..<index])
                    start = index
                }
                previous = current
            }
            index = next
        }
        if start < text.endIndex { pieces.append(text[start...]) }
        return pieces
    }

    private enum CharacterClass {
        case word, space, other

        init(_ character: Character) {
            if character.isLetter || character.isNumber {
                self = .word
            } else {
                self = character.isWhitespace ? .space : .other
            }
        }
    }

    /// Nil if more than `patience` pieces changed.
    private static func runs(_ old: [Substring], _ new: [Substring]) -> [FieldChange.Run]? {
        // Compares numbers instead of strings.
        var numbers: [Substring: Int32] = [:]
        func number(_ piece: Substring) -> Int32 {
            if let known = numbers[piece] { return known }
            let next = Int32(numbers.count)
            numbers[piece] = next
            return next
        }
        guard let steps = ShortestEdit.steps(from: old.map(number), to: new.map(number), patience: patience) else {
            return nil
        }
        return merged(
            steps.map { step in
                switch step {
                case .keep(let index): (.kept, new[index])
                case .remove(let index): (.removed, old[index])
                case .add(let index): (.added, new[index])
                }
            })
    }

    /// Merges adjacent runs of the same kind; within a change, removals come first.
    private static func merged(_ parts: [(FieldChange.Run.Kind, Substring)]) -> [FieldChange.Run] {
        var runs: [FieldChange.Run] = []
        var (kept, removed, added) = ("", "", "")
        func closeChange() {
            if !removed.isEmpty { runs.append(FieldChange.Run(kind: .removed, text: removed)) }
            if !added.isEmpty { runs.append(FieldChange.Run(kind: .added, text: added)) }
            (removed, added) = ("", "")
        }
        func closeKept() {
            if !kept.isEmpty { runs.append(FieldChange.Run(kind: .kept, text: kept)) }
            kept = ""
        }
        for (kind, text) in parts {
            switch kind {
            case .kept:
                closeChange()
                kept += text
            case .removed:
                closeKept()
                removed += text
            case .added:
                closeKept()
                added += text
            }
        }
        closeKept()
        closeChange()
        return runs
    }
}
