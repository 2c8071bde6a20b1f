// Tests with random routes and observations that the database follows the rules, and that incremental equals full.
import Domain
import FoundationEssentials
import Operations
import Postgres
import Routes
import Store
import TestBasics
import TestSupport
import Testing

@Suite("Badges of random routes", .databases, .packs(.routes))
struct RoutePropertyTests {
    private struct Observation {
        let place: String
        let latitude: Double
        let longitude: Double
        let value: Double
    }

    /// The rules over all observations one by one, without the database's optimizations.
    private func expected(
        _ path: RoutePath, _ observations: [Observation], _ kind: ObservationKind, _ settings: RouteSettings
    ) -> BadgeResult {
        let reach = kind == .air ? settings.airReach : settings.obstructionReach
        let near = observations.filter { $0.value > 0 && distance(of: $0, to: path) <= reach }
        let values = path.samples(every: settings.sampleMiles * RoutePath.metersInMile).map { sample -> Double? in
            observations.map { observation in
                (
                    far: RoutePoint.meters(
                        sample.latitude, sample.longitude, observation.latitude, observation.longitude),
                    place: observation.place, value: observation.value
                )
            }
            .filter { $0.far <= reach }.min { ($0.far, $0.place) < ($1.far, $1.place) }?.value
        }
        return kind == .air
            ? BadgeRule.heart(samples: values, city: observations.map(\.value))
            : BadgeRule.zoom(
                netElevation: path.netElevation, limit: settings.zoomMaxElevation, reports: values,
                obstructions: near.reduce(0) { $0 + $1.value })
    }

    /// The distance in meters from the nearest of many points of the line.
    private func distance(of observation: Observation, to path: RoutePath) -> Double {
        path.samples(every: 1).map {
            RoutePoint.meters($0.latitude, $0.longitude, observation.latitude, observation.longitude)
        }.min() ?? .infinity
    }

    @Test(
        "C16, C18, C20: badges of random routes computed one by one equal those of the database",
        arguments: TestScale.seeds(1, 2, 3))
    func bruteForce(seed: UInt64) async throws {
        let world = try await RouteWorld.make()
        var generator = SeededGenerator(seed: seed)
        func random(_ range: ClosedRange<Double>, _ places: Double = 10_000) -> Double {
            (Double.random(in: range, using: &generator) * places).rounded() / places
        }
        var paths: [ID<Entry>: RoutePath] = [:]
        for number in 1...12 {
            var place = (random(50...50.06), random(10...10.08))
            let points = (0...Int.random(in: 1...40, using: &generator)).map { _ -> (Double, Double, Double?) in
                // No step is zero, since a route of equal points has no length.
                place = (
                    place.0 + random(-0.004...0.004),
                    place.1 + random(0.0001...0.004) * (Bool.random(using: &generator) ? 1 : -1)
                )
                return (place.0, place.1, Int.random(in: 0..<12, using: &generator) == 0 ? nil : random(0...20, 10))
            }
            let path = try RoutePath(
                points: points.compactMap { RoutePoint(latitude: $0.0, longitude: $0.1, elevation: $0.2) })
            paths[try await world.route("Route \(number)", points)] = path
        }
        var observations: [ObservationKind: [Observation]] = [:]
        for kind in [ObservationKind.air, .obstruction] {
            let count = kind == .air ? 12 : 150
            let found = (1...count).map { number in
                Observation(
                    place: "p\(number)", latitude: random(49.98...50.08), longitude: random(9.98...10.1),
                    value: kind == .air
                        ? Double(Int.random(in: 1...10, using: &generator))
                        : Int.random(in: 0..<60, using: &generator) == 0 ? 2 : 0)
            }
            observations[kind] = found
            try await world.observations(kind, found.map { ($0.place, $0.latitude, $0.longitude, "\(Int($0.value))") })
        }
        let settings = RouteSettings()
        var seen: [String: Int] = [:]
        for (route, path) in paths {
            let heart = expected(path, observations[.air] ?? [], .air, settings)
            let zoom = expected(path, observations[.obstruction] ?? [], .obstruction, settings)
            #expect(
                try await world.results(route) == ["10 heart \(heart.rawValue)", "10 zoom \(zoom.rawValue)"],
                "\(path.points)")
            seen["heart \(heart)", default: 0] += 1
            seen["zoom \(zoom)", default: 0] += 1
        }
        #expect(seen.count >= 3, "\(seen)")
        let lengths: [Double] = try await world.test.client.query("select distance_m from api_v1.route order by 1").map
        {
            try $0("distance_m")
        }
        #expect(zip(lengths, paths.values.map(\.length).sorted()).allSatisfy { abs($0 - $1) < 0.001 })
    }

    @Test(
        "C16, C17, R23: after random actions on routes, badges and observations the read tables equal a full rebuild",
        arguments: TestScale.seeds(4))
    func incrementalEqualsFull(seed: UInt64) async throws {
        let world = try await RouteWorld.make()
        try await world.badges()
        var generator = SeededGenerator(seed: seed)
        var routes: [ID<Entry>] = []
        let cities = ["London", "Paris", nil]
        for round in 1...40 {
            let points: [(Double, Double, Double?)] = (0...4).map { step in
                (50 + Double(step) * Double.random(in: 0.001...0.004, using: &generator), 10, Double(step))
            }
            let city = cities[Int.random(in: 0...2, using: &generator)]
            switch Int.random(in: 0..<7, using: &generator) {
            case 0, 1: routes.append(try await world.route("Route \(round)", points, city: city))
            case 2:
                guard let id = routes.randomElement(using: &generator),
                    let newest = try await world.test.database.revisions.newest(of: id)
                else { continue }
                _ = try await world.write.edit(
                    id, fields: world.fields("Route \(round)", points, city), base: newest.number, publishTiming: .now,
                    by: TestDatabase.administrator)
            case 3:
                guard let id = routes.randomElement(using: &generator),
                    try await world.test.database.entries.find(id)?.live != nil
                else { continue }
                _ = try await world.write.unpublish(id, by: TestDatabase.administrator)
            case 4:
                // A rollback by some publications; observations stay, they are not part of it.
                let current = try await world.test.database.publications.current()
                _ = try await world.test.services.publishRelease.rollback(
                    to: max(1, current - 2), seen: nil, by: TestDatabase.administrator)
            default:
                let kind: ObservationKind = Bool.random(using: &generator) ? .air : .obstruction
                try await world.observations(
                    kind,
                    (0...5).map {
                        ("p\($0)", 50 + Double($0) / 250, 10, "\(Int.random(in: 0...3, using: &generator))")
                    },
                    hour: Int.random(in: 10...13, using: &generator),
                    city: Bool.random(using: &generator) ? "London" : "Paris")
            }
            if round % 4 == 0 { #expect(try await world.isVerified(), "after action \(round)") }
        }
        let gaps: Int = try await world.test.client.one("select max(number) - count(*) as gaps from api_v1.change")(
            "gaps")
        #expect(gaps == 0)
    }
}
