// Queue statistics: waiting submissions by age, and time to decision by reviewer and by source.
import Domain
import Postgres

package struct DecisionStatistics: Sendable {
    package let name: String
    package let decisions: Int
    /// Seconds from receipt to decision: the shortest time in which this share of the decisions was made (`DecisionDay.wait`).
    package let median: Double
    package let percentile95: Double

    init(row: Row) throws {
        name = try row("name")
        decisions = try row("decisions")
        median = try row("median")
        percentile95 = try row("percentile_95")
    }
}

/// What pages show counts what is in their access scope.
package struct QueueStatisticsStore: Sendable {
    let connection: StoreConnection

    /// Counting stops here for each age, so that a long queue is counted fast.
    package static let countLimit = 10_000
    /// Days of decisions that are included.
    package static let days = 30
    /// Reviewers and sources with their time to decision: those with the most decisions.
    package static let shown = 50

    /// How many have waited at least each number of hours and less than the next; the last range is open-ended.
    package func waiting(fromHours hours: [Int]) async throws -> [Int] {
        try await connection.rows(
            """
            select (select count(*) from (
                select from curation.queue_item q
                where q.received_at <= now() - make_interval(hours => a.from_hours)
                  and q.received_at > coalesce(now() - make_interval(hours => a.to_hours), '-infinity')
                  and \(AccessScope.current.submission("q"))
                limit \(Self.countLimit + 1)) x) as n
            from (select h as from_hours, lead(h) over (order by h) as to_hours from unnest(\(hours)::integer[]) h) a
            order by a.from_hours
            """
        ) { try $0("n") }
    }

    /// Days in UTC with decisions, from the first of these days (`2026-11-24`), oldest first; at most 100.
    package func days(from first: String) async throws -> [DecisionDay] {
        try await connection.longRows(
            """
            select day, array_agg(seconds order by seconds) as seconds, array_agg(n order by seconds) as decisions
            from (
                select to_char(d.decided_at at time zone 'UTC', 'YYYY-MM-DD') as day, count(*) as n, a.age - a.age % case
                        when a.age < 60 then 1 when a.age < 3600 then 60 when a.age < 86400 then 3600 else 86400 end as seconds
                from curation.decision d join curation.submission s on s.id = d.submission_id
                cross join lateral (
                    select greatest(0, floor(extract(epoch from d.decided_at - s.received_at)))::bigint as age) a
                where d.decided_at >= \(first)::date::timestamp at time zone 'UTC'
                  and d.verdict not in ('undo', 'resubmit', 'appeal') and \(AccessScope.current.submission("s"))
                group by 1, 3) w
            group by day order by day limit 100
            """
        ) {
            let (seconds, decisions): ([Int], [Int]) = (try $0("seconds"), try $0("decisions"))
            return DecisionDay(
                day: try $0("day"),
                waits: zip(seconds, decisions).map { DecisionDay.Wait(seconds: $0, decisions: $1) })
        }
    }

    package func statisticsByDecider() async throws -> [DecisionStatistics] {
        try await statistics(of: "r.decided_by", named: "r.decider")
    }

    /// Sources have the names of the queue: the feeds of one import are a source each.
    package func statisticsBySource() async throws -> [DecisionStatistics] {
        try await statistics(of: "r.client_id", named: "r.source")
    }

    private func statistics(of id: SQL, named name: SQL) async throws -> [DecisionStatistics] {
        try await connection.longRows(
            """
            with recent as materialized (
                select d.decided_by, a.name as decider, s.client_id, coalesce(s.source_name, c.name) as source,
                    extract(epoch from d.decided_at - s.received_at)::float8 as seconds
                from ops.actor a
                join curation.decision d on d.decided_by = a.id
                join curation.submission s on s.id = d.submission_id
                join ops.actor c on c.id = s.client_id
                where d.decided_at > now() - make_interval(days => \(Self.days)::integer)
                  and d.verdict not in ('undo', 'resubmit', 'appeal') and \(AccessScope.current.submission("s")))
            select \(name) as name, count(*) as decisions, percentile_disc(0.5) within group (order by r.seconds) as median,
                percentile_disc(0.95) within group (order by r.seconds) as percentile_95
            from recent r group by \(id), \(name) order by 2 desc, 1 limit \(fixed: Self.shown)
            """, DecisionStatistics.init)
    }
}
