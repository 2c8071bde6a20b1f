// Tests the manual order of a feed: what a move does to the items that are ordered by hand and to those by date.
import Domain
import Testing

@Suite("Manual order")
struct ManualOrderTests {
    private static let items: [ID<Entry>] = (0..<6).compactMap {
        ID<Entry>("00000000-0000-7000-8000-00000000010\($0)")
    }

    /// The numbers of the items in an order.
    private func numbers(_ items: [ID<Entry>]) -> [Int] {
        items.compactMap { Self.items.firstIndex(of: $0) }
    }

    private func order(_ numbers: Int...) -> ManualOrder {
        ManualOrder(numbers.map { Self.items[$0] })
    }

    /// What is ordered by hand after these moves, in a feed with all items.
    private func moved(_ order: ManualOrder, _ indexes: [Int: Int]) -> [Int] {
        var order = order
        order.move(
            Dictionary(uniqueKeysWithValues: indexes.map { (Self.items[$0.key], $0.value) }), among: Self.items)
        return numbers(order.items)
    }

    @Test("A7: an item moves to the top, between two and to the end; the others keep their order")
    func one() {
        let all = order(0, 1, 2, 3, 4, 5)
        #expect(moved(all, [5: 0]) == [5, 0, 1, 2, 3, 4])
        #expect(moved(all, [4: 2]) == [0, 1, 4, 2, 3, 5])
        #expect(moved(all, [0: 5]) == [1, 2, 3, 4, 5, 0])
        #expect(moved(all, [0: 99]) == [1, 2, 3, 4, 5, 0])
        #expect(moved(all, [0: -1]) == [0, 1, 2, 3, 4, 5])
    }

    @Test("A7: of the items that follow by date, only those above a moved one are ordered with it")
    func byDate() {
        #expect(moved(order(), [4: 0]) == [4])
        #expect(moved(order(), [4: 2]) == [0, 1, 4])
        #expect(moved(order(), [0: 1]) == [1, 0])
        #expect(moved(order(3), [5: 1]) == [3, 5])
        #expect(moved(order(3, 4), [5: 0]) == [5, 3, 4])
        #expect(moved(order(), [:]).isEmpty)
    }

    @Test("A7: items moved at once all get their positions, also one whose old position is its new one")
    func several() {
        let all = order(0, 1, 2, 3, 4, 5)
        #expect(moved(all, [4: 0, 0: 2]) == [4, 1, 0, 2, 3, 5])
        // Item 2 stays the third although two others move above it.
        #expect(moved(all, [2: 2, 4: 0, 5: 1]) == [4, 5, 2, 0, 1, 3])
    }

    @Test("A7: an item that isn't in the feed keeps its position; a removed one follows by date")
    func absent() {
        var edited = order(5, 2, 0)
        let present = Self.items.filter { $0 != Self.items[2] }
        edited.move([Self.items[4]: 1], among: present)
        #expect(numbers(edited.items) == [5, 4, 2, 0])
        #expect(numbers(edited.all(of: present)) == [5, 4, 2, 0, 1, 3])
        edited.remove(Self.items[4])
        #expect(numbers(edited.all(of: present)) == [5, 2, 0, 1, 3, 4])
    }

    @Test("A7: the field of a feed contains the ids, and is empty without any")
    func field() throws {
        let value = try #require(order(1, 0).value)
        #expect(numbers(ManualOrder(of: Content(fields: [ManualOrder.field: value])).items) == [1, 0])
        #expect(ManualOrder(of: Content(fields: [:])).items.isEmpty && ManualOrder([]).value == nil)
    }
}
