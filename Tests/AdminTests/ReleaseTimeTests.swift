// Tests that a release is moved in the schedule: confirmed with both times and what else is planned then, and undone.
import Domain
import Operations
import Store
import TestSupport
import Testing

@testable import Admin

@Suite("Moved releases", .databases)
struct ReleaseTimeTests {
    private func scheduled(_ site: AdminFixture, _ title: String, _ local: String) async throws -> Int64 {
        let change = LiveChange(entry: try await site.article(title), revision: nil)
        return try await site.test.services.composeRelease.create(
            title: title, items: [change], at: try WallTime(local: local, zone: "Europe/London"),
            by: TestDatabase.administrator)
    }

    private func time(_ number: Int64, _ site: AdminFixture) async throws -> String {
        try await site.test.database.releases.find(number: number)?.wallTime ?? ""
    }

    @Test("The calendar leads to a page that confirms the new time in the person's zone; the message undoes it")
    func move() async throws {
        let site = try await AdminFixture.make()
        let number = try await scheduled(site, "Spring", "2099-06-01T23:30")
        let visit = try await site.browser(.publisher)
        _ = try await visit.press("Save time zone", on: visit.visit("/account"), filling: ["zone": "Europe/Berlin"])
        let week = try await visit.get("/schedule?week=2099-06-02")
        #expect(week.holds("data-date=\"2099-06-02\"") && week.holds("data-from=\"2099-06-02T00:30\""))
        let asked = try await visit.click("Move", on: week)
        #expect(asked.url == "/releases/\(number)/schedule" && asked.says("2099-06-01 23:30 Europe/London"))
        #expect(try asked.form("Schedule release").value("local") == "2099-06-02T00:30", "its time, by her clocks")
        let page = try await visit.get("/releases/\(number)/schedule?local=2099-06-04T00:30")
        #expect(page.says("2099-06-04 00:30 Europe/Berlin") && page.says("No other release is planned within 2 h."))
        let moved = try await visit.press("Schedule release", on: page)
        #expect(moved.url == "/schedule?week=2099-06-04")
        #expect(moved.says("Release \(number) scheduled for 2099-06-04 00:30 Europe/Berlin."))
        #expect(moved.says("It was scheduled for 2099-06-01 23:30 Europe/London."))
        #expect(try await time(number, site) == "2099-06-04 00:30 Europe/Berlin")
        let undone = try await visit.press("Undo", on: moved)
        #expect(undone.says("Release \(number) scheduled for 2099-06-01 23:30 Europe/London again."))
        #expect(try await time(number, site) == "2099-06-01 23:30 Europe/London")
    }

    @Test("A time that has changed meanwhile is neither overwritten nor undone; a past one is refused at its field")
    func stale() async throws {
        let site = try await AdminFixture.make()
        let number = try await scheduled(site, "Spring", "2099-06-01T09:00")
        let visit = try await site.browser(.publisher)
        let page = try await visit.get("/releases/\(number)/schedule?local=2099-06-04T09:00")
        let moved = try await visit.press("Schedule release", on: page)
        let other = try WallTime(local: "2099-07-01T09:00", zone: "UTC")
        try await site.test.services.composeRelease.schedule(number, at: other, by: TestDatabase.administrator)
        #expect(try await visit.press("Undo", on: moved).status == 409)
        #expect(try await visit.press("Schedule release", on: page).status == 409)
        #expect(try await time(number, site) == "2099-07-01 09:00 UTC")
        let past = try await visit.get("/releases/\(number)/schedule?local=2020-01-01T09:00")
        #expect(past.status == 422 && past.says("This time has passed") && past.links.contains { $0.url == "#local" })
        #expect(try await visit.get("/releases/\(number)/schedule?local=soon").status == 422)
        #expect(try await visit.post("/releases/\(number)/cancel", []).status == 303)
        #expect(try await visit.get("/releases/\(number)/schedule").status == 409)
    }

