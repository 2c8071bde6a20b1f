// The manual order of a feed: computes the new ranks when items move (A7).

package enum ManualOrder {
    /// The valid ranks of an item: greater than those of pinned items, less than that of items without a rank.
    package static let ranks: ClosedRange<Int64> = -900_000...2_000_000_000
    /// The distance between an item at either end and its neighbor.
    package static let step: Int64 = 1000

    /// The ranks to write so that each moved element is at its index, from 0; an index past the end means last. `order`
    /// is
    /// the current order: elements with a rank first. Elements without a rank that precede a moved one get a rank; all
    /// others keep theirs, except the nearest neighbors if no number is left between two.
    package static func ranks<Element: Hashable>(
        moving moves: [Element: Int], in order: [(element: Element, rank: Int64?)]
    ) -> [(element: Element, rank: Int64)] {
        var wanted = order.filter { moves[$0.element] == nil }
        for (index, item) in order.compactMap({ item in moves[item.element].map { ($0, item) } })
            .sorted(by: { $0.0 < $1.0 })
        {
            wanted.insert((item.element, nil), at: min(max(index, 0), wanted.count))
        }
        guard let last = wanted.lastIndex(where: { moves[$0.element] != nil || $0.rank != nil }) else { return [] }
        var ranks = wanted[...last].map(\.rank)
        fill(&ranks)
        let old = Dictionary(order.map { ($0.element, $0.rank) }) { first, _ in first }
        return zip(wanted, ranks).compactMap { item, rank in
            rank.flatMap { $0 == old[item.element] ?? nil ? nil : (item.element, $0) }
        }
    }

    /// Fills missing ranks with numbers between their neighbors.
    private static func fill(_ ranks: inout [Int64?]) {
        var index = 0
        while index < ranks.count {
            guard ranks[index] == nil else {
                index += 1
                continue
            }
            var (start, end) = (index, runEnd(ranks, from: index))
            while space(ranks, start, end) < Int64(end - start) {
                if end < ranks.count {
                    ranks[end] = nil
                    end = runEnd(ranks, from: end)
                } else {
                    start -= 1
                    ranks[start] = nil
                }
            }
            let count = Int64(end - start)
            let wide = (space(ranks, start, end) + 1) / (count + 1)
            let isOpen = start == 0 || end == ranks.count
            let gap = isOpen ? min(step, wide) : wide
            let first =
                if start > 0 { lower(ranks, start) + gap } else if end < ranks.count {
                    upper(ranks, end) - gap * count
                } else { gap }
            for position in start..<end { ranks[position] = first + gap * Int64(position - start) }
            index = end
        }
    }

    private static func runEnd(_ ranks: [Int64?], from start: Int) -> Int {
        ranks[start...].firstIndex { $0 != nil } ?? ranks.count
    }

    private static func lower(_ ranks: [Int64?], _ start: Int) -> Int64 {
        start > 0 ? ranks[start - 1] ?? self.ranks.lowerBound - 1 : self.ranks.lowerBound - 1
    }

    private static func upper(_ ranks: [Int64?], _ end: Int) -> Int64 {
        end < ranks.count ? ranks[end] ?? self.ranks.upperBound + 1 : self.ranks.upperBound + 1
    }

    /// The number of free ranks between the neighbors of a run.
    private static func space(_ ranks: [Int64?], _ start: Int, _ end: Int) -> Int64 {
        upper(ranks, end) - lower(ranks, start) - 1
    }
}
