// The days of a week or month in the person's time zone, with releases and what packs add.
import Domain
import Localization
import Store

struct ScheduleCalendar: Encodable, Sendable {
    struct Day: Encodable, Sendable {
        /// Nil before the first day of a month.
        let date: String?
        /// `Mon 23`
        let label: String
        let isToday: Bool
        let events: [ScheduleEvent]
    }

    /// Events shown; a narrower period shows further ones.
    private static let limit = 300
    /// Entries of each release shown in a week.
    private static let shownEntries = 5

    let heading: String
    let isMonth: Bool
    let days: [Day]
    let isEmpty: Bool
    /// How many events are shown, if there are more.
    let shown: Int?
    let zone: String
    let previousURL: String?
    let nextURL: String?
    /// The period of today.
    let todayURL: String?
    let weekURL: String?
    let monthURL: String?

    static func load(_ request: AdminRequest) async throws -> ScheduleCalendar {
        let store = request.database.schedule
        let now = try await store.now(in: request.zone)
        guard let today = CalendarDay(String(now.prefix(10))) else { throw Failure.missing("date") }
        let period = try SchedulePeriod(week: request.text("week"), month: request.text("month"), today: today)
        let days = ScheduleDays(first: period.first, last: period.last, zone: request.zone)
        // At most one more than are shown, to know whether there are more.
        var events = try await releases(on: days, withEntries: !period.isMonth, request)
        for pages in request.database.packs.parts(PackPages.self) {
            events += try await pages.schedule(request, days, limit + 1)
        }
        return ScheduleCalendar(period, events, today: today, zone: request.zone)
    }

    private static func releases(
        on days: ScheduleDays, withEntries: Bool, _ request: AdminRequest
    ) async throws -> [ScheduleEvent] {
        let store = request.database.schedule
        let releases = try await store.releases(on: days, limit: limit + 1)
        let shown = withEntries ? releases.prefix(limit).map(\.number) : []
        let found = try await store.entries(of: shown, each: shownEntries)
        let entries = Dictionary(grouping: found, by: \.release)
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
                entries: entries[release.number, default: []].map { entry in
                    ScheduleEvent.Entry(
                        title: EntryPages.shown(entry.title), url: AdminURL.entry(entry.entry),
                        change: entry.isUnpublished ? tr("Unpublish", context: "schedule") : nil)
                })
        }
    }

    init(_ period: SchedulePeriod, _ found: [ScheduleEvent], today: CalendarDay, zone: String) {
        let events = found.sorted { ($0.local, $0.title) < ($1.local, $1.title) }.prefix(Self.limit)
        let byDay = Dictionary(grouping: events, by: \.day)
        let blank = Day(date: nil, label: "", isToday: false, events: [])
        let blanks = Array(repeating: blank, count: period.isMonth ? period.first.weekday : 0)
        days =
            blanks
            + period.days.map { day in
                Day(
                    date: day.text, label: SchedulePeriod.label(of: day), isToday: day == today,
                    events: byDay[day.text, default: []])
            }
        isEmpty = events.isEmpty
        self.shown = found.count > Self.limit ? Self.limit : nil
        heading = period.heading
        isMonth = period.isMonth
        self.zone = zone
        previousURL = period.previous?.url
        nextURL = period.next?.url
        todayURL = period.period(of: today)?.url
        // The other view shows today, too, if this one does.
        let shown = period.days.contains(today) ? today : period.first
        weekURL = SchedulePeriod(weekOf: shown)?.url
        monthURL = SchedulePeriod(monthOf: shown)?.url
    }
}
