// Statistics of reports: open cases by reason, and decisions with their outcomes and speed.
import Domain
import Postgres

package struct ReportStatistics: Sendable {
    /// Days of decisions that are included.
    package static let days = 90

    package let open: Int
    /// Reports in open cases.
    package let openReports: [ReportReason: Int]
    package let decided: [ReportOutcome: Int]
    /// Seconds from the first report to the decision; nil without a decision.
    package let medianSeconds: Double?
}

package struct ReportStatisticsStore: Sendable {
    let connection: StoreConnection

    /// In the access scope of the page.
    package func load() async throws -> ReportStatistics {
        let scope = AccessScope.current.entry("e")
        let reasons = try await connection.longRows(
            """
            select r.reason, count(*) as n from curation.report_case c join curation.entry e on e.id = c.entry_id
            join curation.report r on r.case_id = c.id
            where c.decided_at is null and \(scope) group by r.reason limit 100
            """
        ) { (ReportReason(rawValue: try $0("reason")), try $0("n") as Int) }
        let outcomes = try await connection.longRows(
            """
            select c.outcome, count(*) as n from curation.report_case c join curation.entry e on e.id = c.entry_id
            where c.decided_at >= now() - make_interval(days => \(ReportStatistics.days)) and \(scope)
            group by c.outcome limit 100
            """
        ) { (ReportOutcome(rawValue: try $0("outcome")), try $0("n") as Int) }
        let total = try await connection.longFirst(
            """
            select
                (select count(*) from curation.report_case c join curation.entry e on e.id = c.entry_id
                    where c.decided_at is null and exists (select from curation.report r where r.case_id = c.id) and \(scope))
                    as open,
                (select percentile_cont(0.5) within group (order by extract(epoch from c.decided_at - c.opened_at)::float8)
                    from curation.report_case c join curation.entry e on e.id = c.entry_id
                    where c.decided_at >= now() - make_interval(days => \(ReportStatistics.days)) and \(scope)) as median
            """
        ) { (open: try $0("open") as Int, median: try $0("median") as Double?) }
        return ReportStatistics(
            open: total?.open ?? 0, openReports: Self.counts(reasons), decided: Self.counts(outcomes),
            medianSeconds: total?.median)
    }

    private static func counts<Key: Hashable>(_ rows: [(Key?, Int)]) -> [Key: Int] {
        Dictionary(rows.compactMap { key, count in key.map { ($0, count) } }) { first, _ in first }
    }
}
