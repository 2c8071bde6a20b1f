// A day, week or month in the person's time zone, with releases and what packs add.
import Domain
import Localization
import Store

struct ScheduleCalendar: Encodable, Sendable {
    typealias Day = ScheduleWeek.Day

    /// An hour of a single day with what is on it, or several hours with nothing.
    struct Hour: Encodable, Sendable {
        /// The first hour: `18`, as in the times of its events.
        let number: String
        /// `18:00`, or `18:00–22:00` of several.
        let label: String
        let events: [ScheduleEvent]
    }

    /// Events, and what lasts, shown; a narrower period shows further ones.
    private static let limit = 300
    /// Entries of each release shown in a week.
    private static let shownEntries = 5
    /// Sentences about what overlaps.
    private static let shownOverlaps = 10

    let heading: String
    let isDay: Bool
    let isMonth: Bool
    let weeks: [ScheduleWeek]
    /// Of a single day with events.
    let hours: [Hour]
    /// What overlaps, in sentences.
    let overlaps: [String]
    let isEmpty: Bool
    /// How many events are shown, if there are more.
    let shown: Int?
    let zone: String
    let previousURL: String?
    let nextURL: String?
    /// The period of today.
    let todayURL: String?
    let dayURL: String?
    let weekURL: String?
    let monthURL: String?
    /// Whether the person can move something that is shown.
    let mayMove: Bool

    /// The days of all weeks.
    var days: [Day] { weeks.flatMap(\.days) }

    static func load(_ request: AdminRequest) async throws -> ScheduleCalendar {
        let store = request.database.schedule
        let now = try await store.now(in: request.zone)
        guard let today = CalendarDay(String(now.prefix(10))) else { throw Failure.missing("date") }
        let period = try SchedulePeriod(
            day: request.text("day"), week: request.text("week"), month: request.text("month"), today: today)
        let days = ScheduleDays(first: period.first, last: period.last, zone: request.zone)
        // At most one more than are shown, to know whether there are more.
        let events = try await releases(on: days, withEntries: period.length != .month, request)
        var spans: [ScheduleSpan] = []
        for pages in request.database.packs.parts(PackPages.self) {
            spans += try await pages.schedule(request, days, limit + 1)
        }
        return ScheduleCalendar(period, events, spans, today: today, zone: request.zone)
    }

    private static func releases(
        on days: ScheduleDays, withEntries: Bool, _ request: AdminRequest
    ) async throws -> [ScheduleEvent] {
        let store = request.database.schedule
        let releases = try await store.releases(on: days, limit: limit + 1)
        let shown = withEntries ? releases.prefix(limit).map(\.number) : []
        let found = try await store.entries(of: shown, each: shownEntries)
        let entries = Dictionary(grouping: found, by: \.release)
        let movable = try await SchedulePages.changeable(
            releases.filter { $0.state == .scheduled }.map(\.number), request)
        return releases.map { release in
            let tone =
                switch release.state {
                case .published: "ok"
                case .failed: "bad"
                case .open, .scheduled, .canceled: "wait"
                }
            return ScheduleEvent(
                local: release.local, label: release.state.label, tone: tone, title: release.title,
                url: AdminURL.release(release.number), detail: ReleasePages.entries(release.items),
                moveURL: movable.contains(release.number) ? AdminURL.releaseSchedule(release.number) : nil,
                entries: entries[release.number, default: []].map { entry in
                    ScheduleEvent.Entry(
                        title: EntryPages.shown(entry.title), url: AdminURL.entry(entry.entry),
                        change: entry.isUnpublished ? tr("Unpublish", context: "schedule") : nil)
                })
        }
    }

    /// The events are in order, by their instants: a clock change shows an hour twice.
    init(
        _ period: SchedulePeriod, _ found: [ScheduleEvent], _ foundSpans: [ScheduleSpan] = [], today: CalendarDay,
        zone: String
    ) {
        let spans = foundSpans.sorted { ($0.starts, $0.title, $0.url) < ($1.starts, $1.title, $1.url) }
            .prefix(Self.limit)
        let events = found.prefix(Self.limit)
        let byDay = Dictionary(grouping: events, by: \.day)
        let blanks = Array(repeating: Day.blank, count: period.length == .month ? period.first.weekday : 0)
        let days =
            blanks
            + period.days.map { day in
                Day(
                    date: day.text, label: SchedulePeriod.label(of: day), url: SchedulePeriod(dayOf: day).url,
                    isToday: day == today, events: byDay[day.text, default: []])
            }
        weeks = days.chunks(of: 7).map { ScheduleWeek($0, Array(spans)) }
        hours = period.length == .day ? Self.hours(of: Array(events)) : []
        overlaps = ScheduleSpan.overlaps(of: Array(spans), limit: Self.shownOverlaps)
        mayMove = events.contains { $0.moveURL != nil } || spans.contains { $0.moveURL != nil }
        isEmpty = events.isEmpty && spans.isEmpty
        self.shown = found.count > Self.limit || foundSpans.count > Self.limit ? Self.limit : nil
        heading = period.heading
        isDay = period.length == .day
        isMonth = period.length == .month
        self.zone = zone
        previousURL = period.previous?.url
        nextURL = period.next?.url
        todayURL = period.period(of: today)?.url
        // The other view shows today, too, if this one does.
        let shown = period.days.contains(today) ? today : period.first
        dayURL = SchedulePeriod(dayOf: shown).url
        weekURL = SchedulePeriod(weekOf: shown)?.url
        monthURL = SchedulePeriod(monthOf: shown)?.url
    }

    private static func hours(of events: [ScheduleEvent]) -> [Hour] {
        if events.isEmpty { return [] }
        let byHour = Dictionary(grouping: events) { String($0.time.prefix(2)) }
        func number(_ hour: Int) -> String { hour < 10 ? "0\(hour)" : "\(hour)" }
        var hours: [Hour] = []
        /// The first of the hours before this one that have nothing.
        var free: Int?
        for hour in 0...24 {
            let found = byHour[number(hour), default: []]
            if hour < 24 && found.isEmpty {
                free = free ?? hour
                continue
            }
            if let first = free {
                let end = hour - first == 1 ? "" : "–\(number(hour)):00"
                hours.append(Hour(number: number(first), label: "\(number(first)):00\(end)", events: []))
                free = nil
            }
            if hour < 24 { hours.append(Hour(number: number(hour), label: "\(number(hour)):00", events: found)) }
        }
        return hours
    }
}
