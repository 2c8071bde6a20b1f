// Tests routes by origin and destination over the API: equal to brute force, boundaries of the detour, wrong queries.
import API
import Domain
import FoundationEssentials
import Postgres
import Store
import TestBasics
import TestSupport
import Testing

@Suite("Routes by origin and destination", .databases, .packs(.routes))
struct RouteTripTests {
    private struct Path {
        let title: String
        let start: RoutePoint
        let end: RoutePoint
        let length: Double
    }

    private func point(_ latitude: Double, _ longitude: Double) -> RoutePoint {
        guard let point = RoutePoint(latitude: latitude, longitude: longitude) else { preconditionFailure() }
        return point
    }

    private func tenth(_ meters: Double) -> Double { (meters * 10 + 0.5).rounded(.down) / 10 }

    /// Publishes straight routes that begin and end here.
    private func publish(_ api: APIFixture, _ ends: [(RoutePoint, RoutePoint)], city: String = "London") async throws
        -> [Path]
    {
        var paths: [Path] = []
        for (number, (start, end)) in ends.enumerated() {
            func json(_ point: RoutePoint) -> JSONValue { .array([.double(point.latitude), .double(point.longitude)]) }
            let path = Path(title: "\(city) \(number)", start: start, end: end, length: start.meters(to: end))
            paths.append(path)
            try await api.publish(
                "route", path.title, ["path": .array([json(start), json(end)]), "city": .string(city)],
                publishTiming: .approveOnly)
        }
        try await api.publishWaiting()
        return paths
    }

    /// All titles of a query, page by page.
    private func walk(_ api: APIFixture, _ query: String, as client: APIFixture.Client) async throws -> [JSONValue] {
        var found: [JSONValue] = []
        var cursor = ""
        while true {
            let page = try await api.get("/v1/routes?\(query)\(cursor)", as: client)
            #expect(page.status == 200 && page.data.count <= 20)
            found += page.data
            guard let next = page.next else { return found }
            cursor = "&cursor=\(next)"
        }
    }

    @Test("C13, C21: routes from an origin to a destination equal those of a comparison with every route")
    func bruteForce() async throws {
        let (api, client) = try await APIFixture.serving([.readGuest])
        var generator = SeededGenerator(seed: 13)
        func random(_ center: Double, _ spread: Double) -> Double {
            center + Double.random(in: -spread...spread, using: &generator)
        }
        // Around a point on the 180th meridian, where longitudes jump.
        func anywhere() -> RoutePoint {
            let longitude = random(180, 0.03)
            return point(random(60, 0.015), longitude > 180 ? longitude - 360 : longitude)
        }
        let paths = try await publish(api, (0..<90).map { _ in (anywhere(), anywhere()) })
        for detour in [0.0, 300, 1200, 1609, 2500, 5000] {
            let (from, to) = (anywhere(), anywhere())
            let expected = paths.compactMap { path -> (title: String, distance: Double)? in
                let way = tenth(from.meters(to: path.start)) + tenth(path.end.meters(to: to))
                return tenth(way) <= detour ? (path.title, tenth(tenth(path.length) + way)) : nil
            }.sorted { $0.distance < $1.distance }
            let limit = detour == 1609 ? "" : "&max_detour=\(detour)"
            let query = "from=\(from.latitude),\(from.longitude)&to=\(to.latitude),\(to.longitude)\(limit)"
            for order in ["", "&order=distance"] {
                let found = try await walk(api, query + order, as: client)
                #expect(found.compactMap { $0["title"]?.stringValue } == expected.map(\.title), "\(query)\(order)")
                let distances = found.compactMap { $0["trip"]?["distance_m"]?.doubleValue }
                #expect(zip(distances, expected).allSatisfy { abs($0 - $1.distance) < 0.11 })
            }
        }
    }

