// Tests what a kept response is while its compressed form can't be made.
import Domain
import HTTP
import TestBasics
import TestSupport
import Testing

@testable import API

@Suite("A kept response", .databases)
struct KeptResponseTests {
    @Test("S47: a long one is sent as it is while too much is compressed, and compressed as soon as it can be")
    func busy() async throws {
        let api = try await APIFixture.make()
        let request = try api.request("GET", "/v1/items", as: nil, headers: [("Accept-Encoding", "gzip")])
        let body = [UInt8](repeating: UInt8(ascii: "a"), count: CompressedBodies.maxOnLoop + 1)
        let position = ResponseCache.Position(publication: TaggedNumber(number: 1, tag: "9f3ac1e07b52"), epoch: 0)
        let kept = try #require(
            KeptResponse(
                Response.json(body), to: "/v1/items", .untilChange(["item"]), rowKey: nil, at: position))
        func reply() -> APIReply { APIReply(response: kept.response(to: request, Headers(), "\"tag\"")) }

        let refused = await kept.compress(for: request, CompressedBodies { _, _ in nil })
        #expect(refused == 0 && !kept.isReady(for: request))
        #expect(reply()["Content-Encoding"] == nil && reply()["ETag"] == "\"tag\"")
        #expect(reply().bytes == body)

        let bytes = await kept.compress(for: request, CompressedBodies { _, work in work() })
        #expect(bytes > 0 && bytes < body.count && kept.isReady(for: request))
        #expect(reply()["Content-Encoding"] == "gzip" && reply()["ETag"] == "W/\"tag\"")
        #expect(reply().bytes.count == bytes)
    }
}
