// Tests feeds and categories for feed readers: their content in each format, and who may read them.
import Domain
import Markup
import Platform
import Store
import TestSupport
import Testing

@testable import API

@Suite("Syndication", .databases)
struct SyndicationTests {
    private struct World {
        let api: APIFixture
        let free: ID<Entry>
        let premium: ID<Entry>
        let category: ID<Entry>
        let article: ID<Entry>
        let full: APIFixture.Client
        let guest: APIFixture.Client
    }

    private static func world(_ arrange: (inout DeliveryRules) -> Void = { _ in }) async throws -> World {
        let api = try await APIFixture.make(arrange)
        let category = try await api.category("Cats & <dogs>", group: SeedEntry.topicGroup)
        let free = try await api.publish("feed", "Free & easy", ["tier": "free"], publishTiming: .approveOnly)
        let premium = try await api.publish("feed", "Paid", ["tier": "premium"], publishTiming: .approveOnly)
        let article = try await api.publish(
            "article", "A < B & \"C\"",
            [
                "body": "<p>The <b>whole</b> text &amp; more, with the word quokka.</p>", "feeds": ids([free]),
                "summary": "Short & sweet", "author": "Ann Autumn", "url": "https://elsewhere.example/a?b=1&c=2",
                "published": "2026-03-01T10:00:00+01:00", "categories": ids([category]), "slug": "a-b",
            ], publishTiming: .approveOnly)
        try await api.publish(
            "article", "Behind the wall",
            ["body": "<p>Only for subscribers.</p>", "feeds": ids([premium]), "categories": ids([category])],
            publishTiming: .approveOnly)
        try await api.publishWaiting()
        return World(
            api: api, free: free, premium: premium, category: category, article: article,
            full: try await api.client([.readFull]), guest: try await api.client([.readGuest]))
    }

    private static func read(_ reply: APIReply) throws -> FeedDocument {
        try FeedReader.read(reply.bytes, contentType: reply["Content-Type"], url: nil)
    }

    @Test(
        "A free feed is parsed back unchanged by our own reader, in every format", arguments: SyndicationFormat.allCases
    )
    func readBack(format: SyndicationFormat) async throws {
        let world = try await Self.world()
        let reply = try await world.api.get("/v1/feeds/\(world.free)/\(format.rawValue)", as: nil)
        #expect(reply.status == 200)
        #expect(reply["Content-Type"] == format.type)
        let document = try Self.read(reply)
        #expect(document.title == "Free & easy")
        let entry = try #require(document.entries.first)
        #expect(document.entries.count == 1)
        #expect(entry.title == "A < B & \"C\"")
        #expect(entry.url == "https://elsewhere.example/a?b=1&c=2")
        // A guest gets the preview, and not a word beyond it.
        #expect(reply.text.contains("Short &amp; sweet") || reply.text.contains("Short & sweet"))
        #expect(!reply.text.contains("quokka"))
    }

    @Test("S47: a page of long texts has fewer items, and the next page has the others")
    func longTexts() async throws {
        let (api, full) = try await APIFixture.serving([.readFull])
        let feed = try await api.publish("feed", "Long", ["tier": "free"], publishTiming: .approveOnly)
        let body = "<p>" + String(repeating: "quokka ", count: 28_000) + "</p>"
        for number in 1...12 {
            try await api.publish(
                "article", "Long \(number)",
                ["body": .string(body), "feeds": ids([feed]), "categories": ids([SeedEntry.unsorted])],
                publishTiming: .approveOnly)
        }
        try await api.publishWaiting()
        let urls = try await api.get("/v1/feeds/\(feed)/syndication", as: full)
        var url = urls.json["signed"]?["json"]?.stringValue
        var counts: [Int] = []
        while let next = url, counts.count < 5 {
            let reply = try await api.get(String(next.dropFirst("https://vitrine.example.org".count)), as: nil)
            #expect(reply.status == 200)
            counts.append(reply.json["items"]?.arrayValue?.count ?? 0)
            url = reply.json["next_url"]?.stringValue
        }
        #expect(counts.count == 2 && counts.reduce(0, +) == 12, "\(counts)")
    }

