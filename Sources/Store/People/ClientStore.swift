// API clients: applications with their own credentials and scopes.
import Domain
import FoundationEssentials
import Postgres

package struct ClientRow: Sendable {
    package let id: ID<APIClient>
    package let name: String
    package let secretHash: [UInt8]
    package let scopes: [Scope]
    package let isRevoked: Bool
    package let createdAt: Date

    init(row: Row) throws {
        id = try row("id")
        name = try row("name")
        secretHash = try row.bytes("secret_hash")
        scopes = (try row("scopes") as [String]).compactMap(Scope.init)
        isRevoked = try row("is_revoked")
        createdAt = try row("created_at")
    }
}

package struct ClientStore: Sendable {
    let connection: StoreConnection

    private static let columns: SQL = "id, name, secret_hash, scopes, revoked_at is not null as is_revoked, created_at"

    package func find(_ id: ID<APIClient>) async throws -> ClientRow? {
        try await connection.first("select \(Self.columns) from delivery.client where id = \(id)", ClientRow.init)
    }

    package func list() async throws -> [ClientRow] {
        try await connection.rows(
            "select \(Self.columns) from delivery.client order by created_at, id limit 1000", ClientRow.init)
    }

    package func add(id: ID<APIClient>, name: String, secretHash: [UInt8], scopes: [Scope]) async throws {
        try await connection.run("insert into ops.actor (id, kind, name) values (\(id), 'client', \(name))")
        try await connection.run(
            """
            insert into delivery.client (id, name, secret_hash, scopes)
            values (\(id), \(name), \(secretHash), \(scopes.map(\.rawValue))::text[])
            """)
    }

    /// Gives whether there is such a client that was not revoked.
    package func renew(_ id: ID<APIClient>, secretHash: [UInt8]) async throws -> Bool {
        try await connection.run(
            "update delivery.client set secret_hash = \(secretHash) where id = \(id) and revoked_at is null") > 0
    }

    /// Revokes a client for good; gives whether there was one to revoke.
    package func revoke(_ id: ID<APIClient>) async throws -> Bool {
        try await connection.run(
            "update delivery.client set revoked_at = now() where id = \(id) and revoked_at is null") > 0
    }
}
