// Tests the ranks that moving an item writes: its own, and those of neighbors only if no rank is free.
import Domain
import Testing

@Suite("Manual order")
struct ManualOrderTests {
    private func ranks(_ order: [(String, Int64?)], _ moves: [String: Int]) -> [String: Int64] {
        Dictionary(
            uniqueKeysWithValues: ManualOrder.ranks(moving: moves, in: order.map { (element: $0.0, rank: $0.1) }).map {
                ($0.element, $0.rank)
            })
    }

    @Test("A7: moving one of many writes one rank, at the top, between two and at the end")
    func one() {
        let order = [("a", Int64(1000)), ("b", 2000), ("c", 3000), ("d", 4000)].map { ($0.0, Optional($0.1)) }
        #expect(ranks(order, ["d": 0]) == ["d": 0])
        #expect(ranks(order, ["d": 1]) == ["d": 1500])
        #expect(ranks(order, ["a": 3]) == ["a": 5000])
        #expect(ranks(order, ["a": 99]) == ["a": 5000])
        #expect(ranks(order, ["a": -1]).isEmpty)
        #expect(ranks([("a", 5), ("b", 7)], ["b": 0]) == ["b": -995])
        #expect(ranks([("a", 5), ("x", 9), ("b", 7)], ["x": 1]) == ["x": 6])
    }

    @Test("A7: if no rank is free between two items, only the nearest neighbors get new ranks")
    func tight() {
        let order: [(String, Int64?)] = [("a", 1), ("b", 2), ("c", 3), ("d", 10), ("e", 20)]
        #expect(ranks(order, ["e": 1]) == ["e": 3, "b": 5, "c": 7])
        #expect(ranks([("a", 5), ("b", 5), ("c", 9)], ["c": 1]) == ["c": 1005, "b": 2005])
        #expect(ranks([("a", 5), ("b", 5), ("c", 9), ("d", 9)], ["d": 0]) == ["d": -995])
    }

    @Test("A7: of the items without a rank, only those above the moved one get one")
    func unranked() {
        let order: [(String, Int64?)] = [("a", 10), ("b", nil), ("c", nil), ("d", nil)]
        #expect(ranks(order, ["d": 1]) == ["d": 1010])
        #expect(ranks(order, ["d": 2]) == ["b": 1010, "d": 2010])
        #expect(ranks([("a", nil), ("b", nil)], ["b": 0]) == ["b": 1000])
        #expect(ranks([("a", nil), ("b", nil), ("c", nil)], ["a": 1]) == ["b": 1000, "a": 2000])
        #expect(ranks([("a", nil)], [:]).isEmpty && ranks([], [:]).isEmpty)
    }

    @Test("A7: ranks stay within their limits after any number of moves to the top or bottom")
    func ends() {
        for target in [0, 4] {
            var order: [(element: Int, rank: Int64?)] = (0..<5).map { ($0, Int64($0)) }
            for _ in 0..<5000 {
                let moving = order[target == 0 ? 4 : 0].element
                let changed = ManualOrder.ranks(moving: [moving: target], in: order)
                #expect(changed.count <= 5)
                let new = Dictionary(uniqueKeysWithValues: changed.map { ($0.element, $0.rank) })
                let moved = order.remove(at: target == 0 ? 4 : 0)
                order.insert(moved, at: target)
                order = order.map { ($0.element, new[$0.element] ?? $0.rank) }
                #expect(order.map { $0.rank ?? 0 } == order.map { $0.rank ?? 0 }.sorted())
                #expect(Set(order.map(\.rank)).count == 5)
                #expect(order.allSatisfy { ManualOrder.ranks.contains($0.rank ?? .max) })
            }
        }
    }

    @Test("A7: several items moved at once get their requested positions")
    func several() {
        let order: [(String, Int64?)] = [("a", 10), ("b", 20), ("c", 30), ("d", 40), ("e", 50)]
        let new = ranks(order, ["e": 0, "a": 2])
        let after = order.map { ($0.0, new[$0.0] ?? $0.1 ?? 0) }.sorted { $0.1 < $1.1 }.map(\.0)
        #expect(after == ["e", "b", "a", "c", "d"])
        #expect(Set(new.keys) == ["a", "e"])
    }
}
