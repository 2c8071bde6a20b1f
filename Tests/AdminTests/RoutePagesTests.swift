// Tests the route pages: the list, a route with its drawings and badges, and simulated settings.
import Domain
import Store
import TestSupport
import Testing

@Suite("Route pages", .databases, .packs(.routes))
struct RoutePagesTests {
    private static let path: JSONValue = .array([
        .array([.double(50), .int(10), .int(5)]), .array([.double(50.01), .double(10.01), .int(14)]),
    ])

    @Test("C13, C18: a curator sees published routes, drawings without a script, samples and why badges are unknown")
    func show() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .curator)
        #expect(try await visit.get("/routes").holds("No published routes."))
        let route = try await site.create("route", ["title": "Up & <down>", "path": Self.path, "city": "London"])
        let list = try await visit.get("/routes")
        #expect(list.holds("Up &amp; &lt;down&gt;") && list.holds("+9 m") && list.holds("heart: unknown"))
        #expect(!list.holds("Simulate settings"))
        let page = try await visit.get("/routes/\(route)")
        #expect(page.status == 200)
        #expect(page.holds("<polyline class=\"track\" points=\"12.0,"))
        #expect(page.holds("from 5.0 m to 14.0 m") && page.holds("No observations in this city"))
        #expect(
            page.html.split(separator: "<script").count == 2 && !page.holds("style="), "only the script of the layout")
        #expect(page.html.split(separator: "None within 1 km").count == 4)
        let draft = try await site.create("route", ["title": "Draft", "path": Self.path], .draft)
        #expect(try await visit.get("/routes/\(draft)").holds("Not published"))
        let article = try await site.article()
        #expect(try await visit.get("/routes/\(article)").status == 404)
    }

    @Test("C19: an editor simulates a setting; errors are shown at their fields with the input")
    func simulation() async throws {
        let site = try await AdminFixture.make()
        _ = try await site.create("route", ["title": "Line", "path": Self.path, "city": "London"])
        let visit = try await site.browser(.editor)
        let settings = try await visit.get("/routes/simulate")
        #expect(
            settings.holds("Current value: 0.5.")
                && settings.holds("Distance between air quality samples (miles)</label>"))
        #expect(settings.holds("Each route is sampled at this distance."))
        #expect(!settings.holds("\">routes."))
        let simulated = try await visit.get("/routes/simulate?routes.sample_miles=0.25")
        #expect(simulated.status == 200 && simulated.holds("<h2 id=\"rows\">Changes</h2>"))
        #expect(simulated.holds("0 new, 2 changed, 0 deleted") && simulated.holds("value=\"0.25\""))
        let same = try await visit.get("/routes/simulate?routes.sample_miles=0.5")
        #expect(same.holds("Nothing changes for readers."))
        let wrong = try await visit.get("/routes/simulate?routes.sample_miles=often&routes.multiplier.heart=1.25")
        #expect(wrong.status == 422 && wrong.holds("value=\"often\"") && wrong.holds("Enter a number"))
        let refused = try await visit.get("/routes/simulate?routes.multiplier.heart=1")
        #expect(refused.status == 422 && refused.holds("Enter a number greater than 1."))
        let curator = try await site.browser(.curator)
        #expect(try await curator.get("/routes/simulate").status == 403)
    }

    @Test("C13: the form of a route shows one point per line, and keeps invalid input")
    func form() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .editor)
        let route = try await site.create("route", ["title": "Line", "path": Self.path])
        #expect(try await visit.get("/entries/\(route)/revisions").holds("50 10 5\n50.01 10.01 14"))
        let wrong = try await visit.post(
            "/entries/\(route)/revisions",
            [("base", "1"), ("field.title", "Line"), ("field.path", "50 10 5\nsomewhere else"), ("action", "save")])
        #expect(wrong.status == 422 && wrong.holds("somewhere else"))
    }
}
