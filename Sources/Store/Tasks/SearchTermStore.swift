// The words that published previews hold, by which mistyped ones are mended.
import Postgres

package struct SearchTermStore: Sendable {
    let connection: StoreConnection

    /// Learns from the next changes of the read tables; returns how many there were, at most `limit`.
    package func train(limit: Int = 5000) async throws -> Int {
        try await connection.first("select delivery.index_search_terms(\(limit)) as n") { try $0("n") } ?? 0
    }

    /// Forgets, among the next `limit` words, those that nothing holds any more.
    package func forget(limit: Int = 200) async throws -> Int {
        try await connection.first("select delivery.remove_search_terms(\(limit)) as n") { try $0("n") } ?? 0
    }
}
