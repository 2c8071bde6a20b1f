// What needs the attention of the signed-in person: each line leads to the list that it counts.
import Domain
import FoundationEssentials
import Localization
import Operations
import Platform
import Store

struct AttentionLine: Encodable, Sendable {
    let label: String
    /// Such as the oldest of them.
    var detail: String?
    let url: String
    /// What the list behind the line is for.
    let action: String
    let count: String
    /// `bad`, `wait` or empty.
    let tone: String
}

enum AttentionList {
    /// Counting stops here.
    private static let limit = 1000

    private static func line(
        _ label: String, _ count: Int, _ url: String, _ action: String, tone: String = "", detail: String? = nil,
        limit: Int = limit
    ) -> AttentionLine? {
        count == 0
            ? nil
            : AttentionLine(
                label: label, detail: detail, url: url, action: action,
                count: CountText.text(count, limit: limit), tone: tone)
    }

    private static var open: String { tr("Open", context: "attention") }
    private static var review: String { tr("Review", context: "attention") }
    private static var retry: String { tr("Retry", context: "attention") }
    private static var fix: String { tr("Fix", context: "attention") }

    /// The lines that are not zero, the most urgent first.
    static func load(_ request: AdminRequest) async throws -> [AttentionLine] {
        async let failures = failures(request)
        async let queue = queue(request)
        async let content = content(request)
        return try await failures + queue + content
    }

    // MARK: Failures

    private static func failures(_ request: AdminRequest) async throws -> [AttentionLine] {
        let actor = request.actor
        guard let counts = try await request.database.attention.failures(limit: limit) else { return [] }
        func failed(_ kind: BackgroundTaskKind) -> String {
            AdminURL.tasks(query: ["kind": kind.rawValue, "state": BackgroundTaskState.failed.rawValue])
        }
        var lines: [AttentionLine?] = []
        if actor.may(.createRelease) { lines.append(releases(counts.releases, request)) }
        let reopened = request.session?.counts?.reopenedReleases ?? 0
        lines.append(
            line(tr("Reopened releases"), reopened, AdminURL.releases(), open, tone: "wait", limit: FrameCounts.limit))
        if request.mayOpen(AdminURL.tasks()) {
            if actor.may(BackgroundTaskKind.task.retryPermission) {
                lines.append(
                    line(
                        tr("Failed background tasks", context: "home"), counts.tasks, failed(.task), retry,
                        tone: "bad"))
            }
            if actor.may(BackgroundTaskKind.mail.retryPermission) {
                lines += [
                    line(tr("Failed mails"), counts.mails, failed(.mail), retry, tone: "bad"),
                    line(
                        tr("Failed webhook deliveries"), counts.deliveries, failed(.webhookDelivery), retry,
                        tone: "bad"),
                    line(tr("Disabled webhooks"), counts.webhooks, AdminURL.webhooks(), open, tone: "bad"),
                ]
            }
        }
        for pages in request.database.packs.parts(PackPages.self) {
            lines += try await pages.attention(request).filter { request.mayOpen($0.url) }
                .map { line($0.label, $0.count, $0.url, open, tone: "bad") }
        }
        return lines.compactMap(\.self)
    }

    private static func releases(_ count: Int, _ request: AdminRequest) -> AttentionLine? {
        guard count > 0 else { return nil }
        let newest = request.session?.failedReleases.first
        return line(
            tr("Failed releases", context: "home"), count,
            count == 1 ? newest.map { AdminURL.release($0.number) } ?? AdminURL.releases() : AdminURL.releases(),
            fix, tone: "bad", detail: newest.map { "\($0.title): \($0.cause)" })
    }

    // MARK: Queue

