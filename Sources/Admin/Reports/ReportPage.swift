// The page of a report case: the entry as readers see it, its reports, its contributor and the decision.
import Domain
import FoundationEssentials
import HTTP
import Localization
import Markup
import Store

struct ReportPage: Encodable, Sendable {
    private static let perPage = 25

    struct Line: Encodable, Sendable {
        let reason: String
        let text: String?
        let isErased: Bool
        /// Nil for an anonymous one.
        let reporter: String?
        let reporterURL: String?
        let source: String
        let when: Instant
        let willBeNotified: Bool
    }

    struct Case: Encodable, Sendable {
        let url: String
        let outcome: String?
        let reports: String
        let note: String?
        let decidedBy: String?
        let when: Instant
    }

    struct Contributor: Encodable, Sendable {
        let link: ContributorLink
        let record: [ContributorPage.Figure]
    }

    let id: ID<ReportCase>
    let heading: String
    let type: String
    let entry: ID<Entry>
    let isOpen: Bool
    let count: String
    let since: Instant
    /// What was published when the first report arrived, and what is now.
    let reportedVersion: Int
    let liveVersion: Int?
    let isEdited: Bool
    let reading: ReadingView
    let reasons: [PageContext.Link]
    let lines: [Line]
    let others: [Case]
    /// The decision; nil while it is open.
    let decision: Case?
    let contributor: Contributor?
    let submissionURL: String?
    let form: ReportForm?
    let mayEdit: Bool
    let history: [HistoryEvent]
    let first: String?
    let next: String?
    let problem: ErrorSummary?

    static func load(_ request: AdminRequest, _ found: ReportCaseRow, errors: FieldErrors) async throws -> ReportPage {
        let database = request.database
        let type = try request.context.rules.type(named: found.type)
        let reason = request.query.first("reason").flatMap { ReportReason(rawValue: $0) }
        let cursor = request.cursor
        async let reports = database.reports.page(of: found.id, reason: reason, cursor: cursor, limit: perPage)
        async let others = database.reportCases.others(of: found)
        async let events = database.auditTrail.about("report_case", found.id.description)
        let version = found.liveVersion ?? found.reportedVersion
        let shown = try await content(found, version: version, type, database)
        let titles = try await EntryTitles.load([shown], of: type, database)
        let heading = ReportPages.title(found)
        let reading = try await request.rendering([shown]) {
            ReadingView(of: shown, in: type, heading: heading, titles: titles, images: request.images)
        }
        let contributor = try await contributor(of: found, database)
        let page = try await reports
        func url(_ reason: ReportReason?, _ cursor: String? = nil) -> String {
            AdminURL.report(found.id, query: ["reason": reason?.rawValue, "cursor": cursor])
        }
        return ReportPage(
            id: found.id, heading: heading, type: type.label, entry: found.entry,
            isOpen: found.isOpen, count: ReportPages.count(found.reports), since: Instant(found.openedAt),
            reportedVersion: found.reportedVersion, liveVersion: found.liveVersion, isEdited: found.isEdited,
            reading: reading,
            reasons: links(found, reason) { url($0) },
            lines: page.items.map { Line($0, of: found) }, others: try await others.map { Case($0) },
            decision: found.isOpen ? nil : Case(found), contributor: contributor,
            submissionURL: found.submission.map { AdminURL.submission($0) },
            form: ReportForm(request, found, hasContributor: contributor != nil, errors: errors),
            mayEdit: request.actor.may(.suggest), history: try await events.map { HistoryEvent($0, title: heading) },
            first: cursor.map { _ in url(reason) }, next: page.next.map { url(reason, $0) },
            problem: ErrorSummary(errors))
    }

    /// The fields that readers can see.
    private static func content(
        _ found: ReportCaseRow, version: Int, _ type: ContentType, _ database: Database
    ) async throws -> Content {
        let revision = try await database.revisions.find(found.entry, number: version).orMissing("revision")
        return Content(fields: revision.content.fields.filter { type.field($0.key)?.isInternal == false })
    }

    private static func contributor(of found: ReportCaseRow, _ database: Database) async throws -> Contributor? {
        guard let submission = found.submission, let row = try await database.reputations.find(of: submission) else {
            return nil
        }
        return Contributor(
            link: ContributorLink(row),
            record: ContributorPage.figures(try await database.reputations.record(of: row.id)))
    }

    private static func links(
        _ found: ReportCaseRow, _ chosen: ReportReason?, _ url: (ReportReason?) -> String
    ) -> [PageContext.Link] {
        let all = PageContext.Link(
            label: tr("All", context: "report filter") + " (\(CountText.text(found.reports, limit: .max)))",
            url: url(nil), isHere: chosen == nil)
        return [all]
            + ReportReason.allCases.filter { found.reasons[$0] != nil || $0 == chosen }.map { reason in
                PageContext.Link(
                    label: "\(reason.label) (\(CountText.text(found.reasons[reason] ?? 0, limit: .max)))",
                    url: url(reason), isHere: reason == chosen)
            }
    }
}

extension ReportPage.Line {
    init(_ row: ReportRow, of reportCase: ReportCaseRow) {
        reason = row.reason.label
        text = row.text.isEmpty ? nil : row.text
        isErased = row.isErased
        reporter = row.reporter.map { SpoofCheck(name: $0).shown }
        reporterURL = row.contributor.map { AdminURL.contributor($0) }
        source = row.clientName
        when = Instant(row.receivedAt)
        willBeNotified = row.email != nil
    }
}

extension ReportPage.Case {
    init(_ row: ReportCaseRow) {
        url = AdminURL.report(row.id)
        outcome = row.outcome?.label
        reports = ReportPages.count(row.reports)
        note = row.note
        decidedBy = row.decidedBy.map(ActorName.shown)
        when = Instant(row.decidedAt ?? row.openedAt)
    }
}
