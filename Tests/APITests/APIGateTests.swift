// Tests who has access to the API, and how others are refused.
import API
import Domain
import HTTP
import Operations
import Platform
import Store
import TestBasics
import TestSupport
import Testing

@Suite("Credentials and scopes", .databases)
struct APIGateTests {
    @Test(
        "A11, S42: missing, malformed and wrong credentials are 401 with a challenge and a JSON body",
        arguments: [
            nil, "", "Basic", "Basic ", "Basic !!!", "Bearer abc", "Basic YWJj", "Basic YTpi", "Basic YTpiCg",
            "Basic MDE5M2IyYTAtMDAwMC03MDAwLTgwMDAtMDAwMDAwMDAwMDAwOng=",
        ])
    func refused(header: String?) async throws {
        let api = try await APIFixture.make()
        let reply = try await api.get("/v1/items", as: nil, header.map { [("Authorization", $0)] } ?? [])
        #expect(reply.status == 401)
        #expect(reply["WWW-Authenticate"] == #"Basic realm="vitrine", charset="UTF-8""#)
        #expect(reply["Content-Type"] == "application/problem+json")
        #expect(reply.code == "unauthorized")
    }

    @Test("A11: a wrong secret, another client's secret and a revoked client are rejected")
    func wrongSecrets() async throws {
        let (api, one) = try await APIFixture.serving([.readGuest])
        let two = try await api.client([.readGuest])
        #expect(try await api.get("/v1/items", as: one).status == 200)
        let mixed = APIFixture.Client(id: one.id, secret: two.secret)
        #expect(try await api.get("/v1/items", as: mixed).status == 401)
        #expect(try await api.get("/v1/items", as: APIFixture.Client(id: one.id, secret: "")).status == 401)
        let random = APIFixture.Client(id: one.id, secret: Token.make().text)
        #expect(try await api.get("/v1/items", as: random).status == 401)
        try await api.revoke(one)
        #expect(try await api.get("/v1/items", as: one).status == 401)
        #expect(try await api.get("/v1/items", as: two).status == 200)
    }

