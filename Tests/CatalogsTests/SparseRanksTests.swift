// Tests the sparse ranks of a manual order.
import Domain
import TestBasics
import Testing

@Suite("Sparse ranks")
struct SparseRanksTests {
    private let step = SparseRanks.step

    @Test("D9: a new order is numbered in steps")
    func new() {
        #expect(SparseRanks.assign(["a", "b", "c"], keeping: [:]) == [step, 2 * step, 3 * step])
        #expect(SparseRanks.assign([String](), keeping: ["a": 1]).isEmpty)
    }

    @Test("D9: only moved items get a new rank")
    func moved() {
        let old: [String: Int64] = ["a": 10, "b": 20, "c": 30, "d": 40]
        #expect(SparseRanks.assign(["d", "a", "b", "c"], keeping: old) == [10 - step, 10, 20, 30])
        #expect(SparseRanks.assign(["b", "c", "a", "d"], keeping: old) == [20, 30, 35, 40])
        #expect(SparseRanks.assign(["a", "x", "b", "c", "d"], keeping: old) == [10, 15, 20, 30, 40])
        #expect(SparseRanks.assign(["a", "c", "d"], keeping: old) == [10, 30, 40])
        #expect(
            SparseRanks.assign(["a", "b", "c", "d", "x", "y"], keeping: old) == [
                10, 20, 30, 40, 40 + step, 40 + 2 * step,
            ])
    }

    @Test("D9: without a free rank between two neighbors all are renumbered", arguments: [0, 1, 2])
    func room(gap: Int64) {
        let ranks = SparseRanks.assign(["a", "x", "b"], keeping: ["a": 5, "b": 5 + gap])
        #expect(ranks[0] < ranks[1] && ranks[1] < ranks[2])
        #expect((ranks == [5, 6, 7]) == (gap == 2))
    }

    @Test("D9: ranks always rise", arguments: (0..<50) as Range<UInt64>)
    func rising(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let elements = Array(0..<Int.random(in: 0...30, using: &random)).shuffled(using: &random)
        let old = Dictionary(
            uniqueKeysWithValues: (0..<40).filter { _ in Bool.random(using: &random) }.map {
                ($0, Int64.random(in: -20...20, using: &random))
            })
        let ranks = SparseRanks.assign(elements, keeping: old)
        #expect(ranks.count == elements.count)
        #expect(zip(ranks, ranks.dropFirst()).allSatisfy { $0 < $1 })
    }
}
