// Tests routes over the API: order, filters, pages, badges while they are valid, and time-dependent entity tags.
import API
import Domain
import FoundationEssentials
import Operations
import Routes
import Store
import Synchronization
import TestBasics
import TestSupport
import Testing

@Suite("Routes over the API", .databases, .packs(.routes))
struct RouteAPITests {
    private static func path(_ degrees: Double, at longitude: Double = 10) -> JSONValue {
        .array([
            .array([.double(50), .double(longitude), .int(5)]),
            .array([.double(50 + degrees), .double(longitude), .int(6)]),
        ])
    }

    private func badges(_ api: APIFixture) async throws {
        let world = RouteWorld(test: api.test)
        try await api.edit(try await world.badge("heart"), ["description": "Cleaner air."])
        try await api.edit(try await world.badge("zoom"), ["description": "A quick way."])
    }

    /// Observations at both ends of every path, from and to seconds from now by the database clock.
    private func record(
        _ api: APIFixture, _ kind: ObservationKind, _ values: [(Double, Double, Int)], from: Int, to: Int
    ) async throws {
        let times: String = try await api.test.client.one(
            """
            select to_char((now() + make_interval(secs => \(from))) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') || ',' ||
                to_char((now() + make_interval(secs => \(to))) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as times
            """)("times")
        let lines = values.enumerated().map { "p\($0.offset),\($0.element.0),\($0.element.1),\(times),\($0.element.2)" }
        let text = (["place,latitude,longitude,from,to,\(kind == .air ? "index" : "count")"] + lines).joined(
            separator: "\n")
        let rest = Mutex<[UInt8]?>(Array(text.utf8))
        var options = ImportObservations.Options()
        options.city = "London"
        options.source = "test"
        _ = try await api.test.services.importObservations(
            kind, isJSON: false, options, by: TestDatabase.administrator
        ) {
            rest.withLock { rest in
                defer { rest = nil }
                return rest
            }
        }
    }

    @Test("C13, C21: at equal distance both badges precede one, and one precedes none, and the row says why")
    func order() async throws {
        let (api, client) = try await APIFixture.serving([.readGuest])
        try await badges(api)
        for (title, longitude) in [("None", 10.0), ("Heart", 11.0), ("Zoom", 12.0), ("Both", 13.0)] {
            try await api.publish("route", title, ["path": Self.path(0.005, at: longitude), "city": "London"])
        }
        try await api.publish("route", "Elsewhere", ["path": Self.path(0.004), "city": "Paris"])
        try await record(
            api, .air, [(50, 10, 9), (50, 11, 1), (50, 12, 9), (50, 13, 1)], from: -3600, to: 3600)
        try await record(
            api, .obstruction, [(50.002, 10, 1), (50.002, 11, 1), (50.002, 12, 0), (50.002, 13, 0)], from: -3600,
            to: 3600)
        let list = try await api.get("/v1/routes?city=LONDON", as: client)
        #expect(list.titles.first == "Both" && list.titles.last == "None" && list.titles.count == 4)
        #expect(list.data[0]["multiplier"] == .int(2) && list.data[3]["multiplier"] == .int(1))
        #expect(list.data[0]["badges"]?.arrayValue?.compactMap { $0["key"]?.stringValue } == ["heart", "zoom"])
        #expect(list.data[0]["badges"]?.arrayValue?.first?["description"] == "Cleaner air.")
        #expect(list.data[3]["results"] == .object(["heart": "not_given", "zoom": "not_given"]))
        // Half a meter more than twice as far cannot be compensated by two badges.
        let byDistance = try await api.get("/v1/routes?order=distance", as: client)
        #expect(byDistance.titles.first == "Elsewhere")
        #expect(byDistance.data[0]["results"] == .object(["heart": "unknown", "zoom": "unknown"]))
        for wrong in ["/v1/routes?order=best", "/v1/routes?near=1", "/v1/routes?cursor=x"] {
            #expect(try await api.get(wrong, as: client).status == 400, "\(wrong)")
        }
        #expect(try await api.get("/v1/badges", as: client).titles == ["Heart", "Zoom"])
        #expect(try await api.get("/v1/search?q=elsewhere", as: client).titles == ["Elsewhere"])
    }

    @Test(
        "C17, C22: a badge appears only while it is valid; 304 until a boundary, then a new response without publication"
    )
    func boundary() async throws {
        let (api, client) = try await APIFixture.serving([.readGuest])
        try await badges(api)
        let route = try await api.publish("route", "Line", ["path": Self.path(0.005), "city": "London"])
        let clean = [(50.0, 10.0, 1), (51.0, 12.0, 9)]
        try await record(api, .air, clean, from: -7200, to: -3600)
        try await record(api, .air, clean, from: 3600, to: 7200)
        #expect(try await api.get("/v1/routes/\(route)", as: client).json["badges"] == .array([]))
        try await record(api, .air, clean, from: -60, to: 1800)
        let publication = try await api.test.database.publications.current()
        // The clock hears of the publication a little later.
        var first = try await api.get("/v1/routes", as: client)
        try await until("the publication is known") {
            first = try await api.get("/v1/routes", as: client)
            return first["ETag"]?.contains("-\(publication)-") == true
        }
        #expect(first.data.first?["badges"]?.arrayValue?.count == 1)
        let tag = try #require(first["ETag"])
        #expect(try await api.get("/v1/routes", as: client, [("If-None-Match", tag)]).status == 304)
        // Half an hour passes.
        try await api.test.client.execute(
            """
            update api_v1.route_badge
            set valid_from = valid_from - interval '30 minutes', valid_to = valid_to - interval '30 minutes'
            """)
        api.clock.advance(by: .seconds(1800))
        let later = try await api.get("/v1/routes", as: client)
        #expect(later.data.first?["badges"] == .array([]))
        #expect(try await api.get("/v1/routes", as: client, [("If-None-Match", tag)]).status == 200)
        let next = try #require(later["ETag"])
        #expect(try await api.get("/v1/routes", as: client, [("If-None-Match", next)]).status == 304)
        #expect(try await api.test.database.publications.current() == publication)
    }

    @Test("A25, C13: 45 routes have pages of 20, each route once; slugs, moves and unpublished ones resolve")
    func pages() async throws {
        let (api, client) = try await APIFixture.serving([.readGuest])
        var last: ID<Entry>?
        for number in 1...45 {
            last = try await api.publish(
                "route", "Route \(number)", ["path": Self.path(0.001 + Double(number % 9) / 1000)],
                publishTiming: .approveOnly
            )
        }
        try await api.publishWaiting()
        let walk = try await api.walk("/v1/routes", as: client)
        #expect(walk.pages == 3 && walk.titles.count == 45 && Set(walk.titles).count == 45)
        let id = try #require(last)
        let one = try await api.get("/v1/routes/route-45", as: client)
        #expect(one.json["id"]?.stringValue == id.description)
        #expect(one.json["path"]?["points"]?.arrayValue?.count == 2)
        #expect(one.json["path"]?["samples"]?.arrayValue?.count == 2)
        try await api.edit(id, ["slug": "the-last"])
        let moved = try await api.get("/v1/routes/route-45", as: client)
        #expect(moved.status == 308 && moved["Location"] == "/v1/routes/the-last")
        try await api.unpublish(id)
        #expect(try await api.get("/v1/routes/\(id)", as: client).status == 410)
        #expect(try await api.get("/v1/routes/nowhere", as: client).status == 404)
    }
}