    @Test(
        "C13: a route with exactly the greatest detour is in the response (<=), with a tenth of a meter more it is not")
    func boundary() async throws {
        let (api, client) = try await APIFixture.serving([.readGuest])
        let (start, end) = (point(50, 10), point(50.01, 10))
        _ = try await publish(api, [(start, end), (end, start)])
        let exact = try await api.get("/v1/routes?from=50,10&to=50.01,10&max_detour=0", as: client)
        #expect(exact.titles == ["London 0"])
        let only = try #require(exact.data.first)
        #expect(only["trip"]?["detour_m"] == .int(0))
        #expect(only["trip"]?["distance_m"] == only["distance_m"])
        // One way only: the other route leads back.
        #expect(try await api.get("/v1/routes?from=50.01,10&to=50,10&max_detour=0", as: client).titles == ["London 1"])
        let near = "from=50.001,10&to=50.01,10.001"
        let trip = try #require(
            try await api.get("/v1/routes?\(near)", as: client).data.first?["trip"])
        let way = tenth(point(50.001, 10).meters(to: start)) + tenth(point(50.01, 10.001).meters(to: end))
        let detour = try #require(trip["detour_m"]?.doubleValue)
        #expect(abs(detour - way) < 0.05)
        #expect(abs((trip["to_start_m"]?.doubleValue ?? 0) + (trip["from_end_m"]?.doubleValue ?? 0) - detour) < 0.05)
        for (limit, count) in [(detour, 1), (detour + 0.1, 1), (detour - 0.1, 0)] {
            let found = try await api.get("/v1/routes?\(near)&max_detour=\(tenth(limit))", as: client)
            #expect(found.titles.count == count, "\(limit)")
        }
        #expect(try await api.get("/v1/routes?\(near)&city=Paris", as: client).titles.isEmpty)
        #expect(try await api.get("/v1/routes?\(near)&city=london", as: client).titles == ["London 0"])
        // The rest of the representation is unchanged without a trip.
        #expect(try await api.get("/v1/routes", as: client).data.allSatisfy { $0["trip"] == nil })
    }

    @Test("C13: without max_detour the setting is used; it never exceeds the greatest that can be asked for")
    func setting() async throws {
        let (api, client) = try await APIFixture.serving([.readGuest])
        _ = try await publish(api, [(point(50, 10), point(50.01, 10))])
        // 1,112 m away.
        let query = "/v1/routes?from=49.99,10&to=50.01,10"
        #expect(try await api.get(query, as: client).titles.count == 1)
        let setting: ID<Entry> = try await api.test.client.one(
            "select id from api_v1.setting where key = 'routes.max_detour_m'")("id")
        try await api.edit(setting, ["value": "1000"])
        #expect(try await api.get(query, as: client).titles.isEmpty)
        #expect(try await api.get(query + "&max_detour=1200", as: client).titles.count == 1)
    }

    @Test("C13: a query with one end, a detour without ends, or anything but coordinates is a 400 that says where")
    func wrong() async throws {
        let (api, client) = try await APIFixture.serving([.readGuest])
        for (query, pointer) in [
            ("from=50,10", "/query/to"), ("to=50,10", "/query/from"), ("max_detour=5", "/query/from"),
            ("from=50&to=50,10", "/query/from"), ("from=91,10&to=50,10", "/query/from"),
            ("from=50,10&to=50,181", "/query/to"), ("from=50,10&to=50,x", "/query/to"),
            ("from=50,10,3&to=50,10", "/query/from"), ("from=50,inf&to=50,10", "/query/from"),
            ("from=50,10&to=50,10&max_detour=-1", "/query/max_detour"),
            ("from=50,10&to=50,10&max_detour=5000.1", "/query/max_detour"),
            ("from=50,10&to=50,10&max_detour=nan", "/query/max_detour"),
        ] {
            let reply = try await api.get("/v1/routes?\(query)", as: client)
            #expect(reply.status == 400 && reply.pointers == [pointer], "\(query): \(reply.pointers)")
        }
        #expect(
            try await api.get("/v1/routes?from=90,180&to=-90,-180&max_detour=5000", as: client).status == 200)
    }
}
