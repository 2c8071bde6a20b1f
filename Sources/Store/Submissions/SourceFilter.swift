// Where submissions come from: clients, and feeds that share the client of imports.
import Domain
import Postgres

/// Submissions of any of these clients, or with any of these names of a source. Empty, it matches nothing.
package struct SourceFilter: Sendable, Equatable {
    private var clients: [ID<APIClient>]
    private var names: [String]

    package init(clients: [ID<APIClient>] = [], names: [String] = []) { (self.clients, self.names) = (clients, names) }

    package static func + (first: Self, second: Self) -> Self {
        Self(clients: first.clients + second.clients, names: first.names + second.names)
    }

    /// On a row with the columns `client_id` and `source_name`.
    func condition(_ row: SQL) -> SQL {
        let clients: SQL = "\(row).client_id = any(\(clients.map(\.description))::uuid[])"
        let names: SQL = "\(row).source_name = any(\(names)::text[])"
        if self.names.isEmpty { return clients }
        return self.clients.isEmpty ? names : "(\(clients) or \(names))"
    }
}
