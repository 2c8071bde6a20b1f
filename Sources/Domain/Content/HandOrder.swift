// The order of a feed made by hand: which items need another rank when some of them move (A7).

package enum HandOrder {
    /// The ranks that an item can have: above the places of pins, below that of items without a rank.
    package static let ranks: ClosedRange<Int64> = -900_000...2_000_000_000
    /// Between an item at either end and its neighbor.
    package static let step: Int64 = 1000

    /// The ranks to write so that each moved element stands at its index, from 0 on, past the last is last. `order` is as it
    /// stands: those with a rank first. Of the others those that stand above a moved one get a rank; all else keeps its own,
    /// but for the nearest neighbors where there is no number left between two.
    package static func ranks<Element: Hashable>(
        moving moves: [Element: Int], in order: [(element: Element, rank: Int64?)]
    ) -> [(element: Element, rank: Int64)] {
        var wanted = order.filter { moves[$0.element] == nil }
        for (index, place) in order.compactMap({ place in moves[place.element].map { ($0, place) } })
            .sorted(by: { $0.0 < $1.0 })
        {
            wanted.insert((place.element, nil), at: min(max(index, 0), wanted.count))
        }
        guard let last = wanted.lastIndex(where: { moves[$0.element] != nil || $0.rank != nil }) else { return [] }
        var ranks = wanted[...last].map(\.rank)
        fill(&ranks)
        let old = Dictionary(order.map { ($0.element, $0.rank) }) { first, _ in first }
        return zip(wanted, ranks).compactMap { place, rank in
            rank.flatMap { $0 == old[place.element] ?? nil ? nil : (place.element, $0) }
        }
    }

    /// Gives a rank to each that has none, between its neighbors.
    private static func fill(_ ranks: inout [Int64?]) {
        var index = 0
        while index < ranks.count {
            guard ranks[index] == nil else {
                index += 1
                continue
            }
            var (start, end) = (index, runEnd(ranks, from: index))
            while room(ranks, start, end) < Int64(end - start) {
                if end < ranks.count {
                    ranks[end] = nil
                    end = runEnd(ranks, from: end)
                } else {
                    start -= 1
                    ranks[start] = nil
                }
            }
            let count = Int64(end - start)
            let wide = (room(ranks, start, end) + 1) / (count + 1)
            let isOpen = start == 0 || end == ranks.count
            let gap = isOpen ? min(step, wide) : wide
            let first =
                if start > 0 { lower(ranks, start) + gap } else if end < ranks.count {
                    upper(ranks, end) - gap * count
                } else { gap }
            for place in start..<end { ranks[place] = first + gap * Int64(place - start) }
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

    /// How many whole numbers lie between the neighbors of a run.
    private static func room(_ ranks: [Int64?], _ start: Int, _ end: Int) -> Int64 {
        upper(ranks, end) - lower(ranks, start) - 1
    }
}
