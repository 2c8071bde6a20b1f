// Compares the words of two paragraphs: which are kept, removed and added.

import Diff

struct InlineDiff {
    enum Segment {
        case kept([(old: InlineToken, new: InlineToken)])
        case changed(removed: [InlineToken], added: [InlineToken])
    }

    private(set) var segments: [Segment] = []

    /// A comparison that reports everything as replaced.
    init(replacing old: [InlineToken], with new: [InlineToken]) {
        segments = [.changed(removed: old, added: new)]
    }

    /// Nil if more than `patience` words changed. `cost` is increased by the work that it took.
    init?(from old: [InlineToken], to new: [InlineToken], patience: Int, cost: inout Int) {
        var numbers: [String: Int32] = [:]
        func number(_ token: InlineToken) -> Int32 {
            let text = token.kind == .image ? "<" + token.text : token.text
            if let known = numbers[text] { return known }
            numbers[text] = Int32(numbers.count)
            return Int32(numbers.count - 1)
        }
        let steps = ShortestEdit.steps(from: old.map(number), to: new.map(number), patience: patience)
        guard let steps else {
            cost += (old.count + new.count) * patience
            return nil
        }
        let edits = collect(steps, old, new)
        cost += (old.count + new.count) * edits
        joinAcrossSpaces()
        extendChangesOfSpace()
    }

    /// Groups the steps; returns how many of them are edits, plus one.
    private mutating func collect(_ steps: [ShortestEdit.Step], _ old: [InlineToken], _ new: [InlineToken]) -> Int {
        var (kept, removed, added): ([(old: InlineToken, new: InlineToken)], [InlineToken], [InlineToken]) = (
            [], [], []
        )
        func closeKept() {
            if !kept.isEmpty { segments.append(.kept(kept)) }
            kept = []
        }
        func closeChange() {
            if !removed.isEmpty || !added.isEmpty { segments.append(.changed(removed: removed, added: added)) }
            (removed, added) = ([], [])
        }
        var position = 0
        var edits = 1
        for step in steps {
            switch step {
            case .keep(let index):
                closeChange()
                kept.append((old[position], new[index]))
                position += 1
            case .remove(let index):
                closeKept()
                removed.append(old[index])
                position += 1
                edits += 1
            case .add(let index):
                closeKept()
                added.append(new[index])
                edits += 1
            }
        }
        closeKept()
        closeChange()
        return edits
    }

    /// Words that changed one after the other are one change, with the spaces between them.
    private mutating func joinAcrossSpaces() {
        var joined: [Segment] = []
        for (index, segment) in segments.enumerated() {
            switch segment {
            case .kept(let pairs) where index > 0 && index < segments.count - 1 && pairs.allSatisfy(\.new.isSpace):
                guard case .changed(let removed, let added) = joined[joined.count - 1] else { continue }
                joined[joined.count - 1] = .changed(
                    removed: removed + pairs.map(\.old), added: added + pairs.map(\.new))
            case .changed(let removed, let added):
                if case .changed(let before, let after) = joined.last {
                    joined[joined.count - 1] = .changed(removed: before + removed, added: after + added)
                } else {
                    joined.append(segment)
                }
            case .kept: joined.append(segment)
            }
        }
        segments = joined
    }

    /// Nobody sees a space that was added: the word before it, or else after it, becomes part of the change.
    private mutating func extendChangesOfSpace() {
        for index in segments.indices {
            guard case .changed(var removed, var added) = segments[index] else { continue }
            func isOnlySpace(_ tokens: [InlineToken]) -> Bool { !tokens.isEmpty && tokens.allSatisfy(\.isSpace) }
            guard isOnlySpace(removed) || isOnlySpace(added) else { continue }
            if index > 0, case .kept(var pairs) = segments[index - 1], !pairs.isEmpty {
                while let pair = pairs.popLast() {
                    removed.insert(pair.old, at: 0)
                    added.insert(pair.new, at: 0)
                    if !pair.new.isSpace { break }
                }
                segments[index - 1] = .kept(pairs)
            } else if index + 1 < segments.count, case .kept(let pairs) = segments[index + 1] {
                let end = (pairs.firstIndex { !$0.new.isSpace } ?? pairs.count - 1) + 1
                removed += pairs[..<end].map(\.old)
                added += pairs[..<end].map(\.new)
                segments[index + 1] = .kept(Array(pairs[end...]))
            }
            segments[index] = .changed(removed: removed, added: added)
        }
    }
}
