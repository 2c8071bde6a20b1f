// Walks the releases: made, filled, checked, compared, published as planned, scheduled, canceled; and rolled back.
import Domain
import Editorial
import Publishing
import Store
import TestSupport
import Testing

@testable import Admin

@Suite("The pages of releases", .databases)
struct ReleasePagesTests {
    @Test("A release is made, filled from an entry's page, and published exactly as its plan showed")
    func line() async throws {
        let site = try await EditorSite.make()
        let visit = try await site.visitor(.publisher)
        let id = try await site.article("A walk")
        #expect(try await visit.get("/releases").holds("No release is open."))
        let made = try await visit.follow(try await visit.post("/releases", [("title", "Spring")]))
        #expect(made.holds("Release 1 is made.") && made.holds("It holds nothing yet."))
        try await site.change(id, "title", to: "A long walk", .approveOnly)
        let put = try await visit.follow(
            try await visit.post("/entries/\(id)/release", [("release", "1"), ("action", "show")]))
        #expect(put.holds("Version 2 is in release 1 now."))
        let page = try await visit.get("/releases/1")
        #expect(page.holds("shows version 2, in place of 1") && page.holds("Every version is approved"))
        #expect(!page.holds("stops it") && !page.holds(">look</span>") && !page.holds("Take in all"))
        #expect(page.holds("<ins>A long walk</ins>"))
        let seen = page.seen ?? ""
        #expect(!seen.isEmpty)
        // Something else happens to the same row: the page comes again with the new plan.
        try await site.change(id, "title", to: "Between", .now)
        let moved = try await visit.post("/releases/1/publish", [("seen", seen)])
        #expect(moved.status == 409 && moved.holds("The plan is another one by now"))
        #expect(try await site.rows("item", "title") == ["Between"])
        let now = moved.seen ?? ""
        let done = try await visit.follow(try await visit.post("/releases/1/publish", [("seen", now)]))
        let number = try await site.test.database.publications.current()
        #expect(done.holds("Release 1 is live: publication \(number)."))
        #expect(try await site.rows("item", "title") == ["A long walk"])
        #expect(try await visit.post("/releases/1/publish", [("seen", now)]).status == 409)
        #expect(try await visit.get("/publications/\(number)").holds("version 2 in place of"))
    }

    @Test("A conflict is named and compared field by field: before, this release, the other")
    func conflict() async throws {
        let site = try await EditorSite.make()
        let visit = try await site.visitor(.editor)
        let id = try await site.article("A walk")
        try await site.change(id, "title", to: "From one", .approveOnly)
        _ = try await visit.post("/entries/\(id)/release", [("action", "show")])
        try await site.change(id, "summary", to: "From two", .approveOnly)
        _ = try await visit.post("/entries/\(id)/release", [("action", "show")])
        let page = try await visit.get("/releases/1")
        #expect(page.holds("also in release 2") && page.holds("version 3 is newer"))
        let compared = try await visit.get("/releases/1/items/\(id)")
        #expect(compared.holds("From one") && compared.holds("From two") && compared.holds("A walk"))
        #expect(compared.holds("both changed it alike") && compared.holds("only release 2 changed it"))
        #expect(try await visit.get("/releases/1/items/\(SeedEntry.unsorted)").status == 404)
        let out = try await visit.follow(try await visit.post("/releases/1/items/\(id)/delete", []))
        #expect(out.holds("It is out of this release."))
        #expect(try await visit.post("/releases/1/items/\(id)/delete", []).status == 404)
        #expect(!(try await visit.get("/releases/2").holds("also in release")))
    }

