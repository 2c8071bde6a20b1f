// Tests other origins, a deprecated version, and a process that only delivers.
import Domain
import FoundationEssentials
import TestSupport
import Testing

@testable import API

@Suite("Delivery settings", .databases)
struct DeliveryRulesTests {
    @Test("S23: without a setting no origin is allowed; with one exactly that, and never with cookies")
    func origins() async throws {
        let origin = ("Origin", "https://app.example.org")
        let closed = try await APIFixture.make()
        #expect(try await closed.get("/v1/items", as: nil, [origin])["Access-Control-Allow-Origin"] == nil)

        let api = try await APIFixture.make { $0.origins = ["https://app.example.org"] }
        let guest = try await api.client([.readGuest])
        let reply = try await api.get("/v1/items", as: guest, [origin])
        #expect(reply["Access-Control-Allow-Origin"] == "https://app.example.org")
        #expect(reply["Access-Control-Allow-Credentials"] == nil)
        #expect(reply.response.headers.all("Vary").joined(separator: ",").contains("Origin"))
        // A page must be able to read the reason of the error.
        #expect(try await api.get("/v1/items", as: nil, [origin])["Access-Control-Allow-Origin"] != nil)
        for other in ["https://app.example.org.evil.example", "http://app.example.org", "null"] {
            let reply = try await api.get("/v1/items", as: guest, [("Origin", other)])
            #expect(reply["Access-Control-Allow-Origin"] == nil, "\(other)")
        }
        let preflight = try await api.send(
            "OPTIONS", "/v1/items", as: nil,
            headers: [
                origin, ("Access-Control-Request-Method", "GET"), ("Access-Control-Request-Headers", "authorization"),
            ])
        #expect(preflight.status == 204)
        #expect(preflight["Access-Control-Allow-Methods"]?.contains("GET") == true)
        #expect(preflight["Access-Control-Allow-Headers"]?.contains("Authorization") == true)
        #expect(preflight["Access-Control-Allow-Headers"]?.contains("Vitrine-Publication") == true)
        #expect(reply["Access-Control-Expose-Headers"]?.contains("Vitrine-Publication") == true)
    }

    @Test("A deprecated version says so in every response: Deprecation, Sunset and a link to its successor")
    func deprecation() async throws {
        let api = try await APIFixture.make {
            $0.deprecated = Date(timeIntervalSince1970: 1_800_000_000)
            $0.sunset = Date(timeIntervalSince1970: 1_830_000_000)
            $0.successor = "https://www.example.org/v2"
        }
        for target in ["/v1/items", "/openapi.json", "/v1/nowhere"] {
            let reply = try await api.get(target, as: nil)
            #expect(reply["Deprecation"] == "@1800000000")
            #expect(reply["Sunset"] == "Tue, 28 Dec 2027 13:20:00 GMT")
            #expect(reply["Link"] == "<https://www.example.org/v2>; rel=\"deprecation\"; type=\"text/html\"")
        }
        let young = try await APIFixture.make()
        #expect(try await young.get("/v1/items", as: nil)["Deprecation"] == nil)
    }

    @Test("A delivery-only process has the read endpoints and no others, and its description says so")
    func onlyDelivers() async throws {
        let api = try await APIFixture.make(onlyDelivers: true)
        let client = try await api.client(Scope.allCases)
        #expect(try await api.get("/v1/items", as: client).status == 200)
        #expect(try await api.post("/v1/submissions", "{}", as: client).status == 404)
        #expect(try await api.get("/v1/queue", as: client).status == 404)
        let paths = try await api.get("/openapi.json", as: nil).json["paths"]?.objectValue ?? [:]
        #expect(paths["/v1/items"] != nil)
        #expect(paths["/v1/submissions"] == nil)
    }
}
