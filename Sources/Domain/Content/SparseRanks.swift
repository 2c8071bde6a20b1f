// Sparse ranks of a manual order: moved elements get new ranks, the others keep theirs (D9).

package enum SparseRanks {
    /// The distance between neighbors in a new order.
    package static let step: Int64 = 1 << 20

    /// Ascending ranks for the elements of `order`. As many elements as possible keep their rank; the others get one
    /// between
    /// their neighbors. If no rank is left between two neighbors, all elements are renumbered.
    package static func assign<Element: Hashable>(
        _ order: [Element], keeping old: [Element: Int64], step: Int64 = step
    ) -> [Int64] {
        let kept = longestIncreasingSubsequence(order.map { old[$0] })
        var ranks: [Int64?] = order.enumerated().map { kept.contains($0.offset) ? old[$0.element] : nil }
        var start = 0
        while start < ranks.count {
            guard ranks[start] == nil else {
                start += 1
                continue
            }
            let end = ranks[start...].firstIndex { $0 != nil } ?? ranks.count
            let count = Int64(end - start)
            let before = start > 0 ? ranks[start - 1] : nil
            let after = end < ranks.count ? ranks[end] : nil
            let gap: Int64
            let first: Int64
            switch (before, after) {
            case (let before?, let after?):
                gap = (after - before) / (count + 1)
                first = before + gap
            case (let before?, nil): (gap, first) = (step, before + step)
            case (nil, let after?): (gap, first) = (step, after - step * count)
            case (nil, nil): (gap, first) = (step, step)
            }
            guard gap > 0 else { return order.indices.map { Int64($0 + 1) * step } }
            for index in start..<end { ranks[index] = first + gap * Int64(index - start) }
            start = end
        }
        return ranks.compactMap(\.self)
    }

    /// The indices of the longest increasing subsequence, ignoring nil.
    private static func longestIncreasingSubsequence(_ numbers: [Int64?]) -> Set<Int> {
        // tails[n]: the index of the smallest number that ends an increasing subsequence of length n + 1.
        var tails: [Int] = []
        var previous = [Int?](repeating: nil, count: numbers.count)
        for (index, number) in numbers.enumerated() {
            guard let number else { continue }
            let length = tails.firstIndex { (numbers[$0] ?? .max) >= number } ?? tails.count
            previous[index] = length > 0 ? tails[length - 1] : nil
            if length == tails.count { tails.append(index) } else { tails[length] = index }
        }
        var found: Set<Int> = []
        var next = tails.last
        while let index = next {
            found.insert(index)
            next = previous[index]
        }
        return found
    }
}
