// One page of a list with the cursor of the next page.
import Domain

/// `next` is the opaque text of a `Cursor`, or nil on the last page.
package struct Page<Item: Sendable>: Sendable {
    package let items: [Item]
    package let next: String?

    package init(items: [Item], next: String?) {
        self.items = items
        self.next = next
    }

    /// Creates a page of at most `limit` items from a query that requested one row more than the limit.
    package init(rows: [Item], limit: Int, cursor: (Item) -> Cursor) {
        let hasMore = rows.count > limit
        items = hasMore ? Array(rows.prefix(limit)) : rows
        next = hasMore ? items.last.map { cursor($0).text } : nil
    }

    package func map<Other>(_ transform: (Item) throws -> Other) rethrows -> Page<Other> {
        Page<Other>(items: try items.map(transform), next: next)
    }
}