    @Test(
        "A signed URL gives access to full texts and premium feeds, for its own feed only, until its client is revoked")
    func signed() async throws {
        let world = try await Self.world()
        let api = world.api
        #expect(try await api.get("/v1/feeds/\(world.premium)/rss", as: nil).code == "needs_signed_url")
        let addresses = try await api.get("/v1/feeds/\(world.premium)/syndication", as: world.full)
        #expect(addresses.json["open"] == .null)
        #expect(addresses["Cache-Control"]?.hasPrefix("private") == true)
        let address = try #require(addresses.json["signed"]?["rss"]?.stringValue)
        let target = String(address.dropFirst("https://vitrine.example.org".count))
        let opened = try await api.get(target, as: nil)
        #expect(opened.status == 200)
        #expect(opened.text.contains("Only for subscribers."))
        #expect(opened["Cache-Control"]?.hasPrefix("private") == true)

        let key = try #require(target.split(separator: "?").last)
        // Its first letter, after "key=": the last one may contain unused bits.
        let changed = "key=" + (key.dropFirst(4).hasPrefix("A") ? "B" : "A") + key.dropFirst(5)
        for other in [
            "/v1/feeds/\(world.free)/rss?\(key)", "/v1/categories/\(world.premium)/rss?\(key)",
            "/v1/feeds/\(world.premium)/rss?\(changed)", "/v1/feeds/paid/rss?\(key)",
            "/v1/feeds/\(world.premium)/rss?key=x",
        ] {
            #expect(try await api.get(other, as: nil).code == "needs_signed_url", "\(other)")
        }
        #expect(try await api.get("/v1/feeds/\(world.premium)/syndication", as: world.guest).json["signed"] == .null)
        try await api.revoke(world.full)
        #expect(try await api.get(target, as: nil).code == "needs_signed_url")
    }

    @Test("A category shows free items to everyone, and all of them under its signed URL")
    func category() async throws {
        let world = try await Self.world()
        let open = try Self.read(try await world.api.get("/v1/categories/\(world.category)/atom", as: nil))
        #expect(open.title == "Cats & <dogs>")
        #expect(open.entries.map(\.title) == ["A < B & \"C\""])
        let addresses = try await world.api.get("/v1/categories/\(world.category)/syndication", as: world.full).json
        let signed = try #require(addresses["signed"]?["atom"]?.stringValue)
        let whole = try await world.api.get(String(signed.dropFirst("https://vitrine.example.org".count)), as: nil)
        #expect(try Self.read(whole).entries.count == 2)
        #expect(whole.text.contains("quokka"))
    }

    @Test("A repeated request gets 304 until a publication; an old slug redirects, an unpublished entry is 410")
    func conditional() async throws {
        let world = try await Self.world()
        let target = "/v1/feeds/free-easy/json"
        let first = try await world.api.get(target, as: nil)
        let tag = try #require(first["ETag"])
        #expect(try await world.api.get(target, as: nil, [("If-None-Match", tag)]).status == 304)
        try await world.api.edit(world.free, ["slug": "freer"])
        let moved = try await world.api.get(target, as: nil)
        #expect(moved.status == 308)
        #expect(moved["Location"] == "/v1/feeds/freer/json")
        try await world.api.unpublish(world.article)
        try await world.api.unpublish(world.free)
        #expect(try await world.api.get("/v1/feeds/freer/json", as: nil).status == 410)
        #expect(try await world.api.get("/v1/feeds/never/json", as: nil).status == 404)
    }

    @Test("Fifty items a page, joined by next links; 51 make a second page")
    func pages() async throws {
        let api = try await APIFixture.make()
        let feed = try await api.publish("feed", "Long", ["tier": "free"], publishTiming: .approveOnly)
        for number in 1...51 {
            try await api.publish(
                "article", "Number \(number)",
                ["body": "<p>x</p>", "feeds": ids([feed]), "categories": ids([SeedEntry.unsorted])],
                publishTiming: .approveOnly)
        }
        try await api.publishWaiting()
        let first = try await api.get("/v1/feeds/\(feed)/json", as: nil).json
        #expect(first["items"]?.arrayValue?.count == 50)
        let next = try #require(first["next_url"]?.stringValue)
        let second = try await api.get(String(next.dropFirst("https://vitrine.example.org".count)), as: nil).json
        #expect(second["items"]?.arrayValue?.map { $0["title"] } == ["Number 1"])
        #expect(second["next_url"] == nil)
    }

    @Test("Links point to the team's website if it has one; each URL has a rate limit")
    func rules() async throws {
        let world = try await Self.world {
            $0.home = "https://www.example.org/"
            $0.itemURL = "https://www.example.org/read/{slug}"
            $0.syndicationPerMinute = 2
        }
        let feed = try await world.api.get("/v1/feeds/\(world.free)/json", as: nil).json
        #expect(feed["home_page_url"] == "https://www.example.org/")
        #expect(feed["items"]?.arrayValue?.first?["url"] == "https://www.example.org/read/a-b")
        #expect(try await world.api.get("/v1/feeds/\(world.free)/json", as: nil).status == 200)
        let refused = try await world.api.get("/v1/feeds/\(world.free)/json", as: nil)
        #expect(refused.status == 429)
        #expect(refused["Retry-After"] != nil)
    }
}
