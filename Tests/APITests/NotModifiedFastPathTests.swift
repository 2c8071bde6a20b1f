// Tests that a 304 of the fast path equals that of the full path, and that nothing else takes the fast path.
import API
import Domain
import HTTP
import Operations
import Store
import TestBasics
import TestSupport
import Testing

@Suite("Fast path for 304", .databases)
struct NotModifiedFastPathTests {
    private let target: String
    private let api: APIFixture
    private let guest: APIFixture.Client
    private let tag: String

    init() async throws {
        api = try await APIFixture.make(trust: .seconds(60)) { $0.origins = ["https://app.example"] }
        guest = try await api.client([.readGuest])
        let item = try await api.publish(
            "article", "One", ["body": "<p>x</p>", "categories": ids([SeedEntry.unsorted])])
        target = "/v1/items/\(item)"
        tag = try #require(try await api.get(target, as: guest)["ETag"])
    }

    private func atOnce(
        _ target: String, _ client: APIFixture.Client?, _ condition: String?, method: String = "GET"
    ) throws -> Response? {
        let headers = condition.map { [("If-None-Match", $0), ("Origin", "https://app.example")] } ?? []
        return api.site.fastPath(try api.request(method, target, as: client, headers: headers))
    }

    @Test("R34: its response equals that of the full path, for GET and HEAD, one tag and several")
    func same() async throws {
        for (method, condition) in [("GET", tag), ("HEAD", tag), ("GET", "\"x\", W/\(tag)")] {
            let response = try #require(try atOnce(target, guest, condition, method: method))
            let whole = try await api.send(
                method, target, as: guest,
                headers: [("If-None-Match", condition), ("Origin", "https://app.example")])
            #expect(response.status == 304 && whole.status == 304)
            #expect(response.headers == whole.response.headers)
            #expect(response.headers["ETag"] == (condition == tag ? tag : "W/" + tag), "the tag of the copy")
            #expect(response.headers["Vary"] != nil)
            #expect(response.headers["Access-Control-Allow-Origin"] == "https://app.example")
        }
    }

    @Test("R34: no condition, *, another tag, another view, an unknown URL or parameter take the full path")
    func others() async throws {
        let feed = try #require(try await api.get("/v1/discover", as: guest)["ETag"])
        for (target, condition) in [
            (target, nil), (target, "*"), (target, "\"x\""), (target, ""), (target + "?view=preview", tag),
            (target + "?view=full", tag), (target + "?never=1", tag), ("/v1/never", tag), ("/v1/queue", tag),
            // A promotion may have started since.
            ("/v1/promotions", feed),
        ] as [(String, String?)] {
            #expect(try atOnce(target, guest, condition) == nil, "\(target) \(condition ?? "none")")
        }
        #expect(try atOnce(target, guest, tag, method: "POST") == nil)
        #expect(try atOnce(target, nil, tag) == nil)
    }

    @Test("S42, S47: unknown clients, those without read access and those with a limit take the full path")
    func clients() async throws {
        let fresh = try await api.client([.readGuest])
        #expect(try atOnce(target, fresh, tag) == nil)
        #expect(try await api.get(target, as: fresh, [("If-None-Match", tag)]).status == 304)
        #expect(try atOnce(target, fresh, tag)?.status == 304)

        let portal = try await api.client([.submit])
        #expect(try await api.get(target, as: portal, [("If-None-Match", tag)]).status == 403)
        #expect(try atOnce(target, portal, tag) == nil)

        let limited = try await api.client([.readGuest])
        try await api.test.services.manageClient.setLimit(
            limited.id, perMinute: 3, by: TestDatabase.administrator)
        #expect(try await api.get(target, as: limited, [("If-None-Match", tag)])["RateLimit"] != nil)
        #expect(try atOnce(target, limited, tag) == nil)

        let (distrusting, asked) = try await APIFixture.serving([.readGuest], trust: .zero)
        let list = try #require(try await distrusting.get("/v1/items", as: asked)["ETag"])
        let request = try distrusting.request("GET", "/v1/items", as: asked, headers: [("If-None-Match", list)])
        #expect(distrusting.site.fastPath(request) == nil)
    }

    @Test("R34: after a publication the previous tag never matches again")
    func published() async throws {
        _ = try await api.publish("article", "Two", ["body": "<p>y</p>", "categories": ids([SeedEntry.unsorted])])
        try await until("the publication is known") { try atOnce(target, guest, tag) == nil }
        let renewed = try #require(try await api.get(target, as: guest)["ETag"])
        #expect(renewed != tag)
        #expect(try atOnce(target, guest, tag) == nil)
        #expect(try atOnce(target, guest, renewed)?.status == 304)
    }
}
