// The terms of published previews, used to correct misspelled queries.
import Postgres

package struct SearchTermStore: Sendable {
    let connection: StoreConnection

    /// Indexes the terms of the next changes of the read tables. Returns how many changes there were, at most `limit`.
    package func index(limit: Int = 5000) async throws -> Int {
        try await connection.first("select delivery.index_search_terms(\(limit)) as n") { try $0("n") } ?? 0
    }

    /// Removes those of the next `limit` terms that nothing contains any more.
    package func removeUnused(limit: Int = 200) async throws -> Int {
        try await connection.first("select delivery.remove_search_terms(\(limit)) as n") { try $0("n") } ?? 0
    }
}
