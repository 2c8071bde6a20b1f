// Computes the shortest edit script between two lists.

/// Explores the edit graph along its diagonals: after `d` edits it knows the furthest point of each diagonal, so similar
/// lists are cheap regardless of their length (E. Myers, "An O(ND) difference algorithm and its variations", 1986).
package enum ShortestEdit {
    package enum Step: Sendable {
        /// At this index of the new list.
        case keep(Int)
        /// At this index of the old list.
        case remove(Int)
        /// At this index of the new list.
        case add(Int)
    }

    /// Nil if it takes more than `patience` removals and additions.
    package static func steps(from old: [Int32], to new: [Int32], patience: Int) -> [Step]? {
        // Skips the common prefix and suffix.
        let start = zip(old, new).prefix { $0 == $1 }.count
        let end = min(
            zip(old.reversed(), new.reversed()).prefix { $0 == $1 }.count, min(old.count, new.count) - start)
        let (oldEnd, newEnd) = (old.count - end, new.count - end)
        guard let middle = search(old[start..<oldEnd], new[start..<newEnd], patience: patience) else { return nil }
        return (0..<start).map(Step.keep) + middle + (newEnd..<new.count).map(Step.keep)
    }

    private static func search(_ old: ArraySlice<Int32>, _ new: ArraySlice<Int32>, patience: Int) -> [Step]? {
        // furthest[d][k + d]: the number of old elements consumed on diagonal k (old minus new) after d edits.
        var furthest: [[Int32]] = []
        for d in 0...min(patience, old.count + new.count) {
            var reached = [Int32](repeating: 0, count: 2 * d + 1)
            for k in stride(from: -d, through: d, by: 2) {
                var x = d == 0 ? 0 : from(furthest[d - 1], d, k).x
                while x < old.count, x - k < new.count, old[old.startIndex + x] == new[new.startIndex + x - k] {
                    x += 1
                }
                reached[k + d] = Int32(x)
                if x >= old.count, x - k >= new.count {
                    furthest.append(reached)
                    return path(furthest, old, new)
                }
            }
            furthest.append(reached)
        }
        return nil
    }

    /// The start of diagonal `k` after `d` edits: from the neighbor that got further, by an addition or a removal.
    private static func from(_ before: [Int32], _ d: Int, _ k: Int) -> (x: Int, isAddition: Bool) {
        // `before` contains the diagonals -(d - 1)...(d - 1).
        let above = k < d - 1 ? Int(before[k + d]) : -1
        let below = k > 1 - d ? Int(before[k + d - 2]) + 1 : -1
        return above >= below ? (above, true) : (below, false)
    }

    private static func path(_ furthest: [[Int32]], _ old: ArraySlice<Int32>, _ new: ArraySlice<Int32>) -> [Step] {
        var steps: [Step] = []
        var (x, y) = (old.count, new.count)
        for d in stride(from: furthest.count - 1, through: 1, by: -1) {
            let start = from(furthest[d - 1], d, x - y)
            while x > start.x {
                steps.append(.keep(new.startIndex + y - 1))
                (x, y) = (x - 1, y - 1)
            }
            if start.isAddition {
                steps.append(.add(new.startIndex + y - 1))
                y -= 1
            } else {
                steps.append(.remove(old.startIndex + x - 1))
                x -= 1
            }
        }
        while y > 0 {
            steps.append(.keep(new.startIndex + y - 1))
            y -= 1
        }
        return steps.reversed()
    }
}
