// Tests categories for readers: translated names, synonyms, merges, and empty categories.
import API
import Domain
import Operations
import Store
import TestSupport
import Testing

@Suite("Categories for readers", .databases)
struct TaxonomyAPITests {
    /// An article in "Coffee" and one in both "Coffee" and "Café", which has names in other languages.
    private struct World {
        let api: APIFixture
        let guest: APIFixture.Client
        let coffee: ID<Entry>
        let cafe: ID<Entry>
        let lane: ID<Entry>

        init() async throws {
            api = try await APIFixture.make()
            guest = try await api.client([.readGuest])
            let group: JSONValue = .string(SeedEntry.placeGroup.description)
            coffee = try await api.publish(
                "category", "Coffee", ["group": group, "synonyms": "Espresso\nFlat white", "position": .int(5)])
            cafe = try await api.publish(
                "category", "Café", ["group": group, "names": Self.names("de", "Kaffeehaus", "pt-BR", "Cafeteria")])
            try await api.edit(SeedEntry.placeGroup, ["names": Self.names("de", "Art des Ortes")])
            _ = try await api.article("Corner", in: [coffee])
            lane = try await api.article("Lane", in: [cafe, coffee])
        }

        /// The same again as places of a city.
        func places() async throws -> ID<Entry> {
            let city = try await api.city("London", 51.5, -0.12, publishTiming: .now)
            _ = try await api.place("Corner", in: city, 51.5, -0.1, [coffee], publishTiming: .now)
            _ = try await api.place("Lane", in: city, 51.6, -0.1, [cafe, coffee], publishTiming: .now)
            return city
        }

        static func names(_ pairs: String...) -> JSONValue {
            .array(
                stride(from: 0, to: pairs.count, by: 2).map {
                    .object(["locale": .string(pairs[$0]), "name": .string(pairs[$0 + 1])])
                })
        }

        func get(_ target: String) async throws -> APIReply { try await api.get(target, as: guest) }

        /// What leads to both after a merge.
        var filters: [String] {
            [
                "cafe", "coffee", "cafe,coffee", "\(cafe)", "\(coffee)", "\(cafe),\(coffee)", "cafe,\(coffee)",
                "\(coffee),\(SeedEntry.unsorted)", "unsorted,\(coffee)",
            ]
        }

        func merge() async throws {
            _ = try await api.test.services.mergeCategory(
                coffee, into: cafe, by: TestDatabase.administrator)
        }
    }

