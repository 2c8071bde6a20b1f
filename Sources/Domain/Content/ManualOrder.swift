// The manual order of a feed: the items that come before all others, which follow by date (A7).

package struct ManualOrder: Sendable, Equatable {
    /// The field of a feed that contains it.
    package static let field = "manual_order"

    /// First to last. Items that aren't in the feed at the moment keep their positions.
    package private(set) var items: [ID<Entry>]

    package init(_ items: [ID<Entry>]) {
        self.items = items
    }

    /// That of a version of a feed.
    package init(of feed: Content) {
        items = (feed.fields[Self.field]?.arrayValue ?? []).compactMap { $0.stringValue.flatMap { ID<Entry>($0) } }
    }

    /// The value of the field; nil without any item.
    package var value: JSONValue? {
        items.isEmpty ? nil : .array(items.map { .string($0.description) })
    }

    /// All items as readers see them below the pinned ones. `byDate` contains the items of the feed by date.
    package func all(of byDate: [ID<Entry>]) -> [ID<Entry>] {
        let ordered = Set(items)
        return items + byDate.filter { !ordered.contains($0) }
    }

    /// Puts each of these items at its index among all, from 0; an index past the end means last. Items that followed by
    /// date and now precede a moved one are ordered with it.
    package mutating func move(_ indexes: [ID<Entry>: Int], among byDate: [ID<Entry>]) {
        let before = all(of: byDate)
        let moves = before.compactMap { item in indexes[item].map { (index: $0, item: item) } }
        let fixed = Set(items).union(moves.map(\.item))
        var after = before.filter { indexes[$0] == nil }
        for move in moves.sorted(by: { $0.index < $1.index }) {
            after.insert(move.item, at: min(max(move.index, 0), after.count))
        }
        items = after.lastIndex(where: fixed.contains).map { Array(after[...$0]) } ?? []
    }

    /// Lets an item follow by date again.
    package mutating func remove(_ item: ID<Entry>) {
        items.removeAll { $0 == item }
    }
}

extension ContentType {
    /// Whether the field contains a manual order, which is edited on a page of its own.
    package func isManualOrder(_ field: Field) -> Bool { kind == .feed && field.name == ManualOrder.field }
}
