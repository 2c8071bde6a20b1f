// Tests the geometry of routes and the badge rules at their boundaries.
import Domain
import Routes
import TestBasics
import Testing

@Suite("Routes and badge rules")
struct RoutePathTests {
    /// A line due north along a meridian, whose length is an arc that is known without haversine.
    private func north(_ steps: [Double], elevations: [Double?] = []) throws -> RoutePath {
        let points = steps.enumerated().map { index, degrees in
            RoutePoint(
                latitude: degrees, longitude: 10, elevation: index < elevations.count ? elevations[index] : nil)
        }
        return try RoutePath(points: points.compactMap { $0 })
    }

    @Test("C13: the length of a path is the sum of the arcs between its points; a degree of latitude is 111.195 km")
    func length() throws {
        let path = try north([50, 50.5, 51])
        #expect(abs(path.length - RoutePoint.earthRadius * Double.pi / 180) < 0.001)
        #expect(path.distances.count == 3 && path.distances[0] == 0)
        let back = try north([50, 51, 50])
        #expect(abs(back.length - 2 * path.length) < 0.001)
        let position = try #require(RoutePoint(latitude: 60, longitude: 0))
        let east = try #require(RoutePoint(latitude: 60, longitude: 1))
        // At 60 degrees, a degree of longitude is half as wide, minus the difference to the great circle.
        #expect(abs(position.meters(to: east) - path.length / 2) < 5)
    }

    @Test(
        "C18: net elevation is the last minus the first, signed; unknown if either is missing, regardless of other points"
    )
    func netElevation() throws {
        #expect(try north([50, 50.1, 50.2], elevations: [5, 90, 15]).netElevation == 10)
        #expect(try north([50, 50.1, 50.2], elevations: [15, nil, 5.1]).netElevation == -9.9)
        #expect(try north([50, 50.1], elevations: [0, 10.006]).netElevation == 10.01)
        #expect(try north([50, 50.1], elevations: [0, 0]).netElevation == 0)
        #expect(try north([50, 50.1], elevations: [nil, 4]).netElevation == nil)
        #expect(try north([50, 50.1], elevations: [4]).netElevation == nil)
    }

    @Test("C16: samples are at the start, at every spacing before the end, and at the end once")
    func samples() throws {
        let path = try north([50, 50.01, 50.03])
        let all = path.samples(every: path.length / 4)
        #expect(all.count == 5)
        #expect(all.first?.distance == 0 && all.last?.distance == path.length)
        #expect(abs(all[1].latitude - 50.0075) < 0.000001)
        // One meter more than half: start, spacing, end. The exact length and more: start and end.
        #expect(path.samples(every: path.length / 2 + 1).map(\.distance) == [0, path.length / 2 + 1, path.length])
        #expect(path.samples(every: path.length).map(\.distance) == [0, path.length])
        #expect(path.samples(every: path.length * 3).map(\.distance) == [0, path.length])
        #expect(path.samples(every: path.length - 1).count == 3)
    }

    @Test("A path has 2 to 20,000 points, a length greater than 0 and at most the maximum")
    func limits() throws {
        let point = try #require(RoutePoint(latitude: 1, longitude: 1))
        #expect(throws: PathProblem.fewPoints(1)) { try RoutePath(points: [point]) }
        #expect(throws: PathProblem.noLength) { try RoutePath(points: [point, point]) }
        let many = (0..<20_001).compactMap { RoutePoint(latitude: Double($0 % 2) / 10_000, longitude: 0) }
        #expect(throws: PathProblem.manyPoints(20_001)) { try RoutePath(points: many) }
        #expect(try RoutePath(points: Array(many.prefix(20_000))).points.count == 20_000)
        #expect(throws: PathProblem.self) { try north([-80, 80]) }
        #expect(RoutePoint(latitude: 90, longitude: -180, elevation: 9000) != nil)
        #expect(RoutePoint(latitude: 90.1, longitude: 0) == nil)
        #expect(RoutePoint(latitude: 0, longitude: 180.1) == nil)
        #expect(RoutePoint(latitude: 0, longitude: 0, elevation: 9000.1) == nil)
    }

