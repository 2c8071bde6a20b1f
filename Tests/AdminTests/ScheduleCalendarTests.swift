// Tests the calendar of the schedule: weeks, months, days in the person's zone, and what is on them.
import Domain
import Operations
import Store
import TestSupport
import Testing

@testable import Admin

@Suite("Calendar of the schedule", .databases)
struct ScheduleCalendarTests {
    private func period(week: String? = nil, month: String? = nil) throws -> SchedulePeriod {
        try SchedulePeriod(week: week, month: month, today: try #require(CalendarDay("2026-11-20")))
    }

    /// What the calendar shows of a day.
    private func day(_ date: String, _ page: BrowserPage) -> String {
        guard let start = page.html.firstRange(of: "<time datetime=\"\(date)\">") else { return "" }
        let rest = page.html[start.upperBound...]
        let ends = ["<h3>", "</ol>"].compactMap { rest.firstRange(of: $0)?.lowerBound }
        return String(rest[..<(ends.min() ?? rest.endIndex)])
    }

    @Test("A month starts on its weekday and has its length, also in leap years")
    func months() throws {
        let today = try #require(CalendarDay("2026-11-20"))
        func shape(_ month: String) throws -> [Int] {
            let calendar = ScheduleCalendar(try period(month: month), [], today: today, zone: "UTC")
            let days = calendar.days.compactMap(\.date)
            return [calendar.days.firstIndex { $0.date == "\(month)-01" } ?? -1, days.count]
        }
        #expect(try shape("2026-11") == [6, 30])
        #expect(try shape("2024-02") == [3, 29])
        #expect(try shape("2100-02") == [0, 28])
        #expect(try shape("2000-02") == [1, 29])
        #expect(try shape("2027-01") == [4, 31])
        let january = try period(month: "2027-01")
        #expect(january.heading == "January 2027")
        #expect(january.previous?.url == "/schedule?month=2026-12" && january.next?.url == "/schedule?month=2027-02")
        #expect(try period(month: "9999-12").next == nil)
        for wrong in ["2026-1x", "2026-13", "2026", "2026-11-20", "0000-01"] {
            #expect(throws: Failure.self, "\(wrong)") { try period(month: wrong) }
        }
    }

    @Test("A week starts on Monday, also across years, and is the one of today by default")
    func weeks() throws {
        let turn = try period(week: "2027-01-01")
        #expect(turn.days.map(\.text).first == "2026-12-28" && turn.days.map(\.text).last == "2027-01-03")
        #expect(turn.heading == "Week of December 28, 2026")
        #expect(turn.previous?.url == "/schedule?week=2026-12-21" && turn.next?.url == "/schedule?week=2027-01-04")
        let today = try #require(CalendarDay("2026-11-20"))
        let calendar = ScheduleCalendar(try period(), [], today: today, zone: "UTC")
        #expect(calendar.days.filter(\.isToday).map(\.label) == ["Fri 20"])
        #expect(calendar.days.first?.label == "Mon 16" && calendar.days.count == 7)
        #expect(calendar.weekURL == "/schedule?week=2026-11-16" && calendar.monthURL == "/schedule?month=2026-11")
        // The other view of a week without today is the month that it starts in.
        #expect(ScheduleCalendar(turn, [], today: today, zone: "UTC").monthURL == "/schedule?month=2026-12")
        #expect(try period(week: "0001-01-03").previous == nil)
        for wrong in ["2026-11", "2026-02-29", "tomorrow", "9999-12-31"] {
            #expect(throws: Failure.self, "\(wrong)") { try period(week: wrong) }
        }
    }

    @Test("Up to 300 events are shown; of more, the page says how many")
    func limit() throws {
        let today = try #require(CalendarDay("2026-11-20"))
        func shown(_ count: Int) throws -> Int? {
            let events = (0..<count).map { number in
                ScheduleEvent(
                    local: "\(today.text) 10:00", label: "Starts", tone: "", title: "Event \(number)", url: "/",
                    detail: nil, moveURL: nil, entries: [])
            }
            return ScheduleCalendar(try period(), events, today: today, zone: "UTC").shown
        }
        #expect(try shown(300) == nil)
        #expect(try shown(301) == 300)
    }

    @Test("A day shows the hours with events, and those between them as one; of an empty day none")
    func hours() throws {
        let today = try #require(CalendarDay("2026-11-20"))
        func labels(_ times: [String]) -> [String] {
            let events = times.map { time in
                ScheduleEvent(
                    local: "\(today.text) \(time)", label: "Starts", tone: "", title: "Event", url: "/", detail: nil,
                    moveURL: nil, entries: [])
            }
            return ScheduleCalendar(SchedulePeriod(dayOf: today), events, today: today, zone: "UTC").hours.map(\.label)
        }
        #expect(labels([]).isEmpty)
        #expect(labels(["09:00"]) == ["00:00–09:00", "09:00", "10:00–24:00"])
        #expect(labels(["00:00", "02:30", "23:59"]) == ["00:00", "01:00", "02:00", "03:00–23:00", "23:00"])
    }

    @Test("In the hour that a clock change repeats, what comes first is shown first, whatever the clocks show")
    func repeatedHour() async throws {
        let site = try await AdminFixture.make()
        // 02:30 in summer time, then 02:10 in winter time.
        for (title, local) in [("Summer", "2099-10-25T00:30"), ("Winter", "2099-10-25T01:10")] {
            _ = try await site.article(title, .at(WallTime(local: local, zone: "UTC")))
        }
        let visit = try await site.browser(.publisher)
        _ = try await visit.press("Save time zone", on: visit.visit("/account"), filling: ["zone": "Europe/Berlin"])
        for url in ["/schedule?day=2099-10-25", "/schedule?week=2099-10-25", "/schedule?month=2099-10"] {
            let shown = try await visit.visit(url).main.matches(of: /02:[13]0 <a/).map { String($0.0) }
            #expect(shown == ["02:30 <a", "02:10 <a"], "\(url)")
        }
    }

    @Test("Releases are on their day in the person's zone; weeks and months lead to each other")
    func zone() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher)
        _ = try await visit.press("Save time zone", on: visit.visit("/account"), filling: ["zone": "Europe/Berlin"])
        #expect(try await visit.get("/schedule").says("Nothing is scheduled in this week."))
        let id = try await site.article("Later", .at(WallTime(local: "2099-06-01T23:30", zone: "Europe/London")))
        let week = try await visit.get("/schedule?week=2099-06-03")
        #expect(week.says("Week of June 1, 2099") && week.says("Time zone: Europe/Berlin."))
        #expect(!week.says("Nothing is scheduled in this week."))
        let shown = day("2099-06-02", week)
        #expect(shown.contains("00:30 <a") && shown.contains("Scheduled</span>") && shown.contains("1 entry"))
        #expect(shown.contains("href=\"/entries/\(id)\""))
        #expect(!day("2099-06-01", week).contains("Later") && !day("2099-06-01", week).isEmpty)
        #expect(try week.link("Previous week") == "/schedule?week=2099-05-25")
        #expect(try week.link("Next week") == "/schedule?week=2099-06-08")
        #expect(!week.holds("aria-current=\"date\""))
        let month = try await visit.click("Month", on: week)
        #expect(month.url == "/schedule?month=2099-06" && day("2099-06-02", month).contains("00:30 <a"))
        #expect(!day("2099-06-02", month).contains("/entries/"), "a month shows releases only")
        let next = try await visit.click("Next month", on: month)
        #expect(next.says("July 2099") && next.says("Nothing is scheduled in this month."))
        let now = try await visit.click("Today", on: week)
        #expect(now.html.ranges(of: "aria-current=\"date\"").count == 1)
        #expect(try await visit.get("/schedule?week=tomorrow").status == 422)
        #expect(try await visit.get("/schedule?month=2099-13").status == 422)
        // A person whose scope excludes the entry doesn't see its release.
        let restricted = try await site.browser(.curator, name: "Restricted")
        let account = try #require(try await site.test.database.accounts.list().first { $0.name == "Restricted" })
        try await site.test.services.manageAccount.setScope(
            account, AccessScope(types: ["video"], groups: []), by: TestDatabase.administrator)
        #expect(try await !restricted.get("/schedule?week=2099-06-03").says("Later"))
    }

    @Test("A release names its first five entries; published and failed ones stay on their day")
    func releases() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .curator)
        let compose = site.test.services.composeRelease
        var items: [LiveChange] = []
        for number in 1...6 {
            items.append(LiveChange(entry: try await site.article("Walk \(number)"), revision: nil))
        }
        let actor = TestDatabase.administrator
        let many = try await compose.create(
            title: "Many", items: items, at: try WallTime(local: "2099-06-02T09:00", zone: "UTC"), by: actor)
        let blocked = LiveChange(entry: SeedEntry.unsorted, revision: nil)
        let failing = try await compose.create(title: "Failing", items: [blocked], by: actor)
        let good = try await compose.create(title: "Good", items: Array(items.prefix(1)), by: actor)
        let shown = day("2099-06-02", try await visit.get("/schedule?week=2099-06-02"))
        #expect(shown.contains("href=\"/releases/\(many)\"") && shown.contains("6 entries"))
        #expect(shown.ranges(of: "href=\"/entries/").count == 5)
        #expect(shown.ranges(of: "Unpublish</span>").count == 5)
        try await site.makeDue(failing, at: "2020-01-01T08:00")
        try await site.makeDue(good, at: "2020-01-01T07:00")
        _ = try await site.test.services.publishRelease.due()
        let past = day("2020-01-01", try await visit.get("/schedule?week=2020-01-01"))
        #expect(past.contains("08:00 <a href=\"/releases/\(failing)\"") && past.contains("Failed</span>"))
        #expect(past.contains("07:00 <a href=\"/releases/\(good)\"") && past.contains("Published</span>"))
        let order = ["Good", "Failing"].compactMap { past.firstRange(of: ">\($0)<")?.lowerBound }
        #expect(order.count == 2 && order == order.sorted())
    }

    @Test("A release that is published before its time is shown when it was published")
    func publishedBefore() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .curator)
        let items = [LiveChange(entry: try await site.article("Walk"), revision: nil)]
        let time = try WallTime(local: "2099-06-02T09:00", zone: "UTC")
        let release = try await site.test.services.composeRelease.create(
            title: "Early", items: items, at: time, by: TestDatabase.administrator)
        #expect(day("2099-06-02", try await visit.get("/schedule?week=2099-06-02")).contains("Early"))
        _ = try await site.test.services.publishRelease.release(release, seen: nil, by: TestDatabase.administrator)
        #expect(!day("2099-06-02", try await visit.get("/schedule?week=2099-06-02")).contains("Early"))
        #expect(try await visit.get("/schedule").holds("/releases/\(release)"))
        let page = try await visit.get("/releases/\(release)")
        #expect(page.says("It was scheduled for 2099-06-02 09:00") && page.says("ago in publication"))
    }
}
