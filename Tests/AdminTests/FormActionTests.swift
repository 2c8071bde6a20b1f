// Tests that the URL of a form's action, opened in a browser, leads to the page of the form.
import Domain
import FoundationEssentials
import HTTP
import Platform
import TestSupport
import Testing

@testable import Admin

@Suite("URLs of form actions", .databases)
struct FormActionTests {
    @Test("The URL of a form's action leads a signed-in person to the nearest page above it")
    func nearest() async throws {
        let fixture = try await AdminFixture.make()
        let submission = try await fixture.submit()
        let entry = try await fixture.article()
        let visit = try await fixture.browser(.publisher)
        let (queue, page) = ("/queue/\(submission)", "/entries/\(entry)")
        for (action, target) in [
            ("\(queue)/decision", queue), ("\(queue)/decision?sort=age&risk=high", "\(queue)?sort=age&risk=high"),
            ("\(queue)/notes", queue), ("\(page)/publish", page), ("\(page)/approve", page), ("/saved-views", "/"),
            ("/categories/\(entry)/name", "/categories"), ("/media/descriptions", "/media"), ("/bulk-actions", "/"),
        ] {
            let response = try await visit.get(action)
            #expect(response.status == 303 && response.location == target, "\(action)")
        }
        #expect(try await visit.visit("\(queue)/decision").says("Ten cafés"))
    }

    @Test("Every form of the team leads to a page; forms that have a page of their own show it")
    func all() async throws {
        let visit = try await AdminFixture.make().browser(.administrator)
        let endpoints = AdminSite.endpoints(TestDatabase.packs)
        let pages = Set(endpoints.filter { $0.method == "GET" }.map(\.pattern))
        var led = 0
        for endpoint in endpoints where endpoint.method == "POST" && !pages.contains(endpoint.pattern) {
            guard case .may = endpoint.access else { continue }
            let path = endpoint.pattern.replacing(#/\{\w+\}/#, with: "\(UUIDv7.make())")
            let response = try await visit.get(path)
            #expect(response.status == 303, "\(path)")
            let location = try #require(response.location)
            #expect(location == "/" || path.hasPrefix(location + "/"), "\(path) leads to \(location)")
            led += 1
        }
        #expect(led > 40)
    }

    @Test("Strangers, other methods and forms of people without an account are refused as before")
    func refused() async throws {
        let fixture = try await AdminFixture.make()
        let entry = try await fixture.article()
        let path = "/entries/\(entry)/publish"
        let stranger = try await fixture.stranger.get(path)
        #expect(stranger.status == 405 && stranger.headers["Allow"] == "OPTIONS, POST")
        let visit = try await fixture.browser(.publisher)
        for method in ["PUT", "DELETE"] {
            #expect(try await visit.send(method, path, []).status == 405, "\(method)")
        }
        #expect(try await visit.get("/s/unknown/appeal").location == nil)
        #expect(try await visit.get("/entries/nothing/at/all").status == 404)
    }
}