    @Test("A path round-trips through content and form, rounded to 5 and 2 decimals; an invalid line is reported")
    func text() throws {
        let value: JSONValue = .array([
            .array([.double(51.504148), .double(-0.153122), .double(23.004)]), .array([.double(51.6), .int(0)]),
        ])
        let path = try RoutePath(reading: value)
        #expect(
            path.json
                == .array([
                    .array([.double(51.50415), .double(-0.15312), .int(23)]), .array([.double(51.6), .int(0)]),
                ]))
        let text = RoutePath.formText(of: path.json)
        #expect(text == "51.50415 -0.15312 23\n51.6 0")
        #expect(RoutePath.points(fromForm: "51.50415, -0.15312; 23\n\n 51.6\t0 \n") == path.json)
        #expect(RoutePath.points(fromForm: "51.5 here") == nil)
        #expect(throws: PathProblem.format(line: 2)) {
            try RoutePath(reading: .array([.array([.int(1), .int(2)]), .array([.int(91), .int(2)])]))
        }
        #expect(throws: PathProblem.format(line: 1)) {
            try RoutePath(reading: .array([.array([.int(1)]), .array([])]))
        }
    }

    @Test("C16, K12: heart is strictly less than the city: equal is not given, anything missing is unknown")
    func heart() {
        #expect(BadgeRule.heart(samples: [2, 3], city: [2.5, 2.51]) == .given)
        #expect(BadgeRule.heart(samples: [2, 3], city: [2.5]) == .notGiven)
        #expect(BadgeRule.heart(samples: [2, 3], city: [2.4]) == .notGiven)
        #expect(BadgeRule.heart(samples: [1, nil], city: [9]) == .unknown)
        #expect(BadgeRule.heart(samples: [1, 1], city: []) == .unknown)
        #expect(BadgeRule.heart(samples: [], city: [9]) == .unknown)
        // Thirds: dividing first would round 3/3 to 1.
        #expect(BadgeRule.heart(samples: [1, 1, 2], city: [1, 1, 2]) == .notGiven)
    }

    @Test(
        "C18, K12: zoom is at most 10 m (inclusive) without obstruction; missing data is unknown, not none"
    )
    func zoom() {
        func zoom(_ net: Double?, _ reports: [Double?], _ obstructions: Double = 0) -> BadgeResult {
            BadgeRule.zoom(netElevation: net, limit: 10, reports: reports, obstructions: obstructions)
        }
        #expect(zoom(10, [0, 0]) == .given)
        #expect(zoom(10.1, [0, 0]) == .notGiven)
        #expect(zoom(9.9, [0]) == .given)
        #expect(zoom(-40, [0]) == .given)
        #expect(zoom(10, [0, 0], 1) == .notGiven)
        // The report nearest to a sample may be an obstruction that is not near the line.
        #expect(zoom(10, [0, 1]) == .given)
        #expect(zoom(10, [0, nil]) == .unknown)
        #expect(zoom(10, [0, nil], 1) == .unknown)
        #expect(zoom(10, []) == .unknown)
        #expect(zoom(nil, [0]) == .unknown)
        #expect(zoom(50, [nil]) == .unknown)
    }

    @Test(
        "C21, K13: for all valid settings, both beat one and one beats none, and a badge never lowers the rank of a route",
        arguments: TestScale.seeds(6))
    func multipliers(seed: UInt64) {
        var accepted = 0
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<5000 {
            var settings = RouteSettings()
            settings.multipliers.heart = Double.random(in: 0.5...4, using: &generator)
            settings.multipliers.zoom = Double.random(in: 0.5...4, using: &generator)
            settings.multipliers.both = Double.random(in: 0.5...6, using: &generator)
            guard settings.problems.isEmpty else { continue }
            accepted += 1
            let of = settings.multipliers
            let none = of.value(heart: false, zoom: false)
            #expect(none == 1)
            for one in [of.value(heart: true, zoom: false), of.value(heart: false, zoom: true)] {
                #expect(one > none && of.value(heart: true, zoom: true) > one)
                // The weight only decreases, regardless of the distance of other routes.
                let distance = Double.random(in: 1...1_000_000, using: &generator)
                #expect(distance / one < distance && distance / of.value(heart: true, zoom: true) < distance / one)
            }
        }
        #expect(accepted > 100)
    }

    @Test("K13: a multiplier of exactly 1, and a combined one not greater than each, are rejected by name")
    func refusedMultipliers() {
        var settings = RouteSettings()
        #expect(settings.problems.isEmpty)
        settings.multipliers.heart = 1
        #expect(settings.problems.items.map(\.pointer) == ["/routes.multiplier.heart"])
        settings.multipliers.heart = 2
        #expect(settings.problems.items.map(\.pointer) == ["/routes.multiplier.both"])
        settings.multipliers.both = 2.01
        #expect(settings.problems.isEmpty)
        settings.sampleMiles = 0
        #expect(settings.problems.items.map(\.pointer) == ["/routes.sample_miles"])
    }

    @Test(
        "C20: a concentration becomes an index at the boundaries of the British bands, and British grid coordinates are correct"
    )
    func inputs() throws {
        #expect(
            AirIndex.no2.index(of: 67) == 1 && AirIndex.no2.index(of: 67.4) == 1 && AirIndex.no2.index(of: 67.6) == 2)
        #expect(
            AirIndex.pm25.index(of: 0) == 1 && AirIndex.pm25.index(of: 70) == 9 && AirIndex.pm25.index(of: 71) == 10)
        #expect(AirIndex.o3.index(of: -1) == nil)
        #expect(
            AirIndex(substance: "pm2.5") == .pm25 && AirIndex(substance: "no2") == .no2
                && AirIndex(substance: "co") == nil)
        // The Ordnance Survey's example, Caister water tower, converted to WGS84.
        let tower = try #require(OSGrid.coordinates(easting: 651_409.903, northing: 313_177.270))
        #expect(abs(tower.latitude - 52.65798) < 0.0001 && abs(tower.longitude - 1.71605) < 0.0001)
        #expect(OSGrid.coordinates(easting: -1, northing: 0) == nil)
        #expect(Postcode.key(" e1  0bp ") == "E10BP" && Postcode.key("x") == nil && Postcode.key("E1-0BP") == nil)
    }

    @Test("Numbers are formatted with the requested number of decimals")
    func words() {
        #expect(
            DistanceText.decimals(2.5, 0) == "3" && DistanceText.decimals(0, 0) == "0"
                && DistanceText.decimals(-0.04, 1) == "0.0")
        #expect(DistanceText.decimals(-1.25, 1) == "-1.3" && DistanceText.decimals(12.004, 2) == "12.00")
        #expect(DistanceText.decimals(.infinity, 1) == "inf" && DistanceText.decimals(.nan, 2) == "nan")
        #expect(DistanceText.net(nil) == "unknown" && DistanceText.net(9.04) == "+9.04 m")
        #expect(DistanceText.net(-3) == "-3 m")
        #expect(DistanceText.length(1609.344) == "1.61 km (1.00 mi)")
    }
}
