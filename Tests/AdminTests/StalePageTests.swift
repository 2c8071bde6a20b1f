// Tests stale small forms: both versions are shown, either can be kept, and input is never lost.
import Domain
import Operations
import Store
import TestSupport
import Testing

@testable import Admin

@Suite("Stale small forms", .databases)
struct StalePageTests {
    private static let topic = "00000000-0000-7000-8000-000000000011"

    private func category(_ site: AdminFixture, _ title: String, _ position: Int64) async throws -> ID<Entry> {
        try await site.create(
            "category", ["title": .string(title), "group": .string(Self.topic), "position": .int(position)])
    }

    private func title(_ site: AdminFixture, _ id: ID<Entry>) async throws -> String? {
        try await site.test.database.revisions.newest(of: id)?.content.fields["title"]?.stringValue
    }

    @Test("A stale rename is shown next to the other one; sending it again replaces that")
    func rename() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher)
        let id = try await category(site, "Walks", 10)
        try await site.change(id, "title", to: "Strolls", .now)
        let late = try await visit.post("/categories/\(id)/name", [("was", "Walks"), ("name", "Hikes")])
        #expect(late.status == 409 && late.holds("Changed by"))
        for word in ["Walks", "Strolls", "Hikes"] { #expect(late.holds(word), "\(word)") }
        #expect(try await title(site, id) == "Strolls")
        let done = try await visit.fill(late, "/categories/\(id)/name", [])
        #expect(done.location == "/categories#row-\(id)")
        #expect(try await title(site, id) == "Hikes")
    }

    @Test("A release scheduled by someone else meanwhile keeps its time until the stale one is sent again")
    func time() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher)
        _ = try await visit.post("/releases", [("title", "Spring")])
        let form = "/releases/1/schedule"
        _ = try await visit.post(
            form, [("was", ""), ("local", "2099-05-01T08:00"), ("zone", "Europe/London"), ("action", "at")])
        let late = try await visit.post(
            form, [("was", ""), ("local", "2099-06-01T08:00"), ("zone", "Europe/London"), ("action", "at")])
        #expect(late.status == 409 && late.holds("2099-05-01 08:00 Europe/London") && late.holds("none"))
        #expect(try await site.test.database.releases.find(number: 1)?.wallTime == "2099-05-01 08:00 Europe/London")
        #expect(try await visit.fill(late, form, []).location == "/releases/1")
        #expect(try await site.test.database.releases.find(number: 1)?.wallTime == "2099-06-01 08:00 Europe/London")
        // Who saw the time as it is may take it away.
        let open = try await visit.get("/releases/1")
        _ = try await visit.fill(open, form, [("action", "open")])
        #expect(try await site.test.database.releases.find(number: 1)?.wallTime == "")
    }

    @Test(
        "Input of a refused form, or of a form whose session has ended, is shown for copying; that of a stranger is not"
    )
    func typed() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher)
        let id = try await site.article("A walk")
        let form = "/categories/\(id)/name"
        let refused = try await visit.post("/entries/\(id)/nothing", [("note", "Two hours of work")])
        #expect(refused.status == 404 && refused.holds("Two hours of work"))
        let typed = [("name", "Long words"), ("password", "hush")]
        try await site.test.client.execute("delete from ops.session")
        let out = try await visit.send("POST", form, typed)
        #expect(out.status == 403 && out.html.contains("Long words") && !out.html.contains("hush"))
        #expect(out.html.contains("You were signed out"))
        let stranger = try await site.stranger.send("POST", form, typed)
        #expect(stranger.status == 303 && !stranger.html.contains("Long words"))
    }
}
