// Tests the permissions of the editors' endpoints: every role at every endpoint.
@testable import Admin
import Domain
import Foundation
import Store
import TestSupport
import Testing

@Suite("Roles at the editors' endpoints", .databases)
struct EntryEndpointsTests {
    /// The lowest role of each endpoint, maintained by hand independently of the code.
    private static let lowest: [String: Role] = [
        "GET /entries": .curator, "GET /entries/new": .curator, "POST /entries": .curator,
        "GET /entries/{id}": .curator,
        "GET /entries/{id}/revisions": .curator, "POST /entries/{id}/revisions": .curator,
        "GET /entries/{id}/history": .curator, "GET /entries/{id}/history/{a}/{b}": .curator,
        "GET /entries/{id}/restore": .curator, "POST /entries/{id}/restore": .curator,
        "POST /entries/{id}/notes": .curator, "POST /entries/{id}/approve": .editor,
        "POST /entries/{id}/verify-stream": .editor,
        "POST /entries/{id}/publish": .publisher, "GET /entries/{id}/unpublish": .publisher,
        "POST /entries/{id}/unpublish": .publisher, "GET /feeds": .curator,
        "GET /feeds/{id}/order": .curator, "POST /feeds/{id}/order": .curator, "GET /catalog": .curator,
        "POST /catalog": .publisher, "GET /catalog/{id}": .curator, "POST /catalog/{id}": .publisher,
        "GET /categories": .curator,
        "POST /categories": .editor, "POST /categories/{id}/name": .curator,
        "POST /categories/move": .curator, "POST /categories/{id}/group": .curator,
        "POST /categories/{id}/unmerge": .curator, "GET /categories/{id}/merge": .curator,
        "POST /categories/{id}/merge": .curator, "GET /categories/{id}/archive": .editor,
        "POST /categories/{id}/archive": .editor,
        "GET /entries/choices": .curator, "POST /entries/preview": .curator,
        "GET /schedule": .curator, "GET /tasks": .curator, "POST /tasks/{id}/retry": .publisher,
        "POST /tasks/retry": .publisher,
        "GET /publications": .curator, "GET /publications/plan": .curator, "POST /publications": .publisher,
        "GET /publications/{number}": .curator, "GET /publications/{number}/rollback": .publisher,
        "POST /publications/{number}/rollback": .publisher,
        "GET /releases": .curator, "POST /releases": .editor, "GET /releases/{number}": .curator,
        "POST /releases/{number}/items": .editor, "POST /entries/{id}/release": .editor,
        "POST /releases/{number}/items/{id}/delete": .editor, "GET /releases/{number}/items/{id}": .curator,
        "POST /releases/{number}/publish": .publisher, "POST /releases/{number}/schedule": .publisher,
        "GET /releases/{number}/schedule": .publisher, "POST /releases/{number}/schedule/undo": .publisher,
        "POST /releases/{number}/cancel": .publisher, "POST /releases/{number}/move": .editor,
        "POST /releases/{number}/duplicate": .editor,
        "GET /webhooks": .administrator, "POST /webhooks": .administrator, "GET /webhooks/{id}": .administrator,
        "POST /webhooks/{id}/pause": .administrator, "POST /webhooks/{id}/resume": .administrator,
        "POST /webhooks/{id}/rotate": .administrator, "POST /webhooks/{id}/test": .administrator,
        "POST /webhooks/{id}/delete": .administrator, "POST /webhooks/{id}/replay": .administrator,
        "GET /webhooks/{id}/deliveries/{delivery}": .administrator,
        "POST /webhooks/{id}/deliveries/{delivery}/replay": .administrator,
        "GET /previews": .curator, "POST /previews": .editor, "POST /previews/{id}/revoke": .editor,
    ]

    private static let segments: Set<String> = [
        "catalog", "categories", "entries", "feeds", "previews", "publications", "releases", "schedule", "tasks",
        "webhooks",
    ]

    private static var endpoints: [AdminEndpoint] { AdminSite.endpoints(below: segments) }

    @Test("docs/reference/admin.md lists every endpoint; vitrine dev admin-endpoints prints it")
    func reference() throws {
        let page = try String(contentsOfFile: TestDatabase.packageRoot + "/docs/reference/admin.md", encoding: .utf8)
        #expect(page == AdminSite.reference(TestDatabase.allPacks))
        #expect(page.contains("| POST | `/releases/{number}/publish` | `publish` | Publisher |"))
    }

    @Test("S15: every endpoint has a row")
    func rows() {
        let endpoints = AdminSite.endpoints(below: Self.segments, of: TestDatabase.allPacks)
        #expect(Set(endpoints.map { "\($0.method) \($0.pattern)" }) == Set(Self.lowest.keys))
        #expect(endpoints.count == Self.lowest.count)
    }

    @Test("S15: roles below the lowest one are refused, all others are accepted", arguments: Role.presets)
    func matrix(role: Role) async throws {
        let (site, visit) = try await AdminFixture.visited(by: role)
        let id = try await site.article()
        for endpoint in Self.endpoints {
            let name = "\(endpoint.method) \(endpoint.pattern)"
            let page = try await send(visit, endpoint, id)
            if !role.includes(Self.lowest[name, default: .administrator]) {
                #expect(page.status == 403, "\(name)")
            } else {
                // Empty forms are invalid, but not forbidden.
                #expect(page.status != 403 && page.status < 500, "\(name)")
            }
        }
    }

    @Test("S15: without a session nothing is shown or changed")
    func anonymous() async throws {
        let (site, visit) = try await AdminFixture.visited(by: nil)
        let id = try await site.article()
        for endpoint in Self.endpoints {
            let page = try await send(visit, endpoint, id)
            #expect(page.status == 303 && page.location?.hasPrefix("/login?next=") == true, "\(endpoint.pattern)")
        }
        #expect(try await site.rows("item", "title") == ["A walk"])
    }

    @Test("S12: a form without a valid token changes nothing")
    func forgery() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .administrator)
        let id = try await site.article()
        for endpoint in Self.endpoints where endpoint.method == "POST" {
            let page = try await visit.post(path(of: endpoint, id), [("csrf", "wrong"), ("action", "now")])
            #expect(page.status == 403 && page.holds("was sent from another site"), "\(endpoint.pattern)")
        }
        #expect(try await site.rows("item", "title") == ["A walk"])
    }

    private func send(_ visit: Browser, _ endpoint: AdminEndpoint, _ id: ID<Entry>) async throws -> BrowserPage {
        let path = path(of: endpoint, id)
        return endpoint.method == "GET" ? try await visit.get(path) : try await visit.post(path, [])
    }

    private func path(of endpoint: AdminEndpoint, _ id: ID<Entry>) -> String {
        endpoint.pattern.replacing("{id}", with: id.description).replacing("{a}", with: "1").replacing("{b}", with: "1")
            .replacing("{number}", with: "1").replacing("{delivery}", with: id.description)
    }
}