    @Test("A11: after a rotation the client signs in with the same id and the new secret only")
    func renewed() async throws {
        let (api, client) = try await APIFixture.serving([.readGuest])
        let manage = api.test.services.manageClient
        let secret = try await manage.rotate(client.id, by: TestDatabase.administrator)
        #expect(try await api.get("/v1/items", as: client).status == 401)
        let renewed = APIFixture.Client(id: client.id, secret: secret.text)
        #expect(try await api.get("/v1/items", as: renewed).status == 200)
        try await api.revoke(renewed)
        await #expect(throws: Failure.self) {
            try await manage.rotate(client.id, by: TestDatabase.administrator)
        }
        await #expect(throws: Failure.self) {
            try await manage.rotate(client.id, by: try await api.test.actor(.publisher))
        }
    }

    @Test("A11: with an overlap the previous secret is valid beside the new one, until but excluding its end")
    func overlap() async throws {
        let (api, client) = try await APIFixture.serving([.readGuest])
        let manage = api.test.services.manageClient
        let secret = try await manage.rotate(client.id, overlapHours: 24, by: TestDatabase.administrator)
        let renewed = APIFixture.Client(id: client.id, secret: secret.text)
        for credentials in [client, renewed] {
            #expect(try await api.get("/v1/items", as: credentials).status == 200)
        }
        let third = try await manage.rotate(client.id, overlapHours: 1, by: TestDatabase.administrator)
        #expect(try await api.get("/v1/items", as: client).status == 401, "one before does not go on")
        #expect(try await api.get("/v1/items", as: renewed).status == 200)
        // `>` and not `>=`: at its end it has expired.
        let isOver: Bool = try await api.test.client.transaction { transaction in
            try await transaction.execute("set local session_replication_role = replica")
            try await transaction.execute("update delivery.client set old_secret_until = now()")
            return try await transaction.one(
                "select case when old_secret_until > now() then old_secret_until end is null as b from delivery.client where old_secret_until is not null"
            )("b")
        }
        #expect(isOver)
        #expect(try await api.get("/v1/items", as: renewed).status == 401)
        #expect(try await api.get("/v1/items", as: APIFixture.Client(id: client.id, secret: third.text)).status == 200)
        _ = try await manage.rotate(client.id, overlapHours: 1, by: TestDatabase.administrator)
        try await manage.revokeOldSecret(client.id, by: TestDatabase.administrator)
        #expect(try await api.get("/v1/items", as: APIFixture.Client(id: client.id, secret: third.text)).status == 401)
        for hours in [-1, 745] {
            await #expect(throws: Failure.self) {
                try await manage.rotate(client.id, overlapHours: hours, by: TestDatabase.administrator)
            }
        }
    }

    @Test("S47: every response states the client's own limit; a request beyond it is 429; other clients are unaffected")
    func ownLimit() async throws {
        let (api, client) = try await APIFixture.serving([.readGuest])
        let other = try await api.client([.readGuest])
        let manage = api.test.services.manageClient
        for limit in [0, 1_000_001] {
            await #expect(throws: Failure.self) {
                try await manage.setLimit(client.id, perMinute: limit, by: TestDatabase.administrator)
            }
        }
        try await manage.setLimit(client.id, perMinute: 3, by: TestDatabase.administrator)
        for (left, address, status) in [
            (2, "/v1/items", 200), (1, "/v1/items/none-of-that", 404), (0, "/v1/items", 200),
        ] {
            let reply = try await api.get(address, as: client)
            #expect(reply.status == status)
            #expect(reply["RateLimit-Policy"] == "\"client\";q=3;w=60")
            #expect(reply["RateLimit"]?.hasPrefix("\"client\";r=\(left);t=") == true, "\(reply["RateLimit"] ?? "none")")
        }
        let reply = try await api.get("/v1/items", as: client)
        #expect(reply.status == 429 && reply.code == "rate_limited")
        #expect(reply["RateLimit"]?.hasPrefix("\"client\";r=0;t=") == true)
        #expect(reply["Retry-After"].flatMap { Int($0) }.map { (1...60).contains($0) } == true)
        let unlimited = try await api.get("/v1/items", as: other)
        #expect(unlimited.status == 200 && unlimited["RateLimit"] == nil && unlimited["RateLimit-Policy"] == nil)
        try await manage.setLimit(client.id, perMinute: nil, by: TestDatabase.administrator)
        #expect(try await api.get("/v1/items", as: client).status == 200)
    }

    @Test("A use of a client is recorded once in a few minutes, separately for its previous secret")
    func uses() async throws {
        let (api, client) = try await APIFixture.serving([.readGuest])
        func line() async throws -> ClientLine { try #require(try await api.test.database.clients.line(client.id)) }
        #expect(try await line().usedAt == nil)
        for _ in 1...3 { _ = try await api.get("/v1/items", as: client) }
        let first = try await line().usedAt
        #expect(first != nil)
        try await api.test.database.clients.recordUse(client.id, isOldSecret: false)
        #expect(try await line().usedAt == first, "another daemon notes it no oftener")
        try await api.test.client.execute("update ops.client_use set used_at = now() - interval '301 seconds'")
        try await api.test.database.clients.recordUse(client.id, isOldSecret: false)
        let later = try await line()
        #expect(later.usedAt.map { $0 >= first ?? $0 } == true && later.oldSecretUsedAt == nil)
        _ = try await api.test.services.manageClient.rotate(
            client.id, overlapHours: 1, by: TestDatabase.administrator)
        _ = try await api.get("/v1/items", as: client)
        #expect(try await line().oldSecretUsedAt != nil)
    }

    @Test("A11: a cached client is trusted for its time and no longer: once revoked, it is rejected then")
    func trust() async throws {
        let (api, client) = try await APIFixture.serving([.readGuest], trust: .seconds(5))
        #expect(try await api.get("/v1/items", as: client).status == 200)
        try await api.revoke(client)
        api.clock.advance(by: .milliseconds(4999))
        #expect(try await api.get("/v1/items", as: client).status == 200)
        api.clock.advance(by: .milliseconds(1))
        #expect(try await api.get("/v1/items", as: client).status == 401)
    }

    @Test("S42: after many wrong credentials an IP address must wait; valid ones still work")
    func limited() async throws {
        let (api, client) = try await APIFixture.serving([.readGuest], trust: .seconds(60))
        let wrong = APIFixture.Client(id: client.id, secret: Token.make().text)
        for _ in 1...30 { #expect(try await api.get("/v1/items", as: wrong).status == 401) }
        let reply = try await api.get("/v1/items", as: wrong)
        #expect(reply.status == 429)
        #expect(reply["Retry-After"] != nil)
        #expect(try await api.get("/v1/items", as: client).status == 200)
    }

    @Test("S15: every endpoint accepts exactly the scopes of its row, and nobody without credentials")
    func matrix() async throws {
        let api = try await APIFixture.make(trust: .seconds(60))
        var clients: [Scope: APIFixture.Client] = [:]
        for scope in Scope.allCases { clients[scope] = try await api.client([scope]) }
        let read: Set<Scope> = [.readGuest, .readFull]
        let id = "0193b2a0-0000-7000-8000-000000000000"
        typealias Row = (method: String, target: String, scopes: Set<Scope>)
        let core: [Row] = [
            ("POST", "/v1/submissions", [.submit]), ("GET", "/v1/submissions/\(id)", [.submit, .review]),
            ("POST", "/v1/submissions/\(id)/decision", [.review]), ("GET", "/v1/queue", [.review]),
            ("POST", "/v1/reports", [.report]), ("GET", "/v1/reports/\(id)", [.report]),
            ("GET", "/v1/discover", read), ("GET", "/v1/feeds", read), ("GET", "/v1/feeds/\(id)", read),
            ("GET", "/v1/feeds/\(id)/items", read), ("GET", "/v1/feeds/\(id)/videos", [.readFull]),
            ("GET", "/v1/feeds/\(id)/offline", [.readFull]),
            ("GET", "/v1/items", read), ("GET", "/v1/items/\(id)", read), ("GET", "/v1/videos/\(id)", [.readFull]),
            ("GET", "/v1/categories", read), ("GET", "/v1/categories/\(id)", read),
            ("GET", "/v1/categories/\(id)/feeds", read), ("GET", "/v1/categories/\(id)/items", read),
            ("GET", "/v1/search?q=x", read), ("GET", "/v1/changes", read),
            ("GET", "/v1/events", read), ("GET", "/v1/publication", read),
            ("GET", "/v1/resolve?id=\(id)", read),
            ("GET", "/v1/texts", read), ("GET", "/v1/texts/site.about", read), ("GET", "/v1/settings", read),
            ("GET", "/v1/settings/requires_login", read), ("GET", "/v1/onboarding/onboarding.main", read),
            ("POST", "/v1/media", [.submit]), ("GET", "/v1/media", [.readFull]),
            ("GET", "/v1/media/\(id)", [.readFull]),
            ("GET", "/v1/tables/item", read),
            ("GET", "/v1/feeds/\(id)/syndication", read), ("GET", "/v1/categories/\(id)/syndication", read),
        ]
        let lists: [Row] = [
            ("GET", "/v1/lists", read), ("GET", "/v1/lists/\(id)", read), ("GET", "/v1/lists/\(id)/items", read),
            ("GET", "/v1/lists/\(id)/text", read), ("GET", "/v1/catalog/movie", read),
            ("GET", "/v1/catalog/movie/\(id)", read),
        ]
        let routes: [Row] = [
            ("GET", "/v1/routes", read), ("GET", "/v1/routes/\(id)", read), ("GET", "/v1/badges", read),
        ]
        let places: [Row] = [
            ("GET", "/v1/cities", read), ("GET", "/v1/cities/\(id)", read),
            ("GET", "/v1/cities/\(id)/categories", read),
            ("GET", "/v1/places?lat=1&lon=1", read), ("GET", "/v1/places/\(id)", read),
            ("GET", "/v1/places/\(id)/reviews", read), ("GET", "/v1/reviews/\(id)", read),
            ("GET", "/v1/promotions", read), ("GET", "/v1/promotions/\(id)", read),
        ]
        let rows =
            core + TestPack.places.ifEnabled(places) + TestPack.routes.ifEnabled(routes)
            + TestPack.lists.ifEnabled(lists)
        for row in rows {
            #expect(try await api.send(row.method, row.target, as: nil).status == 401)
            for (scope, client) in clients {
                let status = try await api.send(row.method, row.target, as: client).status
                #expect(
                    (status == 403) == !row.scopes.contains(scope), "\(row.method) \(row.target) as \(scope): \(status)"
                )
                #expect(status != 401 && status < 500)
            }
        }
        // A new endpoint needs a row here: the document is generated from the endpoint table.
        let document = try await api.get("/openapi.json", as: nil).json["paths"]?.objectValue ?? [:]
        let operations = document.values.reduce(0) { $0 + ($1.objectValue?.count ?? 0) }
        // Without credentials: six URLs for feed readers, and the API's description of itself.
        #expect(operations == rows.count + 9)
    }

    @Test(
        "A12, S24, S25, S31: every error is a JSON document with its request id and no internals",
        arguments: [
            ("GET", "/v1/nothing", 404), ("GET", "/v1", 404), ("GET", "/v1/items/", 404), ("DELETE", "/v1/items", 405),
            ("PUT", "/v1/submissions", 405), ("GET", "/problems/nonsense", 404), ("POST", "/v1/queue", 405),
        ])
    func problems(method: String, target: String, status: Int) async throws {
        let api = try await APIFixture.make()
        let reply = try await api.send(method, target, as: try await api.client(Scope.allCases))
        #expect(reply.status == status)
        #expect(reply["Content-Type"] == "application/problem+json")
        #expect(reply["X-Content-Type-Options"] == "nosniff")
        #expect(reply["Referrer-Policy"] == "no-referrer")
        #expect(reply["Server"] == nil)
        #expect((reply["Allow"] != nil) == (status == 405))
        for member in ["type", "title", "status", "detail", "code", "instance"] { #expect(reply.json[member] != nil) }
    }

    @Test("A problem's type is a URL that explains it, and OPTIONS lists the methods")
    func explained() async throws {
        let api = try await APIFixture.make()
        let problem = try await api.get("/v1/nothing", as: nil)
        let type = try #require(problem.json["type"]?.stringValue)
        #expect(type.hasPrefix("https://vitrine.example.org/problems/"))
        let page = try await api.get(type.replacing("https://vitrine.example.org", with: ""), as: nil)
        #expect(page.status == 200)
        #expect(page.json["title"] == problem.json["title"])
        let options = try await api.send("OPTIONS", "/v1/items", as: nil)
        #expect(options.status == 204)
        #expect(options["Allow"] == "GET, HEAD, OPTIONS")
    }

    @Test("B63: on a test server every response says so, on a production server none")
    func environment() async throws {
        let test = try await APIFixture.make(environment: "test")
        let client = try await test.client([.readGuest])
        #expect(try await test.get("/v1/items", as: client)["Environment"] == "test")
        #expect(try await test.get("/v1/items", as: nil)["Environment"] == "test")
        #expect(try await test.get("/openapi.json", as: nil)["Environment"] == "test")
        let production = try await APIFixture.make()
        #expect(try await production.get("/v1/items", as: nil)["Environment"] == nil)
    }
}
