// Walks the pages of routes: the list, one route with its drawing and reasons, and other settings tried out.
import Domain
import Store
import TestSupport
import Testing

@Suite("The pages of routes", .databases)
struct RoutePagesTests {
    private static let path: JSONValue = .array([
        .array([.double(50), .int(10), .int(5)]), .array([.double(50.01), .double(10.01), .int(14)]),
    ])

    @Test("C13, C18: a curator sees what is live, its drawing without a script, its samples and why badges are unknown")
    func show() async throws {
        let site = try await EditorSite.make()
        let visit = try await site.visitor(.curator)
        #expect(try await visit.get("/routes").holds("No route is live."))
        let route = try await site.make("route", ["title": "Up & <down>", "path": Self.path, "city": "London"])
        let list = try await visit.get("/routes")
        #expect(list.holds("Up &amp; &lt;down&gt;") && list.holds("+9 m") && list.holds("heart: unknown"))
        #expect(!list.holds("Try other settings"))
        let page = try await visit.get("/routes/\(route)")
        #expect(page.status == 200)
        #expect(page.holds("<polyline class=\"way\" points=\"12.0,"))
        #expect(page.holds("from 5.0 m to 14.0 m") && page.holds("Nothing is recorded of this city"))
        #expect(
            page.html.split(separator: "<script").count == 2 && !page.holds("style="), "the one that all pages have")
        #expect(page.html.split(separator: "none within 1 km").count == 4)
        let draft = try await site.make("route", ["title": "Draft", "path": Self.path], nil)
        #expect(try await visit.get("/routes/\(draft)").holds("not live"))
        let article = try await site.article()
        #expect(try await visit.get("/routes/\(article)").status == 404)
    }

    @Test("C19: an editor tries a number out; what makes no sense is said at its field, as typed")
    func trial() async throws {
        let site = try await EditorSite.make()
        _ = try await site.make("route", ["title": "Line", "path": Self.path, "city": "London"])
        let visit = try await site.visitor(.editor)
        let settings = try await visit.get("/routes/simulate")
        #expect(settings.holds("Now 0.5.") && settings.holds("Miles between samples of air quality</label>"))
        #expect(settings.holds("A route is looked at every so many miles."))
        #expect(!settings.holds("\">routes."))
        let tried = try await visit.get("/routes/simulate?routes.sample_miles=0.25")
        #expect(tried.status == 200 && tried.holds("What would change for readers"))
        #expect(tried.holds("0 new, 2 changed, 0 gone") && tried.holds("value=\"0.25\""))
        let same = try await visit.get("/routes/simulate?routes.sample_miles=0.5")
        #expect(same.holds("No row changes."))
        let wrong = try await visit.get("/routes/simulate?routes.sample_miles=often&routes.multiplier.heart=1.25")
        #expect(wrong.status == 422 && wrong.holds("value=\"often\"") && wrong.holds("write a number"))
        let refused = try await visit.get("/routes/simulate?routes.multiplier.heart=1")
        #expect(refused.status == 422 && refused.holds("More than 1."))
        let curator = try await site.visitor(.curator)
        #expect(try await curator.get("/routes/simulate").status == 403)
    }

    @Test("C13: the form of a route shows its points one on each line, and keeps what was typed wrong")
    func form() async throws {
        let site = try await EditorSite.make()
        let visit = try await site.visitor(.editor)
        let route = try await site.make("route", ["title": "Line", "path": Self.path])
        #expect(try await visit.get("/entries/\(route)/revisions").holds("50 10 5\n50.01 10.01 14"))
        let wrong = try await visit.post(
            "/entries/\(route)/revisions",
            [("base", "1"), ("field.title", "Line"), ("field.path", "50 10 5\nsomewhere else"), ("action", "save")])
        #expect(wrong.status == 422 && wrong.holds("somewhere else"))
    }
}
