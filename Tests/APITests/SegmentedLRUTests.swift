// Tests what a limited memory keeps, and that callers share one computation.
import Domain
import Store
import Synchronization
import TestBasics
import Testing

@testable import API

@Suite("Memory of responses")
struct SegmentedLRUTests {
    /// A class, because every use changes the memory.
    private final class Memory {
        private var kept: SegmentedLRU<String, Int>

        init(_ capacity: Int) { kept = SegmentedLRU(capacity: capacity, usual: 1) }

        var cost: Int { kept.cost }
        var count: Int { kept.count }

        func use(_ key: String, times: Int = 1) -> Int? {
            var found: Int?
            for _ in 0..<times { found = kept.use(key) }
            return found
        }

        func insert(_ key: String, _ value: Int, cost: Int) { kept.insert(key, value, cost: cost) }
        func grow(_ key: String, by cost: Int, if value: Int) { kept.grow(key, by: cost) { $0 == value } }
        func remove(_ key: String) { kept.remove(key) }
    }

    @Test("Values are kept up to exactly the capacity, and one that costs more is not kept at all")
    func boundary() {
        let memory = Memory(10)
        memory.insert("a", 1, cost: 10)
        #expect(memory.cost == 10)
        #expect(memory.use("a") == 1)
        memory.insert("b", 2, cost: 11)
        #expect(memory.use("b") == nil)
        #expect(memory.use("a") == 1)
        memory.remove("a")
        #expect(memory.cost == 0 && memory.count == 0)
        memory.insert("c", 3, cost: 4)
        memory.insert("d", 4, cost: 6)
        #expect(memory.cost == 10 && memory.count == 2)
        memory.insert("e", 5, cost: 1)
        #expect(memory.cost == 10 && memory.count == 2)
    }

    @Test("A new value replaces one that is used less often, and no other")
    func admission() {
        let memory = Memory(10)
        _ = memory.use("often", times: 3)
        memory.insert("often", 1, cost: 10)
        _ = memory.use("once")
        memory.insert("once", 2, cost: 10)
        #expect(memory.use("once") == nil)
        #expect(memory.use("often") == 1)
        _ = memory.use("once", times: 4)
        memory.insert("once", 2, cost: 10)
        #expect(memory.use("once") == 2)
        #expect(memory.use("often") == nil)
    }

    @Test("A client that reads everything once displaces nothing that is used")
    func scan() {
        let memory = Memory(100)
        for number in 0..<10 {
            _ = memory.use("used \(number)", times: 3)
            memory.insert("used \(number)", number, cost: 10)
        }
        for number in 0..<40 {
            _ = memory.use("seen \(number)")
            memory.insert("seen \(number)", number, cost: 10)
        }
        for number in 0..<10 { #expect(memory.use("used \(number)") == number) }
    }

    @Test("A value that grows beyond the capacity takes the place of others")
    func growth() {
        let memory = Memory(10)
        memory.insert("a", 1, cost: 4)
        memory.insert("b", 2, cost: 4)
        _ = memory.use("b")
        memory.grow("b", by: 2, if: 2)
        #expect(memory.cost == 10 && memory.count == 2)
        memory.grow("b", by: 5, if: 1)
        #expect(memory.cost == 10, "another value by now")
        memory.grow("b", by: 1, if: 2)
        #expect(memory.cost == 7 && memory.count == 1)
        #expect(memory.use("b") == 2)
    }

    @Test("Whatever is done, the cost is that of the values and within the capacity", arguments: TestScale.seeds(1, 2))
    func anything(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let memory = Memory(50)
        var costs: [String: Int] = [:]
        for _ in 1...TestScale.count(20_000) {
            let key = String(Int.random(in: 0..<30, using: &random))
            switch Int.random(in: 0...3, using: &random) {
            case 0:
                let cost = Int.random(in: 1...60, using: &random)
                memory.insert(key, cost, cost: cost)
                costs[key] = cost
            case 1: memory.remove(key)
            default:
                let found = memory.use(key)
                #expect(found == nil || found == costs[key])
            }
            #expect((0...50).contains(memory.cost))
        }
        let left = (0..<30).compactMap { memory.use(String($0)) }
        #expect(memory.cost == left.reduce(0, +) && memory.count == left.count)
    }

    // MARK: Shared computations

    private final class Computation: Sendable {
        let flights = SingleFlight<String, Int>()
        let runs = Atomic(0)

        func value(_ result: Int?, others: Int) async throws -> Int? {
            try await flights.value("key") {
                runs.add(1, ordering: .relaxed)
                await until("all others wait") { flights.waiters.withLock { $0["key"]?.count ?? 0 } >= others }
                return result
            }
        }
    }

    @Test("Callers at the same time share one computation", arguments: [7, nil])
    func shared(result: Int?) async throws {
        let computation = Computation()
        try await withThrowingTaskGroup(of: Int?.self) { group in
            for _ in 1...20 { group.addTask { try await computation.value(result, others: 19) } }
            for try await value in group { #expect(value == result) }
        }
        #expect(computation.runs.load(ordering: .relaxed) == 1)
        _ = try await computation.value(result, others: 0)
        #expect(computation.runs.load(ordering: .relaxed) == 2, "the next one computes again")
    }

    // MARK: Changes

    private func changes(_ keys: [String], _ publication: Int64) -> ChangedRows {
        ChangedRows(
            position: ChangePosition(change: publication, seen: TaggedNumber(number: publication, tag: "0123456789ab")),
            changes: keys.map { ChangedRows.Change(table: "item", key: $0, publication: publication) })
    }

    @Test("A change of a row makes outdated what depends on it or on its table, and nothing else")
    func touched() {
        var touched = TouchedRows()
        touched.add(changes(["a"], 2))
        #expect(!touched.isCurrent(.untilChangeOfRow(["item"]), key: "a", since: 1))
        #expect(touched.isCurrent(.untilChangeOfRow(["item"]), key: "a", since: 2))
        #expect(touched.isCurrent(.untilChangeOfRow(["item", "item_full"]), key: "b", since: 1))
        #expect(!touched.isCurrent(.untilChangeOfRow(["item"]), key: nil, since: 1), "a slug may be of any row")
        #expect(!touched.isCurrent(.untilChange(["feed", "item"]), key: nil, since: 1))
        #expect(touched.isCurrent(.untilChange(["feed"]), key: nil, since: 1))
        #expect(!touched.isCurrent(.never, key: nil, since: 2))
    }

    @Test("Beyond the limit of rows their tables count, and after unknown changes a new epoch begins")
    func bounds() {
        var touched = TouchedRows()
        touched.add(changes((0..<TouchedRows.maxRows).map(String.init), 2))
        #expect(touched.isCurrent(.untilChangeOfRow(["item"]), key: "b", since: 1))
        touched.add(changes(["a"], 3))
        #expect(!touched.isCurrent(.untilChangeOfRow(["item"]), key: "b", since: 1))
        #expect(touched.isCurrent(.untilChangeOfRow(["item"]), key: "b", since: 3))
        let epoch = touched.epoch
        touched.add(ChangedRows(position: ChangePosition(change: 9, seen: .none), changes: nil))
        #expect(touched.epoch == epoch + 1)
    }
}
