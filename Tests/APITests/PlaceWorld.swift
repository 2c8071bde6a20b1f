// Published cities, places and promotions shared by read tests; no test changes them.
import Domain
import Store

struct PlaceWorld: Sendable {
    let api: APIFixture
    let guest: APIFixture.Client
    let london: ID<Entry>
    let paris: ID<Entry>
    let fiji: ID<Entry>
    let airport: ID<Entry>
    let indian: ID<Entry>
    let museum: ID<Entry>
    /// By name.
    let places: [String: ID<Entry>]

    static let shared = Task.detached { try await make() }

    /// London has 25 places on a line to the north of its center, 0.001 degrees apart ("L1" is the first); L1 to L3 are
    /// airports, L3 and L4 Indian; L7 has a promotion now, L8 one tomorrow, L9 had one. Paris has P1, a museum; two
    /// more, in Fiji, are on either side of the 180th meridian, and one is on it.
    private static func make() async throws -> PlaceWorld {
        let api = try await APIFixture.make(trust: .seconds(60))
        let airport = try await api.category("Airport", group: SeedEntry.placeGroup)
        let indian = try await api.category("Indian", group: SeedEntry.topicGroup)
        let museum = try await api.category("Museum", group: SeedEntry.placeGroup)
        let london = try await api.city(
            "London", 51.5, -0.12, ["names": "Londres\nLondýn", "population": .int(8_000_000)])
        let paris = try await api.city("Paris", 48.85, 2.35, ["population": .int(2_000_000)])
        let fiji = try await api.city("Savusavu", -16.8, 179.99)
        var places: [String: ID<Entry>] = [:]
        for number in 1...25 {
            var categories = number <= 3 ? [airport] : []
            if (3...4).contains(number) { categories.append(indian) }
            if categories.isEmpty { categories = [SeedEntry.unsorted] }
            places["L\(number)"] = try await api.place(
                "L\(number)", in: london, 51.5 + Double(number) / 1000, -0.12, categories)
        }
        places["P1"] = try await api.place("P1", in: paris, 48.86, 2.35, [museum])
        places["East"] = try await api.place("East", in: fiji, -16.8, 179.9, [museum])
        places["West"] = try await api.place("West", in: fiji, -16.8, -179.9, [museum])
        places["Line"] = try await api.place("Line", in: fiji, -16.8, 180, [museum])
        for (place, name, start, end) in [
            ("L7", "Now", -60, 60), ("L8", "Tomorrow", 86_400, 90_000), ("L9", "Over", -90, -60),
        ] {
            guard let id = places[place] else { continue }
            try await api.promotion(name, of: id, from: start, to: end * (place == "L7" ? 60 : 1))
        }
        try await api.publishWaiting()
        return PlaceWorld(
            api: api, guest: try await api.client([.readGuest]), london: london, paris: paris, fiji: fiji,
            airport: airport, indian: indian, museum: museum, places: places)
    }

    func get(_ target: String, _ headers: [(String, String)] = []) async throws -> APIReply {
        try await api.get(target, as: guest, headers)
    }
}

extension APIReply {
    /// The names in a list.
    var names: [String] { data.compactMap { $0["name"]?.stringValue } }
}

extension APIFixture {
    func city(
        _ name: String, _ lat: Double, _ lon: Double, _ fields: [String: JSONValue] = [:],
        publishTiming: PublishTiming = .approveOnly
    ) async throws -> ID<Entry> {
        var fields = fields
        fields["center"] = .object(["lat": .number(lat), "lon": .number(lon)])
        return try await publish("city", name, fields, publishTiming: publishTiming)
    }

    func place(
        _ name: String, in city: ID<Entry>, _ lat: Double, _ lon: Double, _ categories: [ID<Entry>],
        _ fields: [String: JSONValue] = [:], publishTiming: PublishTiming = .approveOnly
    ) async throws -> ID<Entry> {
        let all: [String: JSONValue] = [
            "city": .string(city.description), "address": .string("\(name) Street"),
            "point": .object(["lat": .number(lat), "lon": .number(lon)]),
            "image": .object(["url": "https://images.example/a.jpg", "alt": "A door"]),
            "categories": ids(categories),
        ]
        return try await publish("place", name, all.merging(fields) { _, new in new }, publishTiming: publishTiming)
    }

    /// Times in seconds from now.
    @discardableResult
    func promotion(
        _ name: String, of place: ID<Entry>, from start: Int, to end: Int, _ fields: [String: JSONValue] = [:],
        publishTiming: PublishTiming = .approveOnly
    ) async throws -> ID<Entry> {
        let times = try await test.client.query(
            """
            select to_char(now() at time zone 'UTC' + \(start) * interval '1 second', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as start,
                to_char(now() at time zone 'UTC' + \(end) * interval '1 second', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as finish
            """)
        guard let row = times.first else { throw Failure.missing("time") }
        let all: [String: JSONValue] = [
            "place": .string(place.description), "starts_at": .string(try row("start")),
            "ends_at": .string(try row("finish")),
        ]
        return try await publish("promotion", name, all.merging(fields) { _, new in new }, publishTiming: publishTiming)
    }
}
