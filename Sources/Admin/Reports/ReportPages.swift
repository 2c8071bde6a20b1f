// Reported entries: the open and the decided cases, one of them, and its decision.
import Domain
import FoundationEssentials
import HTTP
import Localization
import Markup
import Operations
import Store

enum ReportPages {
    private static let perPage = 25

    private struct Line: Encodable, Sendable {
        let url: String
        let title: String
        let thumbnail: ThumbnailView?
        /// Such as `Spam or advertising 3 · Illegal 1`.
        let reasons: String
        let type: String
        let count: String
        /// Newer than the reported version.
        let isEdited: Bool
        let isUnpublished: Bool
        /// The outcome of the case before this one.
        let before: String?
        let outcome: String?
        let tone: String
        let decidedBy: String?
        let since: Instant
        let last: Instant
    }

    private struct List: Encodable, Sendable {
        let tabs: [PageContext.Link]
        let isDecided: Bool
        let reasons: [Option]
        let types: [Option]
        let sortOrders: [Option]
        let lines: [Line]
        let isFiltered: Bool
        let filterCount: Int?
        let isCompact: Bool
        let clearURL: String
        let statistics: ReportFigures
        let first: String?
        let next: String?
    }

    // MARK: List

    static func list(_ request: AdminRequest) async throws -> Response {
        var filter = ReportCaseFilter()
        filter.isDecided = request.text("state") == "decided"
        filter.reason = request.text("reason").flatMap { ReportReason(rawValue: $0) }
        filter.type = request.text("type")
        filter.order = request.text("sort").flatMap { ReportCaseFilter.Order(rawValue: $0) } ?? .most
        let cursor = request.cursor
        let page = try await request.database.reportCases.page(filter, cursor: cursor, limit: perPage)
        async let thumbnails = request.database.thumbnails.of(entries: page.items.map(\.entry))
        let statistics = try await request.database.reportStatistics.load()
        let images = try await thumbnails
        func url(cursor: String? = nil) -> String {
            AdminURL.reports(query: [
                "state": filter.isDecided ? "decided" : nil, "reason": filter.reason?.rawValue, "type": filter.type,
                "sort": filter.order == .most ? nil : filter.order.rawValue, "cursor": cursor,
            ])
        }
        let model = List(
            tabs: tabs(filter, open: statistics.open), isDecided: filter.isDecided,
            reasons: Option.list(
                [("", tr("All", context: "report filter"))] + ReportReason.allCases.map { ($0.rawValue, $0.label) },
                chosen: filter.reason?.rawValue),
            types: types(filter, request),
            sortOrders: Option.list(
                [
                    (ReportCaseFilter.Order.most.rawValue, tr("Most reports first")),
                    (ReportCaseFilter.Order.oldest.rawValue, tr("Oldest first", context: "report filter")),
                ], chosen: filter.order.rawValue),
            lines: page.items.map { line($0, images[$0.entry], request) },
            isFiltered: filter.reason != nil || filter.type != nil,
            filterCount: FilterCount.of(filter.reason != nil, filter.type != nil),
            isCompact: QueueDensity.isCompact(request),
            clearURL: AdminURL.reports(query: ["state": filter.isDecided ? "decided" : nil]),
            statistics: ReportFigures(statistics), first: cursor.map { _ in url() },
            next: page.next.map { url(cursor: $0) })
        return try request.page("admin/reports/list", model, title: tr("Reports", context: "section"))
    }

    private static func tabs(_ filter: ReportCaseFilter, open: Int) -> [PageContext.Link] {
        [
            PageContext.Link(
                label: tr("Open", context: "reports") + (open == 0 ? "" : " (\(open))"), url: AdminURL.reports(),
                isHere: !filter.isDecided),
            PageContext.Link(
                label: tr("Decided", context: "reports"), url: AdminURL.reports(query: ["state": "decided"]),
                isHere: filter.isDecided),
        ]
    }

    private static func types(_ filter: ReportCaseFilter, _ request: AdminRequest) -> [Option] {
        let resolved = Set(request.database.packs.resolved.map(\.kind))
        return Option.list(
            [("", tr("All", context: "report filter"))]
                + request.context.rules.types.all.filter {
                    resolved.contains($0.kind) && request.actor.scope.contains(type: $0.name)
                }.map { ($0.name, $0.label) },
            chosen: filter.type)
    }