    @Test("A release is scheduled, shown on its day, moved, freed of its time and canceled")
    func schedule() async throws {
        let site = try await EditorSite.make()
        let visit = try await site.visitor(.publisher)
        _ = try await site.article("Waiting", .approveOnly)
        _ = try await visit.post("/releases", [("title", "Autumn")])
        let taken = try await visit.follow(try await visit.post("/releases/1/items", []))
        #expect(taken.holds("1 entry is in this release now."))
        let past = try await visit.post(
            "/releases/1/schedule", [("action", "at"), ("local", "2020-01-01T10:00"), ("zone", "UTC")])
        #expect(past.status == 422 && past.holds("This time has passed") && past.holds("2020-01-01T10:00"))
        let set = try await visit.follow(
            try await visit.post(
                "/releases/1/schedule", [("action", "at"), ("local", "2099-02-28T10:00"), ("zone", "Europe/London")]))
        #expect(set.holds("goes live at 2099-02-28 10:00 Europe/London"))
        let month = try await visit.get("/releases?month=2099-02")
        #expect(month.holds("February 2099") && month.holds("title=\"Europe/London\">10:00"))
        #expect(try await visit.get("/releases?month=2099-13").status == 422)
        let freed = try await visit.follow(try await visit.post("/releases/1/schedule", [("action", "open")]))
        #expect(freed.holds("has no time any more"))
        _ = try await visit.post("/releases/1/cancel", [])
        #expect(try await visit.get("/releases/1").holds("canceled"))
        #expect(try await visit.get("/releases/2").status == 404)
        #expect(try await visit.post("/releases", [("title", "  ")]).status == 422)
    }

    @Test("Rolling back shows its plan first; readers then see what they saw")
    func back() async throws {
        let site = try await EditorSite.make()
        let visit = try await site.visitor(.publisher)
        let id = try await site.article("First")
        let number = try await site.test.database.publications.current()
        try await site.change(id, "title", to: "Second", .now)
        #expect(!(try await visit.get("/publications/\(number + 1)").holds("Roll back to here")))
        #expect(try await visit.get("/publications/\(number)").holds("Roll back to here"))
        let page = try await visit.get("/publications/\(number)/rollback")
        #expect(page.holds("<del>Second</del>") && page.holds("1 entries change"))
        let done = try await visit.follow(
            try await visit.post("/publications/\(number)/rollback", [("seen", page.seen ?? "")]))
        #expect(done.holds("publication \(number + 2)"))
        #expect(try await site.rows("item", "title") == ["First"])
        let again = try await visit.get("/publications/\(number)/rollback")
        let same = try await visit.follow(
            try await visit.post("/publications/\(number)/rollback", [("seen", again.seen ?? "")]))
        #expect(same.holds("Readers see that already"))
        #expect(try await visit.get("/publications/99").status == 404)
    }

    @Test("A month begins on its weekday and has its length, leap years too")
    func calendar() throws {
        func shape(_ month: String) throws -> [Int] {
            let calendar = try ReleaseCalendar(month: month, scheduled: [], today: "2026-11-20")
            let days = calendar.weeks.flatMap(\.days)
            return [
                days.firstIndex { $0.number == 1 } ?? -1, days.compactMap(\.number).max() ?? 0, calendar.weeks.count,
            ]
        }
        #expect(try shape("2026-11") == [6, 30, 6])
        #expect(try shape("2024-02") == [3, 29, 5])
        #expect(try shape("2100-02") == [0, 28, 4])
        #expect(try shape("2000-02") == [1, 29, 5])
        #expect(try shape("2027-01") == [4, 31, 5])
        let november = try ReleaseCalendar(month: nil, scheduled: [], today: "2026-11-20")
        #expect(november.previous == "2026-10" && november.next == "2026-12" && november.name == "November 2026")
        #expect(november.weeks.flatMap(\.days).filter(\.isToday).map(\.number) == [20])
        #expect(throws: Failure.self) { try ReleaseCalendar(month: "2026-1x", scheduled: [], today: "2026-11-20") }
    }
}

extension BrowserPage {
    /// The plan that a form of this page sends back.
    fileprivate var seen: String? {
        html.firstRange(of: "name=\"seen\" value=\"").map { String(html[$0.upperBound...].prefix { $0 != "\"" }) }
    }
}
