// API clients: applications with their own credentials, scopes and rate limit.
import Domain
import FoundationEssentials
import Postgres

package struct ClientRow: Sendable, Encodable {
    package let id: ID<APIClient>
    package let name: String
    package let secretHash: [UInt8]
    /// Hash of the previous secret while it is still valid.
    package let oldSecretHash: [UInt8]?
    package let oldSecretUntil: Date?
    package let scopes: [Scope]
    /// Requests per minute; nil means unlimited.
    package let perMinute: Int?
    package let isRevoked: Bool
    package let createdAt: Date

    /// Without the hashes, which nobody needs to see.
    private enum CodingKeys: CodingKey {
        case id, name, oldSecretUntil, scopes, perMinute, isRevoked
    }

    init(row: Row) throws {
        id = try row("id")
        name = try row("name")
        secretHash = try row.bytes("secret_hash")
        oldSecretUntil = try row("old_secret_until")
        oldSecretHash = oldSecretUntil == nil ? nil : try row.bytes("old_secret_hash")
        scopes = (try row("scopes") as [String]).compactMap(Scope.init)
        perMinute = try row("per_minute")
        isRevoked = try row("is_revoked")
        createdAt = try row("created_at")
    }
}

/// A client with its last use, as administrators see it.
package struct ClientLine: Sendable, Encodable {
    package let client: ClientRow
    /// Last request, accurate to a few minutes.
    package let usedAt: Date?
    /// Last request with the previous secret.
    package let oldSecretUsedAt: Date?
}

package struct ClientStore: Sendable {
    let connection: StoreConnection

    /// Uses within this many minutes of the last recorded one are not recorded.
    package static let useMinutes = 5

    private static let columns: SQL = """
        c.id, c.name, c.secret_hash, c.old_secret_hash, case when c.old_secret_until > now() then c.old_secret_until end as old_secret_until,
        c.scopes, c.per_minute, c.revoked_at is not null as is_revoked, c.created_at
        """

    package func find(_ id: ID<APIClient>) async throws -> ClientRow? {
        try await connection.first("select \(Self.columns) from delivery.client c where c.id = \(id)", ClientRow.init)
    }

    // MARK: For administrators

    package func list() async throws -> [ClientLine] { try await lines("true") }

    /// Everything that sends submissions: clients, submission forms and imports, by name.
    package func sources() async throws -> [(id: ID<APIClient>, name: String)] {
        try await connection.rows(
            """
            select a.id, a.name from ops.actor a where a.kind in ('client', 'form') or a.id = \(SystemActor.import)
            order by a.name, a.id limit 1000
            """
        ) { (id: try $0("id"), name: try $0("name")) }
    }

    /// What imported submissions call their sources: the first thousand names, each read from the index once.
    package func sourceNames() async throws -> [String] {
        try await connection.rows(
            """
            with recursive names (name) as (
                (select source_name from curation.submission where source_name is not null order by source_name limit 1)
                union all
                select (select s.source_name from curation.submission s where s.source_name > n.name order by s.source_name limit 1)
                from names n where n.name is not null)
            select name from names where name is not null limit 1000
            """
        ) { try $0("name") }
    }

    package func line(_ id: ID<APIClient>) async throws -> ClientLine? { try await lines("c.id = \(id)").first }

    private func lines(_ condition: SQL) async throws -> [ClientLine] {
        try await connection.rows(
            """
            select \(Self.columns), u.used_at, u.old_secret_used_at
            from delivery.client c left join ops.client_use u on u.client_id = c.id
            where \(condition) order by c.created_at, c.id limit 1000
            """
        ) { row in
            ClientLine(
                client: try ClientRow(row: row), usedAt: try row("used_at"),
                oldSecretUsedAt: try row("old_secret_used_at"))
        }
    }

    package func add(
        id: ID<APIClient>, name: String, secretHash: [UInt8], scopes: [Scope], perMinute: Int? = nil
    ) async throws {
        try await connection.run("insert into ops.actor (id, kind, name) values (\(id), 'client', \(name))")
        try await connection.run(
            """
            insert into delivery.client (id, name, secret_hash, scopes, per_minute)
            values (\(id), \(name), \(secretHash), \(scopes.map(\.rawValue))::text[], \(perMinute))
            """)
    }

    /// Replaces the secret; the previous one stays valid for `overlapHours`. False when the client is revoked or
    /// unknown.
    package func rotate(_ id: ID<APIClient>, secretHash: [UInt8], overlapHours: Int) async throws -> Bool {
        // The current secret becomes the previous one, which has not been used yet.
        try await connection.run("update ops.client_use set old_secret_used_at = null where client_id = \(id)")
        return try await connection.run(
            """
            update delivery.client set secret_hash = \(secretHash),
                old_secret_hash = case when \(overlapHours)::integer > 0 then secret_hash end,
                old_secret_until = case when \(overlapHours)::integer > 0
                    then now() + make_interval(hours => \(overlapHours)::integer) end
            where id = \(id) and revoked_at is null
            """) > 0
    }

    package func revokeOldSecret(_ id: ID<APIClient>) async throws -> Bool {
        try await connection.run(
            """
            update delivery.client set old_secret_hash = null, old_secret_until = null
            where id = \(id) and old_secret_until > now() and revoked_at is null
            """) > 0
    }

    package func setLimit(_ id: ID<APIClient>, _ perMinute: Int?) async throws -> Bool {
        try await connection.run(
            "update delivery.client set per_minute = \(perMinute) where id = \(id) and revoked_at is null") > 0
    }

    /// Revokes a client permanently; false when it is revoked or unknown.
    package func revoke(_ id: ID<APIClient>) async throws -> Bool {
        try await connection.run(
            "update delivery.client set revoked_at = now() where id = \(id) and revoked_at is null") > 0
    }

    /// Records a use of a client unless any daemon recorded one within the last few minutes.
    package func recordUse(_ id: ID<APIClient>, isOldSecret: Bool) async throws {
        try await connection.run(
            """
            insert into ops.client_use as u (client_id, used_at, old_secret_used_at)
            values (\(id), now(), case when \(isOldSecret)::boolean then now() end)
            on conflict (client_id) do update set used_at = excluded.used_at,
                old_secret_used_at = coalesce(excluded.old_secret_used_at, u.old_secret_used_at)
            where u.used_at < now() - make_interval(mins => \(Self.useMinutes)::integer)
               or \(isOldSecret)::boolean
                  and coalesce(u.old_secret_used_at < now() - make_interval(mins => \(Self.useMinutes)::integer), true)
            """)
    }
}
