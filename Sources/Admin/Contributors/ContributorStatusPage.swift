// The status of a contributor with the forms that change it, and its history.
import Domain
import HTTP
import Localization
import Markup
import Store

struct ContributorStatusPage: Encodable, Sendable {
    struct Status: Encodable, Sendable {
        let name: String
        let label: String
        let tone: String
        let reason: String?
        let setBy: String?
        let setAt: Instant?
        let until: Instant?
        /// "Unblock" or "Stop trusting".
        let liftLabel: String
    }

    let header: ContributorPage
    let isFromForm: Bool
    let status: Status?
    let forms: [ContributorStatusForm]
    let history: [HistoryEvent]
    let problem: ErrorSummary?

    /// `restored`: what was typed into a form and not saved, by status.
    static func load(
        _ request: AdminRequest, _ contributor: ReputationRow, restored: [ContributorStatus: FormFields],
        errors: FieldErrors
    ) async throws -> ContributorStatusPage {
        let mayChange = ContributorStatusForm.mayChange(request)
        async let page = ContributorPage.load(request, contributor, .status)
        let events =
            mayChange ? try await request.database.auditTrail.about("contributor", contributor.id.description) : []
        return ContributorStatusPage(
            header: try await page, isFromForm: contributor.isFromForm,
            status: contributor.status.map { status(contributor, $0) },
            forms: mayChange ? ContributorStatusForm.load(contributor, request, restored, errors) : [],
            history: events.map { HistoryEvent($0, title: SpoofCheck(name: contributor.name).shown) },
            problem: ErrorSummary(errors, ids: ContributorStatusForm.ids(of: request)))
    }

    private static func status(_ row: ReputationRow, _ status: ContributorStatus) -> Status {
        Status(
            name: status.rawValue, label: status.label, tone: status == .blocked ? "bad" : "ok", reason: row.reason,
            setBy: row.setBy.map(ActorName.shown),
            setAt: row.setAt.map { Instant($0) }, until: row.until.map { Instant($0) },
            liftLabel: status == .blocked ? tr("Unblock", context: "contributor status") : tr("Stop trusting"))
    }
}
