// Tests the search of readers and the filters of the team with words that are joined or written without spaces, with texts
// beyond the preview, and with what packs add.
import Domain
import Lists
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

    @Test("A27: a match beyond the preview has a highlight of the text for members; guests find visible fields only")
    func texts() async throws {
        let api = try await APIFixture.make(trust: .seconds(60))
        let (guest, member) = (try await api.client([.readGuest]), try await api.client([.readFull]))
        let body = "<p>" + String(repeating: "word ", count: 2000) + "the <b>Quicksilver</b> vault</p>"
        try await api.publish(
            "article", "Plain",
            ["body": .string(body), "author": "Rosalind Marsh", "categories": ids([SeedEntry.unsorted])])
        let hit = try #require(try await Self.search("quicksilver", api, member).data.first)
        #expect(hit["highlights"]?["preview"] == .null)
        let text = try #require(hit["highlights"]?["text"]?.stringValue)
        #expect(text.contains("the <em>Quicksilver</em> vault") && text.count < 400)
        let author = try #require(try await Self.search("marsh", api, guest).data.first)
        #expect(author["highlights"]?["text"] == "Rosalind <em>Marsh</em>")
        #expect(try await Self.search("quicksilver", api, guest).data.isEmpty)
    }

    @Test("A27: words in rows are found: by members, and by guests if they see the field", .packs(.lists))
    func rows() async throws {
        let api = try await APIFixture.make(trust: .seconds(60))
        let (guest, member) = (try await api.client([.readGuest]), try await api.client([.readFull]))
        let kinds = try CatalogKinds(folder: TestDatabase.packageRoot + "/Config/catalogs")
        let kind = try #require(kinds["movie"])
        let record = try #require(CatalogRecord(kind, externalID: "1", title: "Film", details: [:]))
        let event = AuditEvent("catalog.update", on: "catalog")
        let films = try await api.test.database.transaction(by: Actor(kind: .system, name: "system"), event) {
            try await $0.catalogs.record([record], areComplete: true, kind: "movie", source: kind.source, by: $0.actor)
        }
        let item = JSONValue.object(["item": .string(films[0].description), "note": "Seen at the Kettlehouse"])
        try await api.publish("list", "Best", ["items": .array([item]), "about": "Chosen by Wilhelmina"])
        let hit = try #require(try await Self.search("kettlehouse", api, member).data.first)
        #expect(hit["highlights"]?["text"]?.stringValue?.contains("<em>Kettlehouse</em>") == true)
        #expect(try await Self.search("kettlehouse", api, guest).data.isEmpty)
        #expect(try await Self.search("wilhelmina", api, guest).titles == ["Best"])
    }

    @Test("B56: a review is found by title and text while its place is published", .packs(.places))
    func reviews() async throws {
        let (api, guest) = try await APIFixture.serving([.readGuest], trust: .seconds(60))
        let city = try await api.city("Bath", 51.38, -2.36)
        let place = try await api.place("Pump", in: city, 51.38, -2.36, [SeedEntry.unsorted])
        try await api.publishWaiting()
        let review = try await api.publish(
            "review", "Splendid",
            ["place": .string(place.description), "rating": .int(5), "text": "Served with marmalade"])
        for query in ["splendid", "marmalade"] {
            let hit = try #require(try await Self.search(query, api, guest).data.first)
            #expect(hit["id"]?.stringValue == review.description && hit["kind"] == "review")
            #expect(hit["slug"]?.stringValue == review.description, "its URL is /v1/reviews/{id}")
            #expect(hit["preview"] == "Served with marmalade")
        }
        try await api.unpublish(place)
        #expect(try await Self.search("marmalade", api, guest).data.isEmpty)
        #expect(try await api.test.database.publications.verify().isEmpty)
    }

    @Test(
        "B27: a city whose name it is comes first, then one whose name begins with it, each as typed first",
        .packs(.places))
    func cities() async throws {
        let (api, guest) = try await APIFixture.serving([.readGuest], trust: .seconds(60))
        let london = try await api.city("London", 51.5, -0.12, ["names": "Londres", "population": .int(100)])
        for (name, names, population) in [
            ("City of London", "", 9_000_000), ("Londonderry", "", 80), ("Kolkata", "Kolkota", 4_000_000),
            ("Cologne", "Köln\nKeulen", 1_000_000), ("Koln", "", 5), ("East London", "", 70), ("東京都", "", 60),
        ] as [(String, String, Int64)] {
            _ = try await api.city(name, 1, 1, ["names": .string(names), "population": .int(population)])
        }
        _ = try await api.place("Pump", in: london, 51.5, -0.12, [SeedEntry.unsorted])
        try await api.publishWaiting()
        func found(_ query: String, _ others: String = "") async throws -> [String] {
            try await api.get("/v1/cities?q=\(PathText.segment(query))\(others)", as: guest).names
        }
        #expect(try await found("Lon") == ["London", "Londonderry", "City of London", "East London"])
        #expect(try await found("london") == ["London", "Londonderry", "City of London", "East London"])
        #expect(try await found("köl") == ["Cologne", "Kolkata", "Koln"])
        #expect(try await found("kol") == ["Kolkata", "Cologne", "Koln"])
        #expect(try await found("Köln") == ["Cologne", "Koln"])
        #expect(try await found("koln") == ["Cologne", "Koln"], "the larger of two whose name it is")
        #expect(try await found("京") == ["東京都"])
        #expect(try await found("lon", "&has_places=true") == ["London"])
        #expect(try await found("lon", "&has_places=false") == ["Londonderry", "City of London", "East London"])
        #expect(try await api.get("/v1/cities?has_places=true", as: guest).names == ["London"])
        #expect(try await api.get("/v1/cities?has_places=maybe", as: guest).status == 400)
    }

    @Test("B27: pages of a search for cities continue in its order", .packs(.places))
    func cityPages() async throws {
        let (api, guest) = try await APIFixture.serving([.readGuest], trust: .seconds(60))
        for number in 0..<25 {
            _ = try await api.city(
                number % 2 == 0 ? "New Town \(number)" : "Town \(number)", 1, 1, ["population": .int(Int64(number))])
        }
        try await api.publishWaiting()
        let first = try await api.get("/v1/cities?q=town", as: guest)
        let next = try #require(first.next)
        let second = try await api.get("/v1/cities?q=town&cursor=\(next)", as: guest)
        #expect(first.names.prefix(12).allSatisfy { $0.hasPrefix("Town") } && first.names.first == "Town 23")
        #expect(Set(first.names + second.names).count == 25 && second.names.last == "New Town 0")
    }

    @Test("The team finds the same words in the queue, in entries and by name")
    func team() async throws {
        let (api, reviewer) = try await APIFixture.serving([.submit, .review], trust: .seconds(60))
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
