// Provides stores, on the pool or in a transaction; `AllStores.swift` lists them.

/// Anything that provides stores: `database.queue.page(...)` reads, `transaction.queue.claim(...)` writes.
package protocol Stores: Sendable {
    var connection: StoreConnection { get }
}
