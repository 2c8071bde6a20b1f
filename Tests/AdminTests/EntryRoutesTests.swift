// Who may use which of the editors' routes: every role at every one of them.
@testable import Admin
import Domain
import Store
import TestSupport
import Testing

@Suite("Roles at the editors' routes", .databases)
struct EntryRoutesTests {
    /// The least role of each route, written down by hand beside what the code says.
    private static let least: [String: Role] = [
        "GET /entries": .curator, "GET /entries/new": .curator, "POST /entries": .curator,
        "GET /entries/{id}": .curator,
        "GET /entries/{id}/revisions": .curator, "POST /entries/{id}/revisions": .curator,
        "GET /entries/{id}/history": .curator, "GET /entries/{id}/history/{a}/{b}": .curator,
        "POST /entries/{id}/restore": .curator, "POST /entries/{id}/approve": .editor,
        "POST /entries/{id}/verify-stream": .editor,
        "POST /entries/{id}/publish": .publisher, "GET /entries/{id}/unpublish": .publisher,
        "POST /entries/{id}/unpublish": .publisher, "GET /feeds": .curator,
        "GET /feeds/{id}/order": .curator, "POST /feeds/{id}/order": .curator, "GET /catalog": .curator,
        "POST /catalog": .publisher, "GET /catalog/{id}": .curator, "POST /catalog/{id}": .publisher,
        "GET /categories": .curator,
        "POST /categories": .editor, "POST /categories/reorder": .curator, "POST /categories/{id}/name": .curator,
        "POST /categories/move": .curator, "POST /categories/{id}/group": .curator,
        "POST /categories/{id}/unmerge": .curator, "GET /categories/{id}/merge": .curator,
        "POST /categories/{id}/merge": .curator, "GET /categories/{id}/archive": .editor,
        "POST /categories/{id}/archive": .editor,
        "GET /schedule": .curator, "POST /tasks/{id}/retry": .publisher,
        "GET /publications": .curator, "GET /publications/plan": .curator, "POST /publications": .publisher,
        "GET /publications/{number}": .curator, "GET /publications/{number}/rollback": .publisher,
        "POST /publications/{number}/rollback": .publisher,
        "GET /releases": .curator, "POST /releases": .editor, "GET /releases/{number}": .curator,
        "POST /releases/{number}/items": .editor, "POST /entries/{id}/release": .editor,
        "POST /releases/{number}/items/{id}/delete": .editor, "GET /releases/{number}/items/{id}": .curator,
        "POST /releases/{number}/publish": .publisher, "POST /releases/{number}/schedule": .publisher,
        "POST /releases/{number}/cancel": .publisher,
        "GET /webhooks": .administrator, "POST /webhooks": .administrator, "GET /webhooks/{id}": .administrator,
        "POST /webhooks/{id}/pause": .administrator, "POST /webhooks/{id}/resume": .administrator,
        "POST /webhooks/{id}/rotate": .administrator, "POST /webhooks/{id}/test": .administrator,
        "POST /webhooks/{id}/delete": .administrator, "POST /webhooks/{id}/replay": .administrator,
        "GET /webhooks/{id}/deliveries/{message}": .administrator,
        "POST /webhooks/{id}/deliveries/{message}/replay": .administrator,
        "GET /previews": .curator, "POST /previews": .editor, "POST /previews/{id}/revoke": .editor,
    ]

    private static var routes: [AdminEndpoint] {
        EntryPages.routes + FeedPages.routes + CategoryPages.routes + ReleasePages.routes + SchedulePages.routes
            + PreviewPages.routes.filter { !$0.pattern.hasPrefix("/preview/") }
            + PublicationPages.routes + WebhookPages.routes + CatalogPages.routes
    }

    @Test("S15: every route has its row")
    func rows() {
        #expect(Set(Self.routes.map { "\($0.method) \($0.pattern)" }) == Set(Self.least.keys))
        #expect(Self.routes.count == Self.least.count)
    }

    @Test("S15: whoever is below the least role is refused, everybody else is let in", arguments: Role.allCases)
    func matrix(role: Role) async throws {
        let site = try await EditorSite.make()
        let visit = try await site.visitor(role)
        let id = try await site.article()
        for route in Self.routes {
            let name = "\(route.method) \(route.pattern)"
            let page = try await ask(visit, route, id)
            if role < Self.least[name, default: .administrator] {
                #expect(page.status == 403, "\(name)")
            } else {
                // Empty forms are refused for what they lack, never for who sent them.
                #expect(page.status != 403 && page.status < 500, "\(name)")
            }
        }
    }

    @Test("S15: nobody sees or does anything without a session")
    func anonymous() async throws {
        let site = try await EditorSite.make()
        let visit = try await site.visitor(nil)
        let id = try await site.article()
        for route in Self.routes {
            let page = try await ask(visit, route, id)
            #expect(page.status == 303 && page.location?.hasPrefix("/login?next=") == true, "\(route.pattern)")
        }
        #expect(try await site.rows("item", "title") == ["A walk"])
    }

    @Test("S12: a form without our token changes nothing")
    func forgery() async throws {
        let site = try await EditorSite.make()
        let visit = try await site.visitor(.administrator)
        let id = try await site.article()
        for route in Self.routes where route.method == "POST" {
            let page = try await visit.post(path(of: route, id), [("csrf", "wrong"), ("action", "now")])
            #expect(page.status == 403 && page.holds("not sent from our page"), "\(route.pattern)")
        }
        #expect(try await site.rows("item", "title") == ["A walk"])
    }

    private func ask(_ visit: EditorVisit, _ route: AdminEndpoint, _ id: ID<Entry>) async throws -> BrowserPage {
        let path = path(of: route, id)
        return route.method == "GET" ? try await visit.get(path) : try await visit.post(path, [])
    }

    private func path(of route: AdminEndpoint, _ id: ID<Entry>) -> String {
        route.pattern.replacing("{id}", with: id.description).replacing("{a}", with: "1").replacing("{b}", with: "1")
            .replacing("{number}", with: "1").replacing("{message}", with: id.description)
    }
}
