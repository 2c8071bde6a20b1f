// Tests the search of readers and the filters of the team with words that are joined or written without spaces.
import Domain
import Platform
import TestBasics
import TestSupport
import Testing

@testable import API
@testable import Store

@Suite("Search for words", .databases)
struct SearchWordsTests {
    private static func search(_ query: String, _ api: APIFixture, _ client: APIFixture.Client) async throws -> APIReply
    {
        try await api.get("/v1/search?q=\(PathText.segment(query))", as: client)
    }

    @Test(
        "A27: joined words, and any part of a text without spaces, are found and highlighted",
        arguments: [
            ("Zwettl", "title", "Ferry Linz/<em>Zwettl</em> 吾妻橋"), ("橋", "title", "Ferry Linz/Zwettl 吾妻<em>橋</em>"),
            ("Embarkation", "preview", "At the pier.<em>Embarkation</em> with card/voucher; 隅田川にかかる。"),
            ("voucher", "preview", "At the pier.Embarkation with card/<em>voucher</em>; 隅田川にかかる。"),
            ("田川に", "preview", "At the pier.Embarkation with card/voucher; 隅<em>田川に</em>かかる。"),
        ])
    func joined(query: String, member: String, expected: String) async throws {
        let api = try await APIFixture.make(trust: .seconds(60))
        try await api.publish(
            "article", "Ferry Linz/Zwettl 吾妻橋",
            [
                "body": "<p>x</p>", "summary": "At the pier.Embarkation with card/voucher; 隅田川にかかる。",
                "categories": ids([SeedEntry.unsorted]),
            ])
        let guest = try await api.client([.readGuest])
        let hit = try #require(try await Self.search(query, api, guest).data.first)
        #expect(hit["highlights"]?[member]?.stringValue == expected)
    }

    @Test("The team finds the same words in the queue, in entries and by name")
    func team() async throws {
        let api = try await APIFixture.make(trust: .seconds(60))
        let reviewer = try await api.client([.submit, .review])
        let id = try await api.publish("article", "Towpath Passau/Krumau 吾妻橋", ["body": "<p>x</p>"])
        _ = try await api.post(
            "/v1/submissions",
            #"{"type":"article","contributor":"Zoë/Łukasz","fields":{"title":"Weir Grein/Ybbs 隅田川","body":"<p>x</p>"}}"#,
            as: reviewer)
        let database = api.test.database
        for query in ["Krumau", "Passau/Krumau", "妻橋", "towpath-passau"] {
            var filter = EntryFilter()
            filter.query = query
            #expect(try await database.entries.page(filter, cursor: nil, limit: 5).items.map(\.id) == [id], "\(query)")
            #expect(
                try await database.entries.matches(query, types: ["article"], onlyLive: false, limit: 5).map(\.id) == [
                    id
                ])
        }
        for query in ["Ybbs", "grein", "Grein/Ybbs", "田川"] {
            #expect(
                try await api.get("/v1/queue?q=\(PathText.segment(query))", as: reviewer).data.count == 1, "\(query)")
        }
        for query in ["lukasz", "zoe", "ŁUK"] {
            let found = try await database.reputations.page(query, nil, cursor: nil, limit: 5, countLimit: 10).items
            #expect(found.map(\.contributor.name) == ["Zoë/Łukasz"], "\(query)")
        }
    }
}
