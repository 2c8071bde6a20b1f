// One submission in the queue, as lists show it.
import Domain
import FoundationEssentials
import Localization
import Markup
import Store

struct QueueLine: Encodable, Sendable {
    let id: ID<Submission>
    let url: String
    let title: String
    let type: String
    let source: String
    /// Nil also where the list shows none.
    var contributor: String?
    /// How the text begins; nil also where the list shows none.
    var excerpt: String?
    let requestedCategory: String?
    /// Suspicious characters in the title or the requested category (S39). Nil also if the page shows them elsewhere.
    var warning: String?
    let received: Instant
    /// Nil for normal priority.
    let priority: String?
    let isUrgent: Bool
    /// Nil also if the page shows it elsewhere.
    var claimedBy: String?
    let isMine: Bool
    let assignee: String?
    let snoozedUntil: Instant?
    let isHeld: Bool
    /// "Resubmitted" or "Appealed".
    let reopened: String?
    /// "1 of 3 approvals"; nil if one approval is enough.
    var approvals: String?
    /// Nil also where the list shows none.
    var thumbnail: ThumbnailView?
    /// It has an image of another site. False also where the list shows none.
    var hasForeignImage = false
    /// Nil until it has been screened; also if the page shows it elsewhere.
    var risk: ScreeningPanel?
    /// The score of the external classifier; nil until it answered.
    let classified: String?
    /// It has been pending for at least the target time.
    let isOverdue: Bool
    /// The page shows this submission.
    let isCurrent: Bool

    init(
        _ row: QueueRow, _ query: QueueQuery, _ request: AdminRequest, current: ID<Submission>? = nil,
        now: Date = Date()
    ) {
        id = row.id
        url = query.url(AdminURL.submission(row.id))
        let (titleCheck, categoryCheck) = (
            SpoofCheck(name: row.title), row.requestedCategory.map { SpoofCheck(name: $0) }
        )
        title = row.title.isEmpty ? tr("Untitled", context: "queue line") : titleCheck.shown
        type = request.context.rules.types[row.type]?.label ?? row.type
        source = row.source
        requestedCategory = categoryCheck?.shown
        warning = titleCheck.reason ?? categoryCheck?.reason
        received = Instant(row.receivedAt, now: now)
        priority = row.priority == .normal ? nil : row.priority.label
        isUrgent = row.priority.rawValue < Priority.normal.rawValue
        claimedBy = row.claimedBy
        isMine = row.claimedByID != nil && row.claimedByID == request.session?.account
        assignee =
            row.assignedToID != nil && row.assignedToID == request.session?.account
            ? tr("you", context: "assignee") : row.assignedTo ?? row.assignedRole?.people
        snoozedUntil = row.snoozedUntil.map { Instant($0, now: now) }
        isHeld = row.isHeld
        reopened = row.reopenedBy.map {
            $0 == "resubmit" ? tr("Resubmitted", context: "queue line") : tr("Appealed", context: "queue line")
        }
        risk = row.screening.map { ScreeningPanel($0, now: now) }
        classified = (row.classification?.response?.score).map(String.init)
        isOverdue = now.timeIntervalSince(row.receivedAt) >= Double(request.services.reviewPolicy.targetHours) * 3600
        isCurrent = row.id == current
    }

    /// Lines with their number of approvals; with contributor, excerpt and the image that a field names where the list shows
    /// them.
    static func load(
        _ rows: [QueueRow], _ query: QueueQuery, _ request: AdminRequest, current: ID<Submission>? = nil,
        hasSummaries: Bool = false
    ) async throws -> [QueueLine] {
        let shown = hasSummaries ? rows.map(\.id) : []
        async let thumbnailsOfRows = request.database.thumbnails.of(submissions: shown)
        async let summariesOfRows = SubmissionExcerpt.summaries(of: shown, request)
        let stages = try await request.database.stageProgress(of: rows)
        let (thumbnails, summaries) = try await (thumbnailsOfRows, summariesOfRows)
        let now = Date()
        return rows.map { row in
            var line = QueueLine(row, query, request, current: current, now: now)
            line.thumbnail = thumbnails[row.id].map(ThumbnailView.init)
            if let summary = summaries[row.id] {
                // A feed without authors is its own contributor.
                line.contributor = summary.contributor.flatMap { $0 == line.source ? nil : SpoofCheck(name: $0).shown }
                line.excerpt = SubmissionExcerpt.text(summary, request.context.rules.types[row.type])
                line.hasForeignImage = summary.hasForeignImage
            }
            line.approvals = stages[row.id].map { stages in
                tr(
                    "\(stages.reduce(0) { $0 + $1.approvals }) of \(stages.reduce(0) { $0 + $1.stage.requiredApprovals }) approvals"
                )
            }
            return line
        }
    }
}
