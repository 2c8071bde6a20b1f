// One page of a list, and where the next one begins.
import Domain

/// `next` is the opaque text of a `Cursor`, or nil on the last page.
package struct Page<Item: Sendable>: Sendable {
    package let items: [Item]
    package let next: String?

    package init(items: [Item], next: String?) {
        self.items = items
        self.next = next
    }

    /// Makes a page of at most `limit` from rows of which one more than the limit was asked.
    init(rows: [Item], limit: Int, cursor: (Item) -> Cursor) {
        let hasMore = rows.count > limit
        items = hasMore ? Array(rows.prefix(limit)) : rows
        next = hasMore ? items.last.map { cursor($0).text } : nil
    }

    package func map<Other>(_ transform: (Item) throws -> Other) rethrows -> Page<Other> {
        Page<Other>(items: try items.map(transform), next: next)
    }
}
