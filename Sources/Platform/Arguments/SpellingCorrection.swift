// Suggests the nearest known name for a mistyped one.

package enum SpellingCorrection {
    /// The nearest candidate if at most a third of its letters differ. The first one wins a tie.
    package static func nearest(to typed: String, among candidates: some Sequence<String>) -> String? {
        let typed = Array(typed.lowercased())
        let best =
            candidates
            .map { (name: $0, distance: distance(typed, Array($0.lowercased()))) }
            .min { $0.distance < $1.distance }
        guard let best, best.distance <= max(1, best.name.count / 3) else { return nil }
        return best.name
    }

    /// The number of letters to insert, delete, replace or swap with a neighbor (optimal string alignment).
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var before: [Int] = []
        var above = Array(0...right.count)
        for row in 0..<left.count {
            var current = [row + 1]
            for column in 0..<right.count {
                let change = above[column] + (left[row] == right[column] ? 0 : 1)
                var least = min(change, above[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    least = min(least, before[column - 1] + 1)
                }
                current.append(least)
            }
            before = above
            above = current
        }
        return above[right.count]
    }
}
