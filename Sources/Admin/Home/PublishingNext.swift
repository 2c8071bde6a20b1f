// What is published next: scheduled releases, and what packs add to the schedule, such as promotions that start or end.
import Domain
import FoundationEssentials
import Localization
import Store

struct PublishingNext: Encodable, Sendable {
    struct Line: Encodable, Sendable {
        let title: String
        let url: String
        /// Nil for what packs add.
        let due: Instant?
        /// By the clocks of the person's zone: `2026-11-20 18:00 Europe/Berlin`.
        let local: String
        /// What it contains, or what happens.
        let detail: String
        /// Who created it; nil for what packs add.
        let author: String?
        /// Where a preview of the app at this time is created; nil for people who may not.
        let previewURL: String?
    }

    private static let shown = 5
    /// Packs are asked for what lasts today and on this many days after it.
    private static let days = 30
    /// Of a pack; what has started is among them.
    private static let spanLimit = 300

    let lines: [Line]
    /// Nil for none.
    let count: String?
    /// Whether there is more than is shown.
    let hasMore: Bool

    /// `now`: by the clocks of the person's zone, such as `2026-11-20 18:00`. Earliest first by the instant: a clock
    /// change shows an hour twice.
    static func load(_ request: AdminRequest, now: String) async throws -> PublishingNext {
        let releases = try await request.database.schedule.upcoming(in: request.zone, limit: shown + 1)
        var lines = releases.map { (date: $0.dueAt, line: line($0, request)) }
        for event in try await events(request, now: now) {
            lines.append((date: event.date, line: line(event, request)))
        }
        lines.sort { ($0.date, $0.line.title) < ($1.date, $1.line.title) }
        return PublishingNext(
            lines: lines.prefix(shown).map(\.line),
            count: lines.isEmpty ? nil : CountText.text(lines.count, limit: shown), hasMore: lines.count > shown)
    }

    /// When something starts or ends.
    private struct Event {
        let span: ScheduleSpan
        let date: Date
        let local: String
        let label: String
    }

    private static func events(_ request: AdminRequest, now: String) async throws -> [Event] {
        guard let today = CalendarDay(String(now.prefix(10))), let last = today.adding(days: days) else { return [] }
        let period = ScheduleDays(first: today, last: last, zone: request.zone)
        var spans: [ScheduleSpan] = []
        for pages in request.database.packs.parts(PackPages.self) {
            spans += try await pages.schedule(request, period, spanLimit)
        }
        let moment = Date()
        return spans.flatMap {
            [
                Event(span: $0, date: $0.starts, local: $0.localStart, label: tr("Starts", context: "schedule")),
                Event(span: $0, date: $0.ends, local: $0.localEnd, label: tr("Ends", context: "schedule")),
            ]
        }.filter { $0.date > moment }
    }

    private static func line(_ release: UpcomingRelease, _ request: AdminRequest) -> Line {
        Line(
            title: release.title, url: AdminURL.release(release.number), due: Instant(release.dueAt),
            local: "\(release.local) \(request.zone)", detail: contents(of: release, request),
            author: ActorName.shown(release.author),
            previewURL: previewURL(release.title, release.local, request))
    }

    private static func line(_ event: Event, _ request: AdminRequest) -> Line {
        Line(
            title: event.span.title, url: event.span.url, due: nil, local: "\(event.local) \(request.zone)",
            detail: "\(event.label) · \(event.span.detail)", author: nil,
            previewURL: previewURL(event.span.title, event.local, request))
    }

    /// Such as "Articles: 5, Promotions: 6": the most first.
    private static func contents(of release: UpcomingRelease, _ request: AdminRequest) -> String {
        let types = release.types.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        if types.isEmpty { return ReleasePages.entries(0) }
        return types.map { name, count in
            let plural = request.context.rules.types[name]?.plural ?? name
            return tr("\(plural): \(count)", context: "release contents")
        }.joined(separator: ", ")
    }

    private static func previewURL(_ title: String, _ local: String, _ request: AdminRequest) -> String? {
        guard request.actor.may(.createRelease), request.mayOpen(AdminURL.previews()) else { return nil }
        return AdminURL.previews(
            query: ["title": title, "local": local.replacing(" ", with: "T"), "zone": request.zone])
    }
}
