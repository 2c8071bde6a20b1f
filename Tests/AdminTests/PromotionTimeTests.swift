// Tests that promotions are moved in the schedule: confirmed with both times, published or saved as a draft, and undone.
import Domain
import Operations
import Places
import Store
import TestSupport
import Testing

@testable import Admin

@Suite("Moved promotions", .databases, .packs(.places))
struct PromotionTimeTests {
    private struct World {
        let site: AdminFixture
        let id: ID<Entry>

        static func make(_ timing: PublishTiming = .now) async throws -> World {
            let site = try await AdminFixture.make()
            let point: JSONValue = .object(["lat": .int(53), "lon": .int(0)])
            let city = try await site.create("city", ["title": "Hull", "center": point], .now)
            let place = try await site.create(
                "place",
                [
                    "title": "Anchor", "city": .entry(city), "address": "1 Quay", "point": point,
                    "image": "https://images.example/a.jpg", "categories": .entries([SeedEntry.unsorted]),
                ], .now)
            let id = try await site.create(
                "promotion",
                [
                    "title": "Two for one", "place": .entry(place), "starts_at": "2099-01-05T10:00:00Z",
                    "ends_at": "2099-01-07T18:00:00Z",
                ], timing)
            return World(site: site, id: id)
        }

        func times() async throws -> [String] {
            let newest = try #require(try await site.test.database.revisions.newest(of: id))
            let times = MovePromotion.Times(of: newest)
            return [times.starts, times.ends, "\(newest.number)", newest.isLive ? "live" : "draft"]
        }

        var url: String { "/promotions/\(id)/schedule" }
    }

    @Test("A start that is moved takes the end along; both times are confirmed, written, published and undone")
    func move() async throws {
        let world = try await World.make()
        let visit = try await world.site.browser(.publisher)
        let calendar = try await visit.get("/schedule?week=2099-01-05")
        #expect(calendar.holds("data-move=\"local\"") && calendar.holds("data-from=\"2099-01-05T10:00\""))
        let page = try await visit.get("\(world.url)?local=2099-01-08T12:30")
        #expect(page.says("2099-01-05 10:00 to 2099-01-07 18:00"))
        let proposed = try page.form("Move promotion")
        #expect(proposed.value("starts") == "2099-01-08T12:30" && proposed.value("ends") == "2099-01-10T20:30")
        #expect(page.says("Readers see the new times within seconds."))
        let form = try page.form("Move promotion")
        let moved = try await visit.press("Move promotion", in: form)
        #expect(moved.says("The promotion lasts from 2099-01-08 12:30 to 2099-01-10 20:30 UTC."))
        #expect(try await world.times() == ["2099-01-08T12:30:00Z", "2099-01-10T20:30:00Z", "2", "live"])
        let undone = try await visit.press("Undo", in: try moved.form("Undo"))
        #expect(undone.says("The promotion lasts from 2099-01-05 10:00 to 2099-01-07 18:00 UTC."))
        #expect(try await world.times() == ["2099-01-05T10:00:00Z", "2099-01-07T18:00:00Z", "3", "live"])
        // A page that is older than the newest version changes nothing.
        let stale = try await visit.press("Move promotion", in: form)
        #expect(stale.status == 409 && stale.says("saved version 3 meanwhile. Check the times and move it again."))
        #expect(try await world.times()[2] == "3")
        // Its form is on top of the newest version, and has the times of the page before.
        let again = try await visit.press("Move promotion", in: try stale.form("Move promotion"))
        #expect(again.says("The promotion lasts from 2099-01-08 12:30 to 2099-01-10 20:30 UTC."))
        // An undo that comes too late proposes what it would have restored.
        let late = try await visit.press("Undo", in: try moved.form("Undo"))
        #expect(late.status == 409)
        #expect(try late.form("Move promotion").value("starts") == "2099-01-05T10:00")
        #expect(try late.link("Cancel") == "/schedule?week=2099-01-08")
    }

    @Test("One edge is moved alone, in the person's zone; an end before the start is refused at its field")
    func edges() async throws {
        let world = try await World.make()
        let visit = try await world.site.browser(.publisher)
        let page = try await visit.get("\(world.url)?ends=2099-01-09T18:00&zone=Europe/Berlin")
        #expect(page.says("2099-01-05 11:00 to 2099-01-07 19:00"))
        let proposed = try page.form("Move promotion")
        #expect(proposed.value("starts") == "2099-01-05T11:00" && proposed.value("ends") == "2099-01-09T18:00")
        _ = try await visit.press("Move promotion", in: try page.form("Move promotion"))
        let times = try await world.times()
        #expect(times.prefix(2) == ["2099-01-05T11:00:00+01:00", "2099-01-09T18:00:00+01:00"])
        let before = try await visit.get("\(world.url)?ends=2099-01-01T18:00")
        let refused = try await visit.press("Move promotion", in: try before.form("Move promotion"))
        #expect(refused.status == 422 && refused.links.contains { $0.url == "#ends" })
        #expect(refused.holds("aria-describedby=\"ends-error\""))
        #expect(try await world.times() == times)
    }

    @Test("Who may not publish moves it in a draft, and so is a draft moved", arguments: [Role.curator, .publisher])
    func draft(role: Role) async throws {
        let world = try await World.make(role == .curator ? .now : .draft)
        let visit = try await world.site.browser(role)
        let page = try await visit.get("\(world.url)?local=2099-01-06T10:00")
        #expect(page.says("The new times are saved as a draft, until someone publishes them."))
        let moved = try await visit.press("Move promotion", in: try page.form("Move promotion"))
        #expect(moved.says("Draft saved: the promotion lasts from 2099-01-06 10:00 to 2099-01-08 18:00 UTC."))
        #expect(try await world.times() == ["2099-01-06T10:00:00Z", "2099-01-08T18:00:00Z", "2", "draft"])
    }
}