    @Test("Without a proposed time no new one is claimed; what a refused form contains stays, beside its errors")
    func form() async throws {
        let site = try await AdminFixture.make()
        let number = try await scheduled(site, "Spring", "2099-06-01T09:00")
        let url = "/releases/\(number)/schedule"
        let visit = try await site.browser(.publisher)
        let page = try await visit.get(url)
        #expect(page.says("2099-06-01 09:00 Europe/London") && !page.says("New time"))
        #expect(try page.link("Cancel") == "/schedule?week=2099-06-01", "back to the week that it is in")
        #expect(try await visit.get("\(url)?local=2099-06-04T09:00").says("New time: 2099-06-04 09:00 UTC"))
        let refused = try await visit.post(
            url, [("return", "schedule"), ("action", "at"), ("local", ""), ("zone", "Nowhere?")])
        #expect(refused.status == 422 && refused.holds("aria-describedby=\"local-error\""))
        let form = try refused.form("Schedule release")
        #expect(form.value("zone") == "Nowhere?" && form.value("local") == "", "not the time before")
        // One that is overdue has only a time that has passed.
        try await site.makeDue(number)
        #expect(try await visit.get(url).status == 200)
    }

    @Test("Releases up to two hours away are named, not those one second further", arguments: [0, 1])
    func near(seconds: Int) async throws {
        let site = try await AdminFixture.make()
        let number = try await scheduled(site, "Spring", "2099-06-01T09:00")
        _ = try await scheduled(site, "Before", seconds == 0 ? "2099-06-01T07:00" : "2099-06-01T06:59:59")
        _ = try await scheduled(site, "After", seconds == 0 ? "2099-06-01T11:00" : "2099-06-01T11:00:01")
        let page = try await site.browser(.publisher).get("/releases/\(number)")
        let named = "Within 2 h, also planned: “Before” at 07:00, “After” at 11:00."
        #expect(page.says(seconds == 0 ? named : "No other release is planned within 2 h."))
        let notes = try await site.test.services.composeRelease.schedule(
            number, at: try WallTime(local: "2099-06-01T09:00", zone: "Europe/London"), by: TestDatabase.administrator
        ).notes
        #expect(notes == (seconds == 0 ? [named] : []))
    }

    @Test("Only what the person may schedule can be moved")
    func permission() async throws {
        let site = try await AdminFixture.make()
        let number = try await scheduled(site, "Spring", "2099-06-01T09:00")
        let editor = try await site.browser(.editor)
        #expect(try await !editor.get("/schedule?week=2099-06-01").holds("data-move="))
        #expect(try await editor.get("/releases/\(number)/schedule").status == 403)
        #expect(try await editor.post("/releases/\(number)/schedule/undo", []).status == 403)
    }

    @Test("A day is shown by its hours, and leads to the days beside it")
    func day() async throws {
        let site = try await AdminFixture.make()
        _ = try await scheduled(site, "Spring", "2099-06-01T09:45")
        let visit = try await site.browser(.publisher)
        let page = try await visit.click("Day", on: try await visit.get("/schedule?week=2099-06-01"))
        #expect(page.url == "/schedule?day=2099-06-01" && page.says("Mon, June 1, 2099"))
        #expect(page.html.ranges(of: "data-hour=\"").count == 3 && page.says("Drag “Move” to another hour"))
        let hour = try #require(page.html.firstRange(of: "data-hour=\"08\"")).upperBound
        let next = try #require(page.html.firstRange(of: "data-hour=\"09\"")).lowerBound
        #expect(page.html[hour..<next].contains("08:45 <a"), "the clocks of London are an hour ahead of hers")
        #expect(try page.link("Previous day") == "/schedule?day=2099-05-31")
        #expect(try page.link("Next day") == "/schedule?day=2099-06-02")
        #expect(try page.link("Month") == "/schedule?month=2099-06")
        #expect(try await visit.get("/schedule?day=2099-06-31").status == 422)
        let free = try await visit.get("/schedule?day=2099-06-03")
        #expect(free.says("Nothing is scheduled on this day.") && !free.holds("data-hour="))
    }

    @Test("Releases nearby with long titles are named in short, so that the message fits into its cookie")
    func long() async throws {
        let site = try await AdminFixture.make()
        let number = try await scheduled(site, "Spring", "2099-06-01T09:00")
        let long = String(repeating: "\u{1EA1}", count: 190)
        for minute in 1...5 { _ = try await scheduled(site, "\(minute) \(long)", "2099-06-01T09:0\(minute)") }
        let visit = try await site.browser(.publisher)
        let page = try await visit.get("/releases/\(number)/schedule?local=2099-06-01T09:30&zone=Europe/London")
        let moved = try await visit.press("Schedule release", on: page)
        #expect(moved.says("Release \(number) scheduled for 2099-06-01 09:30 Europe/London."))
        for minute in 1...5 { #expect(moved.says("“\(minute) \(long.prefix(77))…” at 09:0\(minute)")) }
    }
}
