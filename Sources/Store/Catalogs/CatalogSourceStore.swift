// How the sources of the catalogs fare: how often each may be asked, and what kept it from answering.
import Domain
import FoundationEssentials
import Postgres

package struct CatalogSourceRow: Sendable {
    package let name: String
    package let callsThisMinute: Int
    package let holdUntil: Date?
    package let failingSince: Date?
    package let lastError: String?
    package let answeredAt: Date?

    init(row: Row) throws {
        name = try row("name")
        callsThisMinute = try row("calls")
        holdUntil = try row("hold_until")
        failingSince = try row("failing_since")
        lastError = try row("last_error")
        answeredAt = try row("responded_at")
    }
}

package struct CatalogSourceStore: Sendable {
    let connection: StoreConnection

    package func all() async throws -> [CatalogSourceRow] {
        try await connection.rows(
            """
            select name, case when minute_at > clock_timestamp() - interval '1 minute' then calls else 0 end as calls,
                case when hold_until > clock_timestamp() then hold_until end as hold_until, failing_since, last_error,
                responded_at
            from ops.catalog_source order by name
            """, CatalogSourceRow.init)
    }

    /// Whether the source may be asked once more now: at most `perMinute` times in a minute, whatever the number of
    /// daemons, and not while it wants to be left alone. Counts the call.
    package func mayAsk(_ name: String, perMinute: Int) async throws -> Bool {
        try await connection.first(
            """
            insert into ops.catalog_source as s (name, calls) values (\(name), 1)
            on conflict (name) do update set
                calls = case when s.minute_at <= clock_timestamp() - interval '1 minute' then 1 else s.calls + 1 end,
                minute_at = case when s.minute_at <= clock_timestamp() - interval '1 minute'
                    then clock_timestamp() else s.minute_at end
            where coalesce(s.hold_until <= clock_timestamp(), true)
                and (s.minute_at <= clock_timestamp() - interval '1 minute' or s.calls < \(perMinute)::integer)
            returning name
            """
        ) { try $0("name") as String } != nil
    }

    package func noteAnswer(of name: String) async throws {
        try await connection.run(
            """
            update ops.catalog_source set responded_at = clock_timestamp(), failing_since = null, last_error = null,
                hold_until = null where name = \(name)
            """)
    }

    /// `hold`: seconds for which the source is not asked.
    package func noteTrouble(of name: String, _ error: String, hold: Int?) async throws {
        try await connection.run(
            """
            update ops.catalog_source set failing_since = coalesce(failing_since, clock_timestamp()),
                last_error = left(\(error), 500),
                hold_until = case when \(hold)::integer is not null
                    then clock_timestamp() + make_interval(secs => \(hold)::integer) else hold_until end
            where name = \(name)
            """)
    }
}