    @Test(
        "B30: names are in the requested language, a less specific form of it, or as the curators wrote them",
        arguments: [
            ("", "Café", "Place"), ("?locale=de", "Kaffeehaus", "Art des Ortes"),
            ("?locale=de-AT", "Kaffeehaus", "Art des Ortes"), ("?locale=pt-BR", "Cafeteria", "Place"),
            ("?locale=pt", "Café", "Place"), ("?locale=fr", "Café", "Place"),
        ])
    func languages(query: String, name: String, group: String) async throws {
        let world = try await World()
        let one = try await world.get("/v1/categories/cafe\(query)")
        #expect(one.json["name"] == .string(name) && one.json["group"]?["name"] == .string(group))
        #expect(one.json["names"] == .object(["de": "Kaffeehaus", "pt-BR": "Cafeteria"]))
        let groups = try await world.get("/v1/categories\(query)").data
        #expect(groups.compactMap { $0["name"]?.stringValue } == ["Topic", group])
        let shown = (groups.last?["categories"]?.arrayValue ?? []).compactMap { $0["name"]?.stringValue }
        #expect(shown == [name, "Coffee"])
        guard TestPack.places.isEnabled else { return }
        _ = try await world.places()
        let city = try await world.get("/v1/cities/london/categories\(query)").data
        #expect(
            (city.last?["categories"]?.arrayValue ?? []).compactMap { $0["name"]?.stringValue } == [name, "Coffee"])
        #expect(city.last?["name"] == .string(group))
    }

    @Test("B30: an invalid language is rejected at the parameter")
    func noLanguage() async throws {
        let world = try await World()
        #expect(try await world.get("/v1/categories?locale=x").pointers == ["/query/locale"])
        #expect(try await world.get("/v1/categories/cafe?locale=french").pointers == ["/query/locale"])
    }

    @Test(
        "B29, A27: a search finds a category by its name, its synonyms and its translated names",
        arguments: [("coffee", "Coffee"), ("espresso", "Coffee"), ("\"flat white\"", "Coffee"), ("kaffeehaus", "Café")])
    func searched(words: String, title: String) async throws {
        let world = try await World()
        let query = words.replacing("\"", with: "%22").replacing(" ", with: "%20")
        let hits = try await world.get("/v1/search?q=\(query)&type=category").data
        #expect(hits.compactMap { $0["title"]?.stringValue } == [title])
    }

    @Test(
        "B29: after a merge its members, slug, id, filters and search lead to the target, and back after unmerging"
    )
    func merged() async throws {
        let world = try await World()
        let coffee: JSONValue = .array([.string(world.coffee.description)])
        _ = try await world.api.publish("article", "Of items", ["body": "<p>b</p>", "categories": coffee])
        _ = try await world.api.publish("feed", "Of feeds", ["tier": "free", "categories": coffee])
        try await world.merge()
        let gone = try await world.get("/v1/categories/coffee")
        #expect((300..<400).contains(gone.status) && gone["Location"] == "/v1/categories/cafe")
        #expect(try await world.get("/v1/categories/\(world.coffee)")["Location"] == "/v1/categories/cafe")
        let resolved = try await world.get("/v1/resolve?id=\(world.coffee)").json
        #expect(resolved["state"] == "moved" && resolved["path"] == .string("/v1/categories/\(world.cafe)"))
        let cafe = try await world.get("/v1/categories/cafe").json
        #expect(cafe["count"] == .int(4))
        #expect(cafe["synonyms"] == .array(["Coffee", "Espresso", "Flat white"]))
        for filter in world.filters {
            let items = try await world.get("/v1/items?category=\(filter)")
            #expect(items.titles.sorted() == ["Corner", "Lane", "Of items"], "\(filter)")
            #expect(try await world.get("/v1/feeds?category=\(filter)").titles == ["Of feeds"], "\(filter)")
        }
        let hits = try await world.get("/v1/search?q=espresso&type=category").data
        #expect(hits.compactMap { $0["title"]?.stringValue } == ["Café"])
        _ = try await world.api.test.services.mergeCategory.unmerge(
            world.coffee, by: TestDatabase.administrator)
        #expect(try await world.get("/v1/categories/coffee").json["count"] == .int(4))
        #expect(try await world.get("/v1/categories/cafe").json["count"] == .int(1))
        #expect(try await world.get("/v1/items?category=\(world.cafe)").titles == ["Lane"])
    }

    @Test("A24: a slug or query in the decomposed form finds what is stored in the composed one")
    func decomposed() async throws {
        let world = try await World()
        try await world.api.edit(world.cafe, ["slug": "caf\u{E9}"])
        try await world.api.edit(world.lane, ["title": "\u{AC00}\u{C744} lane", "slug": "\u{AC00}\u{C744}"])
        let (cafe, lane) = ("cafe%CC%81", "%E1%84%80%E1%85%A1%E1%84%8B%E1%85%B3%E1%86%AF")
        #expect(try await world.get("/v1/categories/\(cafe)").json["id"] == .entry(world.cafe))
        #expect(try await world.get("/v1/items/\(lane)").json["id"] == .entry(world.lane))
        for target in ["/v1/items?category=\(cafe)", "/v1/categories/\(cafe)/items", "/v1/search?q=\(lane)"] {
            #expect(try await world.get(target).titles == ["\u{AC00}\u{C744} lane"], "\(target)")
        }
        let entries = world.api.test.database.entries
        #expect(try await entries.find(type: "category", slug: "cafe\u{301}") == world.cafe)
    }

    @Test("B29: after a merge filters of places lead to the target, too", .packs(.places))
    func mergedPlaces() async throws {
        let world = try await World()
        let city = try await world.places()
        try await world.merge()
        for filter in world.filters {
            let places = try await world.get("/v1/places?city=\(city)&category=\(filter)")
            #expect(places.names.sorted() == ["Corner", "Lane"], "\(filter)")
        }
    }

    @Test("B31, K8: a category disappears from the list and the search with its last item, at once")
    func empty() async throws {
        let world = try await World()
        try await world.api.unpublish(world.lane)
        #expect(try await world.get("/v1/categories/cafe").status == 404)
        #expect(try await world.get("/v1/search?q=kaffeehaus").data.isEmpty)
        // Shown anyway when the deployment says so (K1).
        let setting: ID<Entry> = try await world.api.test.client.one(
            "select id from api_v1.setting where key = 'categories.include_empty'")("id")
        try await world.api.edit(setting, ["value": "true"])
        #expect(try await world.get("/v1/categories/cafe").json["count"] == .int(0))
        #expect(try await world.get("/v1/search?q=kaffeehaus&type=category").data.count == 1)
        #expect(try await world.api.test.database.publications.verify().isEmpty)
    }

    @Test("B31, K8: a category disappears from its cities with its last place, at once", .packs(.places))
    func emptyInCity() async throws {
        let world = try await World()
        _ = try await world.places()
        let lane: ID<Entry> = try await world.api.test.client.one(
            "select id from api_v1.place where slug = 'lane'")("id")
        try await world.api.unpublish(lane)
        try await world.api.unpublish(world.lane)
        #expect(try await world.get("/v1/categories/cafe").status == 404)
        let city = try await world.get("/v1/cities/london/categories").data
        #expect((city.last?["categories"]?.arrayValue ?? []).compactMap { $0["slug"]?.stringValue } == ["coffee"])
        // Shown anyway when the deployment says so (K1), with no place in any city.
        let setting: ID<Entry> = try await world.api.test.client.one(
            "select id from api_v1.setting where key = 'categories.include_empty'")("id")
        try await world.api.edit(setting, ["value": "true"])
        #expect(try await world.get("/v1/categories/cafe").json["count"] == .int(0))
        #expect(try await world.api.test.database.publications.verify().isEmpty)
    }
}
