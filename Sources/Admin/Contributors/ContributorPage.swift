// What all tabs of a contributor's page have in common: name, status, and the tabs with how much is on them.
import Domain
import Localization
import Markup
import Platform
import Store

struct ContributorPage: Encodable, Sendable {
    enum Tab: CaseIterable {
        case submissions
        case reports
        case messages
        case notes
        case status

        var label: String {
            switch self {
            case .submissions: tr("Submissions", context: "contributor tab")
            case .reports: tr("Reports", context: "contributor tab")
            case .messages: tr("Messages", context: "contributor tab")
            case .notes: tr("Notes", context: "contributor tab")
            case .status: tr("Status", context: "contributor tab")
            }
        }

        func url(_ id: ID<Contributor>) -> String {
            switch self {
            case .submissions: AdminURL.contributor(id)
            case .reports: AdminURL.contributorReports(id)
            case .messages: AdminURL.contributorMessages(id)
            case .notes: AdminURL.contributorNotes(id)
            case .status: AdminURL.contributorStatus(id)
            }
        }

        func count(_ counts: ContributorCounts) -> Int? {
            switch self {
            case .submissions: counts.submissions
            case .reports: counts.reports
            case .messages: counts.messages
            case .notes: counts.notes
            case .status: nil
            }
        }
    }

    struct TabLink: Encodable, Sendable {
        let label: String
        let url: String
        /// Nil for the tab that is no list.
        let count: String?
        let isHere: Bool
    }

    struct Figure: Encodable, Sendable {
        let label: String
        let value: String
    }

    let id: ID<Contributor>
    let heading: String
    /// Suspicious characters in the name.
    let warning: String?
    let source: String
    let firstSeen: Instant
    /// "Trusted" or "Blocked"; nil for neither.
    let status: String?
    let tone: String
    /// When the status ends.
    let until: Instant?
    /// Why the status was set.
    let reason: String?
    let canAdminister: Bool
    /// Each opens a form of the status.
    let statusLinks: [ContributorStatusForm.Link]
    let tabs: [TabLink]

    static func load(
        _ request: AdminRequest, _ contributor: ReputationRow, _ here: Tab
    ) async throws -> ContributorPage {
        let counts = try await request.database.reputations.counts(of: contributor.id)
        let check = SpoofCheck(name: contributor.name)
        let link = ContributorLink(contributor)
        return ContributorPage(
            id: contributor.id, heading: check.shown, warning: check.reason,
            source: ActorName.shown(contributor.source),
            firstSeen: Instant(contributor.firstSeen), status: link.status, tone: link.tone,
            until: contributor.until.map { Instant($0) }, reason: contributor.reason,
            canAdminister: request.actor.may(.administer) && request.actor.scope.isAll,
            statusLinks: ContributorStatusForm.links(contributor, request),
            tabs: Tab.allCases.map { tab in
                TabLink(
                    label: tab.label, url: tab.url(contributor.id),
                    count: tab.count(counts).map { CountText.text($0, limit: ContributorCounts.limit) },
                    isHere: tab == here)
            })
    }

    /// The title of the page of a tab.
    func title(_ tab: Tab) -> String {
        tab == .submissions ? heading : tr("\(tab.label): \(heading)", context: "contributor")
    }

    // MARK: Record

    static func count(_ record: ReputationRecord) -> String {
        CountText.text(record.count, limit: ReputationRecord.limit)
    }

    static func figures(_ record: ReputationRecord) -> [Figure] {
        var figures = [Figure(label: tr("Submissions", context: "contributor"), value: count(record))]
        figures += SubmissionState.allCases.filter { record.count($0) > 0 }.map {
            Figure(label: $0.label, value: String(record.count($0)))
        }
        if record.approvedAfterChanges > 0 {
            figures.append(
                Figure(
                    label: tr("Approved after changes", context: "contributor"),
                    value: String(record.approvedAfterChanges)))
        }
        if record.held > 0 {
            figures.append(Figure(label: tr("Of these, held", context: "contributor"), value: String(record.held)))
        }
        if let percent = record.approvalPercent {
            figures.append(Figure(label: tr("Approval rate"), value: "\(percent) %"))
        }
        if let seconds = record.medianSeconds {
            figures.append(
                Figure(label: tr("Median time to decision"), value: Age.text(seconds: Int(min(seconds, 1e9)))))
        }
        return figures
    }
}
