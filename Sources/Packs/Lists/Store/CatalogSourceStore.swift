// Rate limits and health of the external sources of the catalogs.
import Domain
import FoundationEssentials
import Postgres
import Store

package struct CatalogSourceRow: Sendable {
    package let name: String
    package let callsThisMinute: Int
    package let pausedUntil: Date?
    package let failingSince: Date?
    package let lastError: String?
    package let respondedAt: Date?

    init(row: Row) throws {
        name = try row("name")
        callsThisMinute = try row("calls")
        pausedUntil = try row("paused_until")
        failingSince = try row("failing_since")
        lastError = try row("last_error")
        respondedAt = try row("responded_at")
    }
}

package struct CatalogSourceStore: Sendable {
    let connection: StoreConnection

    package func all() async throws -> [CatalogSourceRow] {
        try await connection.rows(
            """
            select name, case when minute_at > clock_timestamp() - interval '1 minute' then calls else 0 end as calls,
                case when paused_until > clock_timestamp() then paused_until end as paused_until, failing_since, last_error,
                responded_at
            from ops.catalog_source order by name
            """, CatalogSourceRow.init)
    }

    /// Reserves one call to a source: at most `perMinute` calls a minute over all daemons, and none while the source is
    /// paused. Returns whether the call may be made.
    package func acquireCall(_ name: String, perMinute: Int) async throws -> Bool {
        try await connection.first(
            """
            insert into ops.catalog_source as s (name, calls) values (\(name), 1)
            on conflict (name) do update set
                calls = case when s.minute_at <= clock_timestamp() - interval '1 minute' then 1 else s.calls + 1 end,
                minute_at = case when s.minute_at <= clock_timestamp() - interval '1 minute'
                    then clock_timestamp() else s.minute_at end
            where coalesce(s.paused_until <= clock_timestamp(), true)
                and (s.minute_at <= clock_timestamp() - interval '1 minute' or s.calls < \(perMinute)::integer)
            returning name
            """
        ) { try $0("name") as String } != nil
    }

    package func recordResponse(of name: String) async throws {
        try await connection.run(
            """
            update ops.catalog_source set responded_at = clock_timestamp(), failing_since = null, last_error = null,
                paused_until = null where name = \(name)
            """)
    }

    /// `pause`: for how many seconds the source isn't queried; nil leaves its pause unchanged.
    package func recordFailure(of name: String, _ error: String, pause: Int?) async throws {
        try await connection.run(
            """
            update ops.catalog_source set failing_since = coalesce(failing_since, clock_timestamp()),
                last_error = left(\(error), 500),
                paused_until = case when \(pause)::integer is not null
                    then clock_timestamp() + make_interval(secs => \(pause)::integer) else paused_until end
            where name = \(name)
            """)
    }
}
