// Tests route badges in the database: boundaries, missing data, imports, and simulated settings.
import Domain
import Operations
import Postgres
import Routes
import Store
import TestSupport
import Testing

@Suite("Route badges", .databases, .packs(.routes))
struct RouteBadgeTests {
    private static let near: [(String, Double, Double)] = [
        ("a", 50, 10.001), ("b", 50.00724, 10.001), ("c", 50.01, 10.001),
    ]

    private func air(_ values: [String], far: [String] = []) -> [(String, Double, Double, String)] {
        zip(Self.near, values).map { ($0.0, $0.1, $0.2, $1) }
            + far.enumerated().map { ("far \($0.offset)", 50.5, 10.5, $0.element) }
    }

    @Test(
        "C16, K12: heart compares the mean of the samples with the city's by exactly <",
        arguments: [
            (["2", "3", "4"], ["3.01"], "given"), (["2", "3", "4"], ["3"], "not_given"),
            (["2", "3", "4"], ["2.99"], "not_given"),
            (["1", "1", "2"], [], "not_given"), (["0", "0", "0"], ["0.001"], "given"),
        ])
    func heart(values: [String], far: [String], expected: String) async throws {
        let world = try await RouteWorld.make()
        let route = try await world.route()
        try await world.observations(.air, air(values, far: far))
        #expect(try await world.results(route) == ["10 heart \(expected)"])
        #expect(try await world.isVerified())
    }

    @Test("C16: a sample without a site in reach leaves the heart unknown; exactly the reach counts as near")
    func reach() async throws {
        let world = try await RouteWorld.make()
        let route = try await world.route("Long", [(50, 10, nil), (50.2, 10, nil)])
        try await world.observations(.air, [("start", 50, 10, "1"), ("other", 51, 11, "9")])
        #expect(try await world.results(route) == ["10 heart unknown"])
        let settings = world.test.services.simulateRouteSettings
        // The end of the path is 22.24 km from the only site near it.
        let meters = RoutePoint.meters(50, 10, 50.2, 10)
        func plan(_ reach: Double) async throws -> PublicationPlan {
            try await settings(
                [("routes.air_reach_m", "\(reach)")], limit: nil, by: TestDatabase.administrator)
        }
        let shorter = try await plan(meters - 1).rows.filter { $0.table == "route_badge" }
        #expect(shorter.allSatisfy { $0.after?["result"] == "unknown" })
        let wider = try await plan(meters + 0.001).rows.filter { $0.table == "route_badge" }
        #expect(wider.count == 1 && wider.first?.after?["result"] == "given")
    }

    @Test(
        "C18, K12: zoom at exactly 10 m, above it, with an obstruction, without data, without an elevation",
        arguments: [
            (15.0, ["0", "none", "0"], "given"), (15.1, ["0", "0", "0"], "not_given"),
            (15, ["0", "1", "0"], "not_given"),
            (15, ["0", "0"], "unknown"), (nil, ["0", "0", "0"], "unknown"), (-30, ["0", "0", "0"], "given"),
        ] as [(Double?, [String], String)])
    func zoom(end: Double?, values: [String], expected: String) async throws {
        let world = try await RouteWorld.make()
        var points = RouteWorld.line
        points[2].2 = end
        let route = try await world.route("Line", points)
        let rows = zip(Self.near, values).map { ($0.0, $0.1, $0.2, $1) }
        // Two observations, neither near the end.
        let places = values.count == 3 ? rows : [rows[0], ("far", 51, 10, "0")]
        try await world.observations(.obstruction, places)
        let found = try await world.results(route)
        #expect(found == ["10 zoom \(expected)"])
        #expect(try await world.isVerified())
    }

    /// Reports at the samples of `RouteWorld.line` that nothing was found there.
    private static let free = [("s1", 50.0, 10.0, "none"), ("s2", 50.00724, 10.0, "0"), ("s3", 50.01, 10.0, "0")]

