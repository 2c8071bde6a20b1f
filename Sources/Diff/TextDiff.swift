// Word diff of two texts.

/// A run of text that both versions contain, or only one.
package struct TextRun: Sendable, Equatable {
    package enum Kind: String, Sendable {
        case kept, removed, added
    }

    package let kind: Kind
    package let text: String
}

/// Finds the fewest changed words. If more than `patience` words changed, it compares lines; if more than `patience` lines
/// changed, it reports the whole text as replaced. The cost is bounded by length times `patience`, never by the square of
/// the length.
package enum TextDiff {
    package static let patience = 600

    /// The kept and removed runs in order form the old text, the kept and added runs the new text.
    package static func runs(from old: String, to new: String) -> [TextRun] {
        if old.isEmpty && new.isEmpty { return [] }
        return runs(TextPieces.words(of: old), TextPieces.words(of: new))
            ?? runs(TextPieces.lines(of: old), TextPieces.lines(of: new))
            ?? merged([(.removed, old[...]), (.added, new[...])])
    }

    /// Nil if more than `patience` pieces changed.
    private static func runs(_ old: [Substring], _ new: [Substring]) -> [TextRun]? {
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
    private static func merged(_ parts: [(TextRun.Kind, Substring)]) -> [TextRun] {
        var runs: [TextRun] = []
        var (kept, removed, added) = ("", "", "")
        func closeChange() {
            if !removed.isEmpty { runs.append(TextRun(kind: .removed, text: removed)) }
            if !added.isEmpty { runs.append(TextRun(kind: .added, text: added)) }
            (removed, added) = ("", "")
        }
        func closeKept() {
            if !kept.isEmpty { runs.append(TextRun(kind: .kept, text: kept)) }
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