    private static func line(_ row: ReportCaseRow, _ thumbnail: Thumbnail?, _ request: AdminRequest) -> Line {
        Line(
            url: AdminURL.report(row.id), title: title(row), thumbnail: thumbnail.map(ThumbnailView.init),
            reasons: ReportFigures.reasons(row.reasons).map { "\($0.label) \($0.value)" }.joined(separator: " · "),
            type: request.context.rules.types[row.type]?.label ?? row.type, count: count(row.reports),
            isEdited: row.isOpen && row.isEdited, isUnpublished: row.isOpen && row.liveVersion == nil,
            before: row.outcomeBefore?.label, outcome: row.outcome?.label,
            tone: row.outcome == .noAction ? "" : "ok", decidedBy: row.decidedBy.map(ActorName.shown),
            since: Instant(row.decidedAt ?? row.openedAt), last: Instant(row.lastReportAt))
    }

    static func title(_ row: ReportCaseRow) -> String { EntryTitles.shown(SpoofCheck(name: row.title).shown) }

    /// "1 report", "3 reports"
    static func count(_ reports: Int) -> String {
        let number = CountText.text(reports, limit: .max)
        return reports == 1
            ? tr("1 report", context: "reported entry") : tr("\(number) reports", context: "reported entry")
    }

    // MARK: One case

    static func show(_ request: AdminRequest, errors: FieldErrors = FieldErrors()) async throws -> Response {
        let found = try await find(request)
        let saving = try await saving(request, found)
        let request = saving.restored(AdminURL.report(found.id)) ?? saving
        let model = try await ReportPage.load(request, found, errors: errors)
        return try request.page("admin/reports/show", model, title: model.heading, status: errors.status)
    }

    /// The request for a page with the form of the decision.
    private static func saving(_ request: AdminRequest, _ found: ReportCaseRow) async throws -> AdminRequest {
        guard found.isOpen, request.actor.may(.decide) else { return request }
        return try await request.autosaving([
            AdminURL.report(found.id): tr("Decision on reports: \(title(found))", context: "autosave")
        ])
    }

    private static func find(_ request: AdminRequest) async throws -> ReportCaseRow {
        try await request.database.reportCases.find(try request.id()).orMissing("report case")
    }

    /// Decides; the open case with the most reports follows. To unpublish takes two steps: the first shows what will change.
    static func decide(_ request: AdminRequest) async throws -> Response {
        let found = try await find(request)
        let form = request.form
        let outcome = ReportOutcome(rawValue: form.first("outcome") ?? "")
        let plan = form.first("plan")
        let isConfirmed = plan != nil
        return try await request.submit(
            orShow: { try await isConfirmed ? confirm($0, $1) : show($0, errors: $1) }
        ) {
            guard let outcome else {
                throw Failure.invalid(FieldErrors("/outcome", "choice", tr("Choose an outcome.")))
            }
            let draft = ReportDecisionDraft(
                outcome, note: form.first("note") ?? "",
                until: outcome == .block ? try ContributorStatusForm.until(form) : nil, plan: plan)
            if outcome == .unpublish, !isConfirmed, found.liveVersion != nil, found.isOpen {
                try request.actor.require(.publish, tr("unpublish entries"))
                _ = try draft.checkedNote()
                return try await confirm(request, FieldErrors())
            }
            try await request.services.decideReport(found.id, draft, by: request.actor)
            let open = try await request.database.reportCases.page(ReportCaseFilter(), cursor: nil, limit: 1)
            return request.redirect(
                to: open.items.first.map { AdminURL.report($0.id) } ?? AdminURL.reports(),
                Flash(tr("Reports of “\(title(found))” decided: \(outcome.label).")))
        }
    }

    // MARK: Unpublishing

    private struct Confirmation: Encodable, Sendable {
        let id: ID<ReportCase>
        let title: String
        let note: String
        let noteErrors: [String]
        let plan: PlanTable
        let seen: String
        let hasPlanChanged: Bool
        let problem: ErrorSummary?
        let autosave: Autosaved?
    }

    /// A case that somebody has decided meanwhile is shown instead.
    private static func confirm(_ request: AdminRequest, _ errors: FieldErrors) async throws -> Response {
        let found = try await find(request)
        guard found.isOpen, found.liveVersion != nil else { return try await show(request, errors: errors) }
        let request = try await saving(request, found)
        let plan = try await request.services.publishRelease.plan(
            .listed([LiveChange(entry: found.entry, revision: nil)]), limit: PlanTable.limit)
        let model = Confirmation(
            id: found.id, title: title(found), note: request.form.first("note") ?? "",
            noteErrors: errors.messages(at: "/note"), plan: try await PlanTable.load(plan, request),
            seen: plan.digest,
            hasPlanChanged: errors.isPlanChanged, problem: ErrorSummary(errors),
            autosave: request.autosave(AdminURL.report(found.id)))
        return try request.page(
            "admin/reports/unpublish", model, title: tr("Unpublish \(model.title)", context: "confirmation"),
            status: errors.status)
    }
}
