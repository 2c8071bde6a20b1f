// Tests that reads of many whole documents take turns, and keep no other read waiting.
import Domain
import Platform
import Store
import TestBasics
import TestSupport
import Testing

@testable import API

@Suite("Large reads", .databases)
struct LargeReadTests {
    @Test("S47: while copies and syndications wait for their turn, other reads and searches are served")
    func lane() async throws {
        let api = try await APIFixture.make(trust: .seconds(60), quotas: Quotas(longestWait: .seconds(600)))
        let client = try await api.client([.readFull])
        let feed = try await api.publish("feed", "City", ["tier": "free"])
        let copies = api.site.context.quotas.copies
        let (first, second) = (await HeldTurn(in: copies), await HeldTurn(in: copies))
        let large = [
            "/v1/tables/item", "/v1/changes?since=0&rows=true", "/v1/feeds/\(feed)/rss", "/v1/feeds/\(feed)/atom",
            "/v1/feeds/\(feed)/json",
        ]
        var replies: [Task<APIReply, any Error>] = []
        for (number, path) in large.enumerated() {
            replies.append(Task { try await api.get(path, as: path.hasPrefix("/v1/f") ? nil : client) })
            await until("\(path) waits") { copies.waitingCount == number + 1 }
        }
        for path in ["/v1/items", "/v1/feeds/\(feed)", "/v1/search?q=city", "/v1/feeds/\(feed)/syndication"] {
            #expect(try await api.get(path, as: client).status == 200, "\(path)")
        }
        #expect(copies.waitingCount == large.count)
        for held in [first, second] { try await held.end() }
        for (path, reply) in zip(large, replies) { #expect(try await reply.value.status == 200, "\(path)") }
        #expect(copies.waitingCount == 0)
    }
}
