// Decided submissions, newest decision first, with a button that returns one to the queue.
import Domain
import FoundationEssentials
import HTTP
import Localization
import Markup
import Operations
import Store

enum DecidedPages {
    private static let perPage = 25

    private struct Line: Encodable, Sendable {
        let url: String
        let title: String
        let thumbnail: ThumbnailView?
        /// It has an image of another site.
        let hasForeignImage: Bool
        let excerpt: String?
        let type: String
        let source: String
        let contributor: String?
        let state: String
        let tone: String
        let reason: String?
        /// "After an appeal"
        let after: String?
        let decidedBy: String
        let decidedAt: Instant
        /// Nil if it would be refused.
        let undoURL: String?
        let version: Int
    }

    private struct List: Encodable, Sendable {
        let tabs: [QueueTab]
        let isDecided = true
        let isMine: Bool
        let mineURL: String
        let everybodyURL: String
        let q: String?
        /// What can't be read in the search text.
        let searchProblems: [String]
        let operators: SearchOperators
        let verdicts: [Option]
        let types: [Option]
        let reopenings: [Option]
        /// The filters that are set, except the search text, which is in its field.
        let chips: [FilterChip]
        /// How many they are; nil for none.
        let filterCount: Int?
        let lines: [Line]
        /// The query string of this page, to which an undo returns.
        let listQuery: String
        let isFiltered: Bool
        let isCompact: Bool
        let densityURL: String
        let first: String?
        let next: String?
    }

    static func list(_ request: AdminRequest) async throws -> Response {
        // The links of the page carry the menus and the text as they are.
        let query = DecidedQuery(request.query)
        var filter = query.filter(for: request)
        var problems: [String] = []
        if let q = query.q {
            let found = try await ReadSubmissionSearch.resolve(q, request.context.rules.types, request.database)
            if found.problems.isEmpty, found.search.list == .pending {
                return request.redirect(to: AdminURL.queue(query: ["q": q]))
            }
            problems = found.problems.map(\.message)
            found.apply(to: &filter)
        }
        let page = try await request.database.decided.page(filter, cursor: query.cursor, limit: perPage)
        let ids = page.items.map(\.submission)
        async let thumbnails = request.database.thumbnails.of(submissions: ids)
        async let undoable = request.services.readReviewPermissions.undoable(ids, by: request.actor)
        let summaries = try await SubmissionExcerpt.summaries(of: ids, request)
        let (images, mayUndo) = try await (thumbnails, undoable)
        let isCompact = QueueDensity.isCompact(request)
        let (decisions, reopenings) = (verdicts(query.verdict), QueueFilterForm.reopenings(query.reopenedBy))
        let types = QueueFilterForm.types(query.type, request)
        let menus = [
            ("verdict", tr("Decision", context: "filter"), decisions), ("type", tr("Type", context: "filter"), types),
            ("reopened_by", tr("Reopened", context: "filter"), reopenings),
        ]
        let chips = menus.compactMap { name, label, menu in
            FilterChip(label, menu, without: query.url(cursor: nil, without: name))
        }
        let model = List(
            tabs: try await QueueTabs.load(request).tabs(nil), isMine: query.isMine, mineURL: query.url(isMine: true),
            everybodyURL: query.url(isMine: false), q: query.q, searchProblems: problems, operators: SearchOperators(),
            verdicts: decisions, types: types, reopenings: reopenings,
            chips: chips, filterCount: FilterCount.of(chips.count),
            lines: page.items.map { row in
                line(
                    row, images[row.submission], summaries[row.submission], mayUndo: mayUndo.contains(row.submission),
                    request)
            },
            listQuery: query.fields(cursor: query.cursor).urlEncoded, isFiltered: query.isFiltered,
            isCompact: isCompact,
            densityURL: QueueDensity.url(isCompact: !isCompact, query),
            first: query.cursor.map { _ in query.url(cursor: nil) }, next: page.next.map { query.url(cursor: $0) })
        return try request.page("admin/queue/decided", model, title: tr("Decided submissions"))
    }

    private static func verdicts(_ chosen: Verdict?) -> [Option] {
        Option.list(
            [
                ("", tr("All", context: "queue filter form")),
                (Verdict.approve.rawValue, SubmissionState.approved.label),
                (Verdict.reject.rawValue, SubmissionState.rejected.label),
                (Verdict.requestChanges.rawValue, SubmissionState.changesRequested.label),
                (Verdict.duplicate.rawValue, SubmissionState.duplicate.label),
            ], chosen: chosen?.rawValue)
    }

    private static func line(
        _ row: DecidedRow, _ thumbnail: Thumbnail?, _ summary: SubmissionSummary?, mayUndo: Bool,
        _ request: AdminRequest
    ) -> Line {
        let type = request.context.rules.types[row.type]
        let state = state(row.verdict)
        return Line(
            url: AdminURL.submission(row.submission), title: EntryTitles.shown(SpoofCheck(name: row.title).shown),
            thumbnail: thumbnail.map(ThumbnailView.init), hasForeignImage: summary?.hasForeignImage ?? false,
            excerpt: summary.flatMap { SubmissionExcerpt.text($0, type) },
            type: type?.label ?? row.type, source: row.source,
            contributor: row.contributor.flatMap { $0 == row.source ? nil : SpoofCheck(name: $0).shown },
            state: state.label,
            tone: state == .approved ? "ok" : state == .rejected ? "bad" : "wait",
            reason: row.reason.map { RejectReason(rawValue: $0)?.label ?? $0 },
            after: row.after.map { $0 == "appeal" ? tr("After an appeal") : tr("After a resubmission") },
            decidedBy: ActorName.shown(row.decidedBy), decidedAt: Instant(row.decidedAt),
            undoURL: mayUndo ? AdminURL.submissionUndo(row.submission) : nil, version: row.number)
    }

    private static func state(_ verdict: String) -> SubmissionState {
        switch verdict {
        case "approve": .approved
        case "reject": .rejected
        case "duplicate": .duplicate
        default: .changesRequested
        }
    }
}