    @Test("C18: obstructions on the path count although every sample has a nearer report that found none")
    func between() async throws {
        let world = try await RouteWorld.make()
        let route = try await world.route()
        let day = try await world.currentDay()
        try await world.observations(.obstruction, Self.free, during: day)
        #expect(try await world.results(route).map { $0.dropFirst(3) } == ["zoom given"])
        // 149 m after the first sample, 149 m before and after the second.
        let degrees = 149 / 111_195.0
        try await world.observations(
            .obstruction,
            [("x1", 50 + degrees, 10, "1"), ("x2", 50.00724 - degrees, 10, "1"), ("x3", 50.00724 + degrees, 10, "1")],
            during: day)
        #expect(try await world.results(route).map { $0.dropFirst(3) } == ["zoom not_given"])
        let document: JSONValue = try await world.test.client.one("select document from api_v1.route_badge")("document")
        #expect(document["obstructions"] == .int(3))
        let rows = try await world.test.database.routes.obstructions(of: route)
        #expect(rows.map(\.site) == ["x1", "x2", "x3"] && rows.allSatisfy { $0.distance < 0.01 })
        #expect(zip(rows, [149, 656, 954]).allSatisfy { abs($0.along - $1) < 1 })
        #expect(try await world.isVerified())
    }

    @Test(
        "C18: an obstruction counts if its distance from the line is at most the threshold (<=), also past an end of it",
        arguments: [(50.0036, 10.02), (49.99, 10.0), (50.02, 9.985)])
    func threshold(latitude: Double, longitude: Double) async throws {
        let world = try await RouteWorld.make()
        let route = try await world.route()
        try await world.observations(.obstruction, Self.free + [("far", latitude, longitude, "4")])
        #expect(try await world.results(route) == ["10 zoom given"])
        // The line runs along a meridian.
        let nearest = min(max(latitude, 50), 50.01)
        let expected = RoutePoint.meters(latitude, longitude, nearest, 10)
        let distance: Double = try await world.test.client.one(
            """
            select o.distance_m from curation.route_path p cross join curation.validity_period s
            cross join lateral projection.obstructions_near(s.id, p.distances, p.latitudes, p.longitudes, 10000) o
            """)("distance_m")
        #expect(distance > 805 && abs(distance - expected) < 0.01)
        func results(_ reach: Double) async throws -> [String] {
            try await world.test.services.simulateRouteSettings(
                [("routes.obstruction_reach_m", "\(reach)")], limit: nil, by: TestDatabase.administrator
            ).rows.compactMap { $0.after?["result"]?.stringValue }
        }
        #expect(try await results(distance.nextDown).isEmpty)
        #expect(try await results(distance) == ["not_given"])
        #expect(try await results(distance + 0.001) == ["not_given"])
    }

    @Test(
        "C18: the example of docs/how-to/import-routes.md",
        arguments: [
            (nil, "given"), ((50.00134, 10.0), "not_given"), ((50.0036, 10.0112), "not_given"),
            ((50.0036, 10.0113), "given"), ((49.99, 10.0), "given"),
        ] as [((Double, Double)?, String)])
    func example(obstruction: (Double, Double)?, expected: String) async throws {
        let world = try await RouteWorld.make()
        let route = try await world.route()
        let found = obstruction.map { [("x", $0.0, $0.1, "1")] } ?? []
        try await world.observations(.obstruction, Self.free + found)
        #expect(try await world.results(route) == ["10 zoom \(expected)"])
        try await world.observations(.obstruction, Array(Self.free.prefix(1)) + found, hour: 11)
        #expect(try await world.results(route).last == "11 zoom unknown")
    }

