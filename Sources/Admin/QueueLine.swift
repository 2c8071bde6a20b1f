// One submission in a list of the queue.
import Domain
import FoundationEssentials
import Markup
import Store

struct QueueLine: Encodable, Sendable {
    let id: ID<Submission>
    let address: String
    let title: String
    let type: String
    let source: String
    let requested: String?
    /// Why to look twice at the title or the wish (S39). Nil also where the page says it elsewhere.
    var warning: String?
    let received: Instant
    /// Nil for the usual one.
    let priority: String?
    let isUrgent: Bool
    /// Nil also where the page says it elsewhere.
    var holder: String?
    let isMine: Bool
    let assignee: String?
    let snoozed: Instant?
    /// Its contributor answered, or appealed.
    let reopenedBy: String?
    /// "1 of 3 agreed"; nil where one yes is enough.
    var approved: String?
    /// Nil where nobody has looked yet.
    let risk: ScreeningPanel?
    /// It has waited for longer than it should.
    let isLate: Bool
    /// It is the one that the page shows.
    let isHere: Bool

    init(
        _ row: QueueRow, _ query: QueueQuery, _ request: AdminRequest, here: ID<Submission>? = nil, now: Date = Date()
    ) {
        id = row.id
        address = query.address("/queue/\(row.id)")
        let (looked, requestedCategory) = (SpoofCheck(name: row.title), row.requestedCategory.map { SpoofCheck(name: $0) })
        title = row.title.isEmpty ? "Without a title" : looked.shown
        type = request.context.rules.types[row.type]?.label ?? row.type
        source = row.source
        requested = requestedCategory?.shown
        warning = looked.reason ?? requestedCategory?.reason
        received = Instant(row.receivedAt, now: now)
        priority = row.priority == .normal ? nil : row.priority.label
        isUrgent = row.priority.rawValue < Priority.normal.rawValue
        holder = row.claimedBy
        isMine = row.claimedByID != nil && row.claimedByID == request.session?.account
        assignee =
            row.assignedToID != nil && row.assignedToID == request.session?.account
            ? "you" : row.assignedTo ?? row.assignedRole.map { "\($0.label.lowercased())s" }
        snoozed = row.snoozedUntil.map { Instant($0, now: now) }
        reopenedBy = row.reopenedBy == "resubmit" ? "sent again" : row.reopenedBy
        risk = row.screening.map { ScreeningPanel($0, now: now) }
        isLate = now.timeIntervalSince(row.receivedAt) >= Double(request.context.targetHours) * 3600
        isHere = row.id == here
    }

    /// With how many agreed so far.
    static func load(
        _ rows: [QueueRow], _ query: QueueQuery, _ request: AdminRequest, here: ID<Submission>? = nil
    ) async throws -> [QueueLine] {
        let stages = try await request.database.standings(of: rows)
        let now = Date()
        return rows.map { row in
            var line = QueueLine(row, query, request, here: here, now: now)
            line.approved = stages[row.id].map { stages in
                "\(stages.reduce(0) { $0 + $1.given }) of \(stages.reduce(0) { $0 + $1.stage.needed }) agreed"
            }
            return line
        }
    }
}
