// The status of the external classifier: calls, breaker and latency.
import Domain
import FoundationEssentials
import Postgres

package struct ClassifierStatus: Sendable {
    package let breaker: BreakerState
    /// Nil unless the breaker is open.
    package let openUntil: Date?
    /// Consecutive failures.
    package let failures: Int
    package let failingSince: Date?
    package let lastError: String?
    package let respondedAt: Date?
    package let callsThisHour: Int
    /// Since midnight (UTC), like all that follow.
    package let callsToday: Int
    package let responsesToday: Int
    package let failuresToday: Int
    package let reusedToday: Int
    package let skippedToday: Int
    /// Submissions without an answer so far.
    package let waiting: Int
    /// Of the answers of the last 24 hours; nil without any.
    package let medianMilliseconds: Int?

    init(row: Row) throws {
        breaker = BreakerState(rawValue: try row("breaker")) ?? .closed
        openUntil = try row("open_until")
        failures = try row("failures")
        failingSince = try row("failing_since")
        lastError = try row("last_error")
        respondedAt = try row("responded_at")
        callsThisHour = try row("calls_hour")
        callsToday = try row("calls")
        responsesToday = try row("responses")
        failuresToday = try row("failures_today")
        reusedToday = try row("reused")
        skippedToday = try row("skipped")
        waiting = try row("waiting")
        medianMilliseconds = try row("median")
    }
}

package struct ClassifierStore: Sendable {
    let connection: StoreConnection

    /// The median is that of the latest 1,000 answers.
    package func status() async throws -> ClassifierStatus? {
        try await connection.first(
            """
            with moment as (select clock_timestamp() as now)
            select case when s.open_until is null then 'closed' when s.open_until > m.now then 'open' else 'half_open' end as breaker,
                case when s.open_until > m.now then s.open_until end as open_until, s.failures, s.failing_since,
                s.last_error, s.responded_at, h.calls_hour, h.calls, h.responses, h.failures as failures_today, h.reused, h.skipped,
                (select count(*) from (select from curation.classification where state = 'waiting' limit 100000) w)::integer as waiting,
                (select percentile_cont(0.5) within group (order by duration_ms) from (
                    select duration_ms from curation.classification
                    where duration_ms is not null and responded_at > m.now - interval '1 day'
                    order by responded_at desc limit 1000) d)::integer as median
            from moment m cross join ops.classifier s cross join lateral (
                select coalesce(sum(calls) filter (where hour = date_trunc('hour', m.now, 'UTC')), 0)::integer as calls_hour,
                    coalesce(sum(calls), 0)::integer as calls, coalesce(sum(responses), 0)::integer as responses,
                    coalesce(sum(failures), 0)::integer as failures, coalesce(sum(reused), 0)::integer as reused,
                    coalesce(sum(skipped), 0)::integer as skipped
                from ops.classifier_hour where hour >= date_trunc('day', m.now, 'UTC')) h
            """, ClassifierStatus.init)
    }

    /// Deletes counts that are older than a week.
    package func sweep() async throws {
        try await connection.run("delete from ops.classifier_hour where hour < now() - interval '7 days'")
    }
}