    private static func queue(_ request: AdminRequest) async throws -> [AttentionLine] {
        let hours = request.services.reviewPolicy.targetHours
        var lists: [(label: String, query: QueueQuery, tone: String)] = []
        if request.actor.may(.decide) {
            lists = [
                (tr("Pending for more than \(hours) h"), QueueQuery(queryString: "age=\(hours)"), "wait"),
                (tr("Assigned to you", context: "home"), QueueQuery(queryString: "assignee=me"), "wait"),
                (tr("Claimed by you", context: "home"), QueueQuery(queryString: "claim=mine"), ""),
                (tr("Appeals", context: "home"), QueueQuery(queryString: "reopened_by=appeal"), "wait"),
                (tr("Resubmitted", context: "home"), QueueQuery(queryString: "reopened_by=resubmit"), ""),
            ]
        }
        let store = request.database.queue
        var filters: [QueueFilter] = []
        for list in lists { filters.append(try await list.query.filter(for: request)) }
        let counts = lists.isEmpty ? [] : try await store.counts(filters, limit: limit)
        var lines: [AttentionLine?] = []
        for (index, count) in counts.enumerated() where count > 0 {
            let oldest = try await store.page(filters[index], order: .oldest, cursor: nil, limit: 1).items.first
            lines.append(
                line(
                    lists[index].label, count, lists[index].query.url(AdminURL.queue()), review,
                    tone: lists[index].tone,
                    detail: oldest.map {
                        tr(
                            "Oldest: \(EntryTitles.shown($0.title)), \(Age.text(since: $0.receivedAt, now: Date()))",
                            context: "attention")
                    }))
        }
        return try await lines.compactMap(\.self) + reports(request) + mentions(request)
    }

    private static func reports(_ request: AdminRequest) async throws -> [AttentionLine] {
        guard request.actor.may(.decide) else { return [] }
        let store = request.database.reportCases
        let count = try await store.openCount(limit: limit)
        if count == 0 { return [] }
        let most = try await store.page(ReportCaseFilter(), cursor: nil, limit: 1).items.first
        let reported = line(
            tr("Reported entries", context: "home"), count, AdminURL.reports(), review, tone: "bad",
            detail: most.map {
                tr(
                    "Most reported: \(EntryTitles.shown($0.title)), \(ReportPages.count($0.reports))",
                    context: "attention")
            })
        return [reported].compactMap(\.self)
    }

    private static func mentions(_ request: AdminRequest) async throws -> [AttentionLine] {
        guard let session = request.session, let count = session.counts?.mentions, count > 0 else { return [] }
        let newest = try await request.database.notes.mentions(of: session.account, cursor: nil, limit: 1).items.first
        let mention = line(
            tr("Mentions", context: "section"), count, AdminURL.mentions(), open, tone: "wait",
            detail: newest.map {
                tr(
                    "\(ActorName.shown($0.author)) on “\(EntryTitles.shown($0.title))”: \(beginning($0.text))",
                    context: "attention")
            }, limit: FrameCounts.limit)
        return [mention].compactMap(\.self)
    }

    /// One line of a note.
    private static func beginning(_ text: String) -> String {
        let line = PlainText.singleLine(text)
        return line.count > shownOfNote ? "\(line.prefix(shownOfNote))…" : line
    }

    private static let shownOfNote = 100

    // MARK: Content

    private static func content(_ request: AdminRequest) async throws -> [AttentionLine] {
        let (actor, database) = (request.actor, request.database)
        var lines: [AttentionLine?] = []
        if actor.may(.edit) {
            var filter = EntryFilter()
            filter.state = "broken_stream"
            lines.append(
                line(
                    tr("Broken video streams"), try await database.entries.count(filter, limit: limit),
                    AdminURL.entries(query: ["state": filter.state]), fix, tone: "bad"))
        }
        if actor.may(.suggest, on: "text") {
            for missing in request.missingTexts where missing.isOffered {
                let named = missing.keys.joined(separator: ", ")
                lines.append(
                    line(
                        tr("Texts missing in \(missing.language)"), missing.count,
                        AdminURL.texts(query: ["locale": missing.language, "missing": 1]),
                        tr("Translate", context: "attention"),
                        detail: missing.count > missing.keys.count ? "\(named), …" : named))
            }
        }
        if actor.may(.suggest) {
            lines.append(
                line(
                    tr("Images without alternative text"),
                    try await database.media.undescribedCount(limit: limit + 1),
                    AdminURL.media(query: ["state": "undescribed"]), tr("Describe", context: "attention")))
        }
        return lines.compactMap(\.self)
    }
}
