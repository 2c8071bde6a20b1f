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

    @Test("S47: syndications that wait for a thread to be written have left the lane of copies")
    func writers() async throws {
        let api = try await APIFixture.make(trust: .seconds(60), quotas: Quotas(longestWait: .seconds(600)))
        let client = try await api.client([.readFull])
        let feed = try await api.publish("feed", "City", ["tier": "free"])
        let body = "<p>" + String(repeating: "quokka ", count: 28_000) + "</p>"
        try await api.publish(
            "article", "Long",
            ["body": .string(body), "feeds": ids([feed]), "categories": ids([SeedEntry.unsorted])])
        let urls = try await api.get("/v1/feeds/\(feed)/syndication", as: client)
        let url = try #require(urls.json["signed"]?["rss"]?.stringValue)
        let target = String(url.dropFirst("https://vitrine.example.org".count))
        let copies = api.site.context.quotas.copies
        let (first, second) = (await HeldTurn(in: Quotas.writers), await HeldTurn(in: Quotas.writers))
        // More than are in the lane at once.
        let replies = (1...4).map { _ in Task { try await api.get(target, as: nil) } }
        await until("all wait for a thread, and none for the lane") {
            Quotas.writers.waitingCount >= replies.count && copies.waitingCount == 0
        }
        for held in [first, second] { try await held.end() }
        for reply in replies { #expect(try await reply.value.status == 200) }
    }
}