    @Test("C17: each validity period has its own result, and periods of a city never overlap")
    func slots() async throws {
        let world = try await RouteWorld.make()
        let route = try await world.route()
        try await world.observations(.air, air(["1", "1", "1"], far: ["5"]), hour: 10)
        try await world.observations(.air, air(["5", "5", "5"], far: ["1"]), hour: 11)
        #expect(try await world.results(route) == ["10 heart given", "11 heart not_given"])
        // The database itself keeps periods of a kind and city apart.
        await #expect(throws: PostgresError.self) {
            try await world.test.client.run(
                script: """
                    insert into ops.audit_event (actor_id, action, object_type)
                    values ('00000000-0000-7000-8000-000000000001', 'observation.import', 'observation');
                    insert into curation.validity_period (kind, city, valid_from, valid_to)
                    values ('air', 'london', '2093-03-01 00:00Z', '2093-03-02 00:00Z');
                    """)
        }
        // Another city, another kind and the same period do not overlap.
        try await world.record(
            .air, "place,latitude,longitude,from,to,index\na,50,10,2093-03-01T00:00:00Z,2093-03-02T00:00:00Z,1",
            city: "Paris")
        try await world.observations(.obstruction, air(["0", "0", "0"]), hour: 10)
        #expect(try await world.results(route).count == 3)
        #expect(try await world.isVerified())
    }

    @Test("C20: the same observations again change nothing; a new value publishes only the affected rows")
    func again() async throws {
        let world = try await RouteWorld.make()
        let route = try await world.route()
        let first = try await world.observations(.air, air(["2", "2", "2"], far: ["3"]))
        #expect(first.recorded == 4 && first.known == 0 && first.publication != nil)
        let second = try await world.observations(.air, air(["2", "2", "2"], far: ["3"]))
        #expect(second.recorded == 0 && second.known == 4 && second.publication == nil)
        let third = try await world.observations(.air, air(["2", "2", "9"], far: ["3"]))
        #expect(third.recorded == 1)
        #expect(try await world.results(route) == ["10 heart not_given"])
        let number = try #require(third.publication)
        let changed = try await world.test.database.publications.rowCounts(of: number)
        #expect(changed.count == 1 && changed[0].table == "route_badge" && changed[0].rows == 1)
        let source: String = try await world.test.client.one("select distinct source from curation.observation")(
            "source")
        #expect(source == "test")
    }

    @Test("C20: a city is matched regardless of case and accents; a route without one has no results")
    func cities() async throws {
        let world = try await RouteWorld.make()
        let same = try await world.route("Same", city: " ZÜRICH ")
        let none = try await world.route("None", city: nil)
        try await world.observations(.air, air(["1", "1", "1"], far: ["5"]), city: "Zurich")
        #expect(try await world.results(same) == ["10 heart given"])
        #expect(try await world.results(none).isEmpty)
    }

    @Test("C20: a long file is recorded in parts; one that fails midway reports what it recorded")
    func parts() async throws {
        let world = try await RouteWorld.make()
        let times = "2093-03-01T10:00:00Z,2093-03-01T11:00:00Z"
        let header = "place,latitude,longitude,from,to,index"
        let rows = (0..<5010).map { "p\($0),50,10,\(times),2" }
        let before = try await world.test.database.publications.current()
        let outcome = try await world.record(.air, ([header] + rows).joined(separator: "\n"), pieces: 1 << 14)
        #expect(outcome.recorded == 5010 && outcome.known == 0 && outcome.refusedRows == 0)
        // There are no routes yet.
        #expect(outcome.publication == nil)
        #expect(try await world.test.database.publications.current() == before)
        // The same again, and a quote that doesn't end within 1 MiB.
        let unfinished = "\"" + String(repeating: "x", count: 1 << 20)
        let failure = await #expect(throws: Failure.self) {
            try await world.record(.air, ([header] + rows + [unfinished]).joined(separator: "\n"), pieces: 1 << 14)
        }
        #expect("\(String(describing: failure))".contains("observations were imported"))
        #expect(try await world.isVerified())
    }

    @Test(
        "C20: observations that are too old are deleted; 0 keeps all"
    )
    func pruned() async throws {
        let world = try await RouteWorld.make()
        _ = try await world.route()
        _ = try await world.record(
            .air,
            """
            place,latitude,longitude,from,to,index
            a,50,10,2026-03-01T10:00:00Z,2026-03-01T11:00:00Z,1
            a,50,10,2999-03-01T10:00:00Z,2999-03-01T11:00:00Z,2
            """)
        let observations = world.test.database.observations
        #expect(try await observations.hasOld() == false)
        let setting: ID<Entry> = try await world.test.client.one(
            "select id from api_v1.setting where key = 'observations.keep_days'")("id")
        let newest = try #require(try await world.test.database.revisions.newest(of: setting))
        _ = try await world.write.edit(
            setting, fields: newest.content.fields.merging(["value": "30"]) { $1 }, base: newest.number,
            publishTiming: .now,
            by: TestDatabase.administrator)
        #expect(try await observations.hasOld())
        let before = try await world.test.database.publications.current()
        try await world.test.database.transaction(
            by: TestDatabase.administrator, AuditEvent("observation.prune", on: "observation")
        ) { try await $0.observations.prune(limit: 10) }
        #expect(try await world.test.database.publications.current() == before)
        #expect(try await observations.hasOld() == false)
        let left: [String] = try await world.test.client.query(
            """
            select 'badge ' || extract(year from valid_from) as line from api_v1.route_badge
            union all select 'slot ' || extract(year from valid_from) from curation.validity_period
            union all select 'fact ' || value from curation.observation order by 1
            """
        ).map { try $0("line") }
        #expect(left == ["badge 2999", "fact 2", "slot 2999"])
        #expect(try await world.isVerified())
    }

    @Test("C20: invalid rows are reported with their line, the others are recorded")
    func refusals() async throws {
        let world = try await RouteWorld.make()
        let outcome = try await world.record(
            .air,
            """
            place,latitude,longitude,from,to,index
            a,50,10,2093-03-01T10:00:00Z,2093-03-01T11:00:00Z,2
            b,95,10,2093-03-01T10:00:00Z,2093-03-01T11:00:00Z,2
            c,50,10,2093-03-01 10:00,2093-03-01T11:00:00Z,2
            d,50,10,2093-03-01T10:00:00Z,2093-03-01T11:00:00Z,bad
            e,50,10
            f,50,10,2093-03-01T10:00:00Z,2093-03-01T11:00:00Z,-1
            """)
        #expect(outcome.recorded == 1)
        #expect(outcome.refused.map(\.line) == [3, 4, 5, 6, 7])
        await #expect(throws: Failure.self) { try await world.record(.air, "x,y\n1,2") }
        await #expect(throws: Failure.self) { try await world.record(.air, "") }
        await #expect(throws: Failure.self) { try await world.record(.air, "[]x", isJSON: true) }
        await #expect(throws: Failure.self) { try await world.observations(.air, air(["1"]), city: "  ") }
        // It ends when it begins.
        let empty = try await world.record(
            .air, "place,latitude,longitude,from,to,index\na,50,10,2093-03-01T10:00:00Z,2093-03-01T10:00:00Z,2")
        #expect(empty.recorded == 0 && empty.refused.map(\.line) == [2])
        #expect(try await world.isVerified())
    }

    @Test("C20: daily means of sites, hourly means, and the hourly index of a network are supported")
    func networks() async throws {
        let world = try await RouteWorld.make()
        let sites = "Monitor,Longitude,Latitude\nA,10,50\nB,10,50.01\nC,10,50.02\n"
        let daily = try await world.record(
            .air, "date,NO2,O3,site_code\n2093-03-29,68,,A\n2093-03-29,,20,B\n2093-03-29,1,1,C\n2093-03-29,,,A",
            city: "Daily", zone: "Europe/London", sites: [sites])
        #expect(daily.recorded == 4 && daily.refused.isEmpty)
        // A day with a clock change has 23 hours.
        let hours: Double = try await world.test.client.one(
            "select extract(epoch from valid_to - valid_from) / 3600 as h from curation.validity_period where city = 'daily'"
        )(
            "h")
        #expect(hours == 23)
        let hourly = try await world.record(
            .air,
            "date.utc,location,parameter,value,unit\n2093-03-01 10:00:00+00:00,A,pm25,36,µg/m³\n2093-03-01 10:00:00+00:00,A,no2,1,µg/m³",
            city: "Hourly", sites: [sites])
        #expect(hourly.recorded == 2)
        let network = try await world.record(
            .air,
            #"""
            {"HourlyAirQualityIndex":{"@GroupName":"Network","LocalAuthority":{"Site":{"@BulletinDate":"2093-03-01 10:00:00",
            "@SiteCode":"A","@Latitude":"50","@Longitude":"10","Species":[{"@SpeciesCode":"NO2","@AirQualityIndex":"3"},
            {"@SpeciesCode":"O3","@AirQualityIndex":"0"}]}}}}
            """#, isJSON: true, city: nil)
        #expect(network.recorded == 1)
        let values: [String] = try await world.test.client.query(
            """
            select s.city || ' ' || f.measure || ' ' || f.value as line from curation.observation f
            join curation.validity_period s on s.id = f.period_id order by 1
            """
        ).map { try $0("line") }
        #expect(
            values == [
                "daily NO2 1", "daily NO2 2", "daily O3 1", "daily O3 1", "hourly NO2 1", "hourly PM25 4",
                "network NO2 3",
            ])
    }

    @Test("C19: a dry run lists the rows that other settings would change, and changes none")
    func dryRun() async throws {
        let world = try await RouteWorld.make()
        let route = try await world.route()
        try await world.observations(.obstruction, air(["0", "0", "0"]))
        #expect(try await world.results(route) == ["10 zoom given"])
        let settings = world.test.services.simulateRouteSettings
        let number = try await world.test.database.publications.current()
        let plan = try await settings(
            [("routes.zoom_max_elevation_m", "9.9")], limit: nil, by: TestDatabase.administrator)
        #expect(plan.total == 1 && plan.rows.first?.table == "route_badge")
        #expect(plan.rows.first?.before?["result"] == "given" && plan.rows.first?.after?["result"] == "not_given")
        let same = try await settings(
            [("routes.zoom_max_elevation_m", "10")], limit: nil, by: TestDatabase.administrator)
        #expect(same.total == 0)
        let order = try await settings(
            [("routes.multiplier.heart", "1.5")], limit: nil, by: TestDatabase.administrator)
        #expect(order.rows.map(\.table) == ["route"])
        #expect(try await world.test.database.publications.current() == number)
        #expect(try await world.results(route) == ["10 zoom given"])
        #expect(try await world.isVerified())
        let left: Int = try await world.test.client.one(
            "select (select count(*) from curation.simulated_setting) + (select count(*) from curation.observation_pending) as n"
        )(
            "n")
        #expect(left == 0)
        for wrong in [("routes.zoom_max", "9"), ("routes.sample_miles", "x"), ("routes.multiplier.both", "1.25")] {
            await #expect(throws: Failure.self) {
                try await settings([wrong], limit: nil, by: TestDatabase.administrator)
            }
        }
    }

    /// Publishes another value of a default setting.
    private func set(_ key: String, _ value: String, _ world: RouteWorld) async throws {
        let id: ID<Entry> = try await world.test.client.one("select id from api_v1.setting where key = \(key)")("id")
        let newest = try #require(try await world.test.database.revisions.newest(of: id))
        _ = try await world.write.edit(
            id, fields: newest.content.fields.merging(["value": .string(value)]) { $1 }, base: newest.number,
            publishTiming: .now, by: TestDatabase.administrator)
    }

    @Test(
        "C19, K12: the comparators are published settings: equality counts or not, and a dry run lists the rows",
        arguments: [
            ("routes.heart_comparator", "<=", "10 heart not_given", "10 heart given"),
            ("routes.zoom_comparator", "<", "10 zoom given", "10 zoom not_given"),
        ])
    func comparators(key: String, value: String, before: String, after: String) async throws {
        let world = try await RouteWorld.make()
        let route = try await world.route()
        // Every site has the same value, so route and city are equal; the climb is exactly the limit.
        if key.contains("heart") {
            try await world.observations(.air, Self.near.map { ($0.0, $0.1, $0.2, "3") })
        } else {
            try await world.observations(.obstruction, Self.near.map { ($0.0, $0.1, $0.2, "0") })
        }
        #expect(try await world.results(route) == [before])
        let tried = try await world.test.services.simulateRouteSettings(
            [(key, value)], limit: nil, by: TestDatabase.administrator)
        #expect(tried.rows.map { "\($0.table) \($0.operation)" } == ["route_badge update"])
        try await set(key, value, world)
        #expect(try await world.results(route) == [after])
        #expect(try await world.isVerified())
        await #expect(throws: Failure.self) {
            try await world.test.services.simulateRouteSettings(
                [(key, ">")], limit: nil, by: TestDatabase.administrator)
        }
    }

    @Test("C15: a badge is data: key, icon in the media library and texts in every language, changed with the text")
    func badgeIsData() async throws {
        let world = try await RouteWorld.make()
        let icon: JSONValue = .object(["url": "https://example.org/heart.png", "alt": "A heart"])
        try await world.edit(try await world.badge("heart"), ["description": "Ours.", "icon": icon])
        func badge() async throws -> JSONValue {
            try await world.test.client.one("select document from api_v1.badge where key = 'heart'")("document")
        }
        let said = "this route is health friendly due to a lower than average pollution index"
        #expect(try await badge()["icon"]?["alt"] == "A heart")
        #expect(try await badge()["descriptions"] == .object(["en": .string(said)]))

        let id: ID<Entry> = try await world.test.client.one(
            "select id from api_v1.text where key = 'badge.heart'")("id")
        let newest = try #require(try await world.test.database.revisions.newest(of: id))
        let values: JSONValue = .array([
            .object(["locale": "en", "value": .string(said)]), .object(["locale": "de", "value": "gute Luft"]),
        ])
        _ = try await world.write.edit(
            id, fields: newest.content.fields.merging(["values": values]) { $1 }, base: newest.number,
            publishTiming: .now,
            by: TestDatabase.administrator)
        #expect(try await badge()["descriptions"] == .object(["de": "gute Luft", "en": .string(said)]))
        #expect(try await world.isVerified())
    }

    @Test("C19, K13: the database uses the same defaults as the program when no setting is published")
    func defaults() async throws {
        let world = try await RouteWorld.make()
        #expect(try await world.test.database.routes.settings() == RouteSettings())
    }
}
