// The statistics of reports as labels and values.
import Domain
import FoundationEssentials
import Platform
import Store

struct ReportFigures: Encodable, Sendable {
    let days: Int
    let open: String
    let median: String?
    let reasons: [ContributorPage.Figure]
    let outcomes: [ContributorPage.Figure]

    init(_ statistics: ReportStatistics) {
        days = ReportStatistics.days
        open = CountText.text(statistics.open, limit: .max)
        median = statistics.medianSeconds.map { Age.text(seconds: Int(min($0, 1e9))) }
        reasons = Self.reasons(statistics.openReports)
        outcomes = ReportOutcome.allCases.compactMap { outcome in
            statistics.decided[outcome].map {
                ContributorPage.Figure(label: outcome.label, value: CountText.text($0, limit: .max))
            }
        }
    }

    /// The most frequent first.
    static func reasons(_ counts: [ReportReason: Int]) -> [ContributorPage.Figure] {
        ReportReason.allCases.filter { counts[$0] != nil }.sorted { counts[$0] ?? 0 > counts[$1] ?? 0 }.map {
            ContributorPage.Figure(label: $0.label, value: CountText.text(counts[$0] ?? 0, limit: .max))
        }
    }
}
