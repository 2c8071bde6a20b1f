// Tests promotions over the API: current and upcoming by the clock, order, pages and entity tags; and cities.
import API
import Domain
import Places
import Postgres
import Store
import TestBasics
import TestSupport
import Testing

@Suite("Promotions and cities over the API", .databases, .packs(.places))
struct PromotionAPITests {
    private var world: PlaceWorld {
        get async throws { try await PlaceWorld.shared.value }
    }

    @Test("B44, K16, B42: a place has its current or next promotion, with the seconds until that starts")
    func ofPlaces() async throws {
        let world = try await world
        #expect(try await world.get("/v1/places/l7").json["promotion"]?["state"] == "current")
        #expect(try await world.get("/v1/places/l7").json["promotion"]?["time_to_start"] == nil)
        let upcoming = try await world.get("/v1/places/l8").json["promotion"]
        #expect(upcoming?["name"] == "Tomorrow")
        #expect(upcoming?["state"] == "upcoming")
        let seconds = try #require(upcoming?["time_to_start"]?.integerValue)
        #expect((1...86_400).contains(seconds))
        #expect(try await world.get("/v1/places/l9").json["promotion"] == .null, "what is over is no promotion")
        #expect(
            try await world.get("/v1/places?city=london&lat=51.507&lon=-0.12").data.first?["promotion"]?["name"]
                == "Now")
    }

    @Test(
        "B48, B49, B52, B53, B50: promotions of a city and of places, current ones first, without ended ones"
    )
    func lists() async throws {
        let world = try await world
        let city = try await world.get("/v1/promotions?city=london&lat=51.5&lon=-0.12")
        #expect(city.names == ["Now", "Tomorrow"])
        #expect(city.data.first?["place"]?["name"] == "L7")
        #expect(city.data.first?["place"]?["address"] == "L7 Street")
        #expect(city.data.first?["place"]?["image"]?["alt"] == "A door")
        #expect(city.data.first?["distance"] == .int(778))
        #expect(try await world.get("/v1/promotions?city=paris").data.isEmpty)
        #expect(try await world.get("/v1/promotions?city=atlantis").status == 404)
        let (seven, nine) = (try #require(world.places["L7"]), try #require(world.places["L9"]))
        #expect(try await world.get("/v1/promotions?places=\(seven),\(nine)").names == ["Now"])
        #expect(try await world.get("/v1/promotions?places=\(seven),\(nine)").json["gone"] == .array([]))
        #expect(try await world.get("/v1/promotions?places=\(seven)&city=london").names == ["Now"])
        #expect(try await world.get("/v1/promotions?places=\(seven)&city=paris").names.isEmpty)
        let nobody = "0197c0de-0000-7000-8000-000000000000"
        let gone = try await world.get("/v1/promotions?places=\(nobody),\(seven)")
        #expect(gone.names == ["Now"] && gone.json["gone"] == .array([.string(nobody)]))
        #expect(try await world.get("/v1/promotions/over").json["state"] == "over")
    }

    @Test("B50: box, category, city, state and the order by distance combine; an order without an origin is rejected")
    func combined() async throws {
        let (api, guest) = try await APIFixture.serving([.readGuest], trust: .seconds(60))
        let (tea, pub) = (
            try await api.category("Tea", group: SeedEntry.topicGroup),
            try await api.category("Pub", group: SeedEntry.topicGroup)
        )
        let (bath, fiji) = (try await api.city("Bath", 51.38, -2.36), try await api.city("Suva", -18, 179.99))
        // The nearest to the center of Bath comes last by start; every second one is upcoming.
        for number in 1...24 {
            let place = try await api.place(
                "P\(number)", in: bath, 51.38 + Double(number) / 1000, -2.36, number % 3 == 0 ? [tea, pub] : [pub])
            try await api.promotion(
                "Offer \(number)", of: place, from: number % 2 == 0 ? 9000 - number : -number, to: 10_000)
        }
        for (name, lon) in [("East", 179.9), ("West", -179.8)] {
            let place = try await api.place(name, in: fiji, -18, lon, [tea])
            try await api.promotion("\(name) offer", of: place, from: -60, to: 600)
        }
        try await api.publishWaiting()
        func names(_ query: String) async throws -> [String] {
            try await api.get("/v1/promotions?\(query)", as: guest).names
        }
        func offers(_ numbers: [Int]) -> [String] { numbers.map { "Offer \($0)" } }

        let first = try await api.get("/v1/promotions?city=bath&order=distance", as: guest)
        #expect(first.names == offers(Array(1...20)), "from the center of the city")
        #expect(first.data.first?["distance"] == .int(111))
        let next = try #require(first.next)
        #expect(try await names("city=bath&order=distance&cursor=\(next)") == offers(Array(21...24)))
        #expect(
            try await names("city=bath&order=distance&lat=52&lon=-2.36&cursor=\(next)") == offers(Array(21...24)),
            "a cursor keeps its origin")
        #expect(
            try await names("city=bath&order=distance&lat=52&lon=-2.36").first == "Offer 24", "from the reader")
        #expect(try await names("city=bath&order=distance&category=tea") == offers([3, 6, 9, 12, 15, 18, 21, 24]))
        #expect(
            try await names("city=bath&order=distance&category=tea&state=current") == offers([3, 9, 15, 21]))
        #expect(try await names("city=bath&category=tea&state=upcoming") == offers([24, 18, 12, 6]), "by start")
        #expect(
            try await names("box=-2.4,51.3845,-2.3,51.3905&state=upcoming&order=distance") == offers([8, 6, 10]),
            "from the center of the box")
        #expect(try await names("box=-2.4,51.3825,-2.3,51.3845&category=tea,pub") == offers([3, 4]))
        #expect(try await names("box=179,-19,-179,-17") == ["East offer", "West offer"], "across the 180th meridian")
        #expect(
            try await names("box=179,-19,-179,-17&category=tea&city=suva&order=distance&lat=-18&lon=-179.9").first
                == "West offer")
        #expect(try await names("box=179,-19,-179,-17&category=pub").isEmpty)
        #expect(try await names("order=distance&lat=51.38&lon=-2.36").first == "Offer 1")

        let without = try await api.get("/v1/promotions?order=distance", as: guest)
        #expect(without.status == 400 && without.pointers == ["/query/order"])
        for (query, status) in [
            ("category=never", 404), ("city=never&order=distance", 404), ("state=over", 400), ("order=price", 400),
            ("box=1,2,3", 400), ("category=tea,never", 200),
        ] {
            #expect(try await api.get("/v1/promotions?\(query)", as: guest).status == status, "\(query)")
        }
    }

    @Test("B55: a promotion's place link resolves to the place")
    func link() async throws {
        let world = try await world
        let link = try #require(try await world.get("/v1/promotions/now").json["place"]?["link"]?.stringValue)
        #expect(try await world.get(link).json["name"] == "L7")
    }

    @Test("B44, K16: of several promotions a current one is shown, then the earliest")
    func edges() async throws {
        let (api, guest) = try await APIFixture.serving([.readGuest], trust: .seconds(60))
        let city = try await api.city("Bath", 51.38, -2.36)
        let place = try await api.place("Pump", in: city, 51.38, -2.36, [SeedEntry.unsorted])
        try await api.promotion("Later", of: place, from: 7200, to: 9000)
        try await api.promotion("Sooner", of: place, from: 3600, to: 9000)
        try await api.publishWaiting()
        func shown() async throws -> String? {
            try await api.get("/v1/places/pump", as: guest).json["promotion"]?["name"]?.stringValue
        }
        #expect(try await shown() == "Sooner")
        _ = try await api.promotion("Running", of: place, from: -9000, to: 600, publishTiming: .now)
        #expect(try await shown() == "Running")
        _ = try await api.promotion("First", of: place, from: -9999, to: 600, publishTiming: .now)
        #expect(try await shown() == "First")
        #expect(
            try await api.get("/v1/promotions?city=bath", as: guest).names == ["First", "Running", "Sooner", "Later"])
    }

    /// Within a transaction the database clock stands still, so that a boundary can be hit exactly.
    @Test(
        "B44, K16: at its start a promotion is current, a microsecond before it starts in 1 s, at its end it is over",
        arguments: [
            ("0 s", "1 s", "current", nil), ("-1 s", "1 us", "current", nil), ("-1 s", "0 s", nil, nil),
            ("1 us", "1 s", "upcoming", 1), ("1 s", "2 s", "upcoming", 1), ("1000001 us", "2 s", "upcoming", 2),
        ] as [(String, String, String?, Int64?)])
    func edges(start: String, end: String, state: String?, seconds: Int64?) async throws {
        let api = try await APIFixture.make(trust: .seconds(60))
        let city = try await api.city("Bath", 51.38, -2.36)
        let place = try await api.place("Pump", in: city, 51.38, -2.36, [SeedEntry.unsorted])
        try await api.promotion("Edge", of: place, from: -60, to: 600)
        try await api.publishWaiting()
        let (shown, listed) = try await api.test.client.transaction { transaction in
            _ = try await transaction.query(
                """
                update api_v1.promotion set starts_at = now() + \(start)::interval, ends_at = now() + \(end)::interval
                """)
            let connection = StoreConnection(transaction, packs: TestDatabase.packs)
            let place = try await PlaceReads(connection: connection).find(
                .slug("pump"), from: nil, ReadLanguage(nil))
            let page = try await PromotionReads(connection: connection).page(PromotionReadFilter(), cursor: nil)
            return (try JSONValue(parsing: place ?? []), try JSONValue(parsing: [0x5B] + page.documents + [0x5D]))
        }
        #expect(shown["promotion"]?["state"]?.stringValue == state)
        #expect(shown["promotion"]?["time_to_start"]?.integerValue == seconds)
        #expect(listed.arrayValue?.first?["state"]?.stringValue == state)
        #expect(listed.arrayValue?.first?["time_to_start"]?.integerValue == seconds)
    }

    @Test("B44, K16: an entity tag becomes invalid when a promotion starts, though nothing was published")
    func tags() async throws {
        let (api, guest) = try await APIFixture.serving([.readGuest], trust: .seconds(60))
        let city = try await api.city("Lyon", 45.76, 4.84)
        let place = try await api.place("Traboule", in: city, 45.76, 4.84, [SeedEntry.unsorted])
        try await api.promotion("Soon", of: place, from: 3600, to: 7200)
        try await api.publishWaiting()
        let first = try await api.get("/v1/places/traboule", as: guest)
        #expect(first.json["promotion"]?["state"] == "upcoming")
        let tag = try #require(first["ETag"])
        #expect(tag.hasPrefix("W/"))
        #expect(try await api.get("/v1/places/traboule", as: guest, [("If-None-Match", tag)]).status == 304)
        // An hour passes.
        try await api.test.client.execute(
            "update api_v1.promotion set starts_at = starts_at - interval '1 hour', ends_at = ends_at - interval '1 hour'"
        )
        api.clock.advance(by: .seconds(3600))
        let reply = try await api.get("/v1/places/traboule", as: guest)
        #expect(reply.json["promotion"]?["state"] == "current")
        #expect(try await api.get("/v1/places/traboule", as: guest, [("If-None-Match", tag)]).status == 200)
    }

    @Test("B52, A25: pages of 20 promotions contain each once")
    func pages() async throws {
        let (api, guest) = try await APIFixture.serving([.readGuest], trust: .seconds(60))
        let city = try await api.city("Cork", 51.9, -8.47)
        let place = try await api.place("Market", in: city, 51.9, -8.47, [SeedEntry.unsorted])
        for number in 1...43 {
            let start = number % 2 == 0 ? -100 * number : 100 * (number / 4 + 1)
            try await api.promotion("Offer \(number)", of: place, from: start, to: 10_000)
        }
        try await api.publishWaiting()
        var names: [String] = []
        var cursor: String?
        var pages = 0
        repeat {
            let reply = try await api.get("/v1/promotions?city=cork\(cursor.map { "&cursor=\($0)" } ?? "")", as: guest)
            names += reply.names
            cursor = reply.next
            pages += 1
        } while cursor != nil && pages < 9
        #expect(pages == 3)
        #expect(names.count == 43)
        #expect(Set(names).count == 43)
        #expect(names.first == "Offer 42", "the earliest of the current ones")
    }

    @Test("B54: a description is plain text: markup is kept as characters, control characters are removed")
    func plainText() async throws {
        let (api, guest) = try await APIFixture.serving([.readGuest], trust: .seconds(60))
        let city = try await api.city("Bern", 46.95, 7.45)
        let place = try await api.place("Clock", in: city, 46.95, 7.45, [SeedEntry.unsorted])
        try await api.promotion(
            "Tour", of: place, from: -60, to: 600, ["description": "Two for one\u{7}:\t<b>a & b</b>\r\nEvery day"])
        try await api.publishWaiting()
        let reply = try await api.get("/v1/promotions/tour", as: guest)
        #expect(reply.json["description"] == "Two for one:\t<b>a & b</b>\nEvery day")
    }

    @Test("B22, A27: a promotion is neither read nor found without its place, nor found once it is over")
    func search() async throws {
        let (api, guest) = try await APIFixture.serving([.readGuest], trust: .seconds(60))
        let city = try await api.city("Oslo", 59.91, 10.75)
        let place = try await api.place(
            "Opera", in: city, 59.91, 10.75, [SeedEntry.unsorted], ["summary": "A white roof"])
        try await api.promotion("Matinee", of: place, from: -60, to: 600, ["description": "Zinnober at noon"])
        try await api.promotion("Zinnober past", of: place, from: -60, to: -30)
        try await api.publishWaiting()
        func hits(_ words: String) async throws -> [String] {
            try await api.get("/v1/search?q=\(words)", as: guest).titles
        }
        #expect(try await hits("zinnober") == ["Matinee"])
        #expect(try await hits("opera") == ["Opera"])
        #expect(try await hits("roof") == ["Opera"])
        try await api.unpublish(place)
        #expect(try await hits("zinnober").isEmpty)
        #expect(try await api.get("/v1/promotions", as: guest).data.isEmpty)
    }

    // MARK: Cities

    @Test("B27, B26: a city is found by a prefix of any word of its names, regardless of case and accents")
    func cities() async throws {
        let (api, guest) = try await APIFixture.serving([.readGuest], trust: .seconds(60))
        _ = try await api.city("London", 51.5, -0.12, ["names": "Londres\nЛондон", "population": .int(8_000_000)])
        _ = try await api.city("Łódź", 51.77, 19.46, ["population": .int(700_000)])
        _ = try await api.city("New London", 41.35, -72.1)
        _ = try await api.city("Stratford-upon-Avon", 52.19, -1.7)
        _ = try await api.city("L'Aquila", 42.35, 13.4)
        try await api.publishWaiting()
        func found(_ words: String) async throws -> [String] {
            try await api.get("/v1/cities?q=\(words)", as: guest).names
        }
        for words in ["Lon", "lon", "LON", "l%C3%B6n"] { #expect(try await found(words) == ["London", "New London"]) }
        #expect(try await found("lodz") == ["Łódź"])
        #expect(try await found("%D0%BB%D0%BE%D0%BD") == ["London"])
        #expect(try await found("new%20lon") == ["New London"])
        #expect(try await found("lond%20ne") == ["New London"])
        #expect(try await found("ondon").isEmpty)
        #expect(try await found("stratford-up") == ["Stratford-upon-Avon"])
        #expect(try await found("avon") == ["Stratford-upon-Avon"])
        #expect(try await found("l'aq") == ["L'Aquila"])
        for words in ["'", "%26", "%5C", ":*", "a%20%7C%20b", "!!"] { #expect(try await found(words).isEmpty) }
        #expect(try await api.get("/v1/cities", as: guest).names.first == "London")
    }

    @Test("B46: a city has a center and bounds; an edge that is not set is a tenth of a degree away")
    func bounds() async throws {
        let world = try await world
        let city = try await world.get("/v1/cities/savusavu").json
        #expect(city["center"]?["lon"] == .double(179.99))
        #expect(city["bounds"]?["west"] == .double(179.89))
        #expect(city["bounds"]?["east"] == .double(-179.91), "over the 180th meridian")
        #expect(city["bounds"]?["south"] == .double(-16.9))
        #expect(city["count"] == .int(3))
        #expect(try await world.get("/v1/cities/\(world.london)").json["name"] == "London")
    }

    @Test("B31, K8: a city lists exactly the categories with a place there, with their counts")
    func counts() async throws {
        let world = try await world
        func counts(_ city: String) async throws -> [String: Int64] {
            let groups = try await world.get("/v1/cities/\(city)/categories").data
            let categories = groups.flatMap { $0["categories"]?.arrayValue ?? [] }
            return Dictionary(
                uniqueKeysWithValues: categories.compactMap { category in
                    category["name"]?.stringValue.flatMap { name in category["count"]?.integerValue.map { (name, $0) } }
                })
        }
        #expect(try await counts("london") == ["Airport": 3, "Indian": 2, "Unsorted": 21])
        #expect(try await counts("paris") == ["Museum": 1])
        #expect(try await world.get("/v1/cities/london/categories").data.count == 2, "both groups")
        #expect(try await world.get("/v1/cities/atlantis/categories").status == 404)
        let all = try await world.get("/v1/categories").data.flatMap { $0["categories"]?.arrayValue ?? [] }
        #expect(all.first { $0["name"] == "Museum" }?["count"] == .int(4), "over all cities")
    }
}
