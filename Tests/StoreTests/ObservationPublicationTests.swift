// Tests that observations are published in pieces, and only while somebody can read their results.
import Domain
import Operations
import Postgres
import Routes
import Store
import TestSupport
import Testing

@Suite("Publication of observations", .databases, .packs(.routes))
struct ObservationPublicationTests {
    private static let header = "place,latitude,longitude,from,to,index"

    /// A value at the start of `RouteWorld.line` in an hour of a day in 2093.
    private func line(_ value: Int, hour: Int = 10) -> String {
        "a,50,10,2093-03-01T\(hour):00:00Z,2093-03-01T\(hour + 1):00:00Z,\(value)"
    }

    /// Records as an import does that is stopped before it publishes anything.
    private func record(_ values: [Int], _ world: RouteWorld) async throws {
        let observations = values.enumerated().map { hour, value in
            NewObservation(
                site: "a", measure: "index", latitude: 50, longitude: 10,
                period: .hour("2093-03-01T1\(hour):00:00Z"), value: Double(value))
        }
        try await world.test.database.transaction(
            by: TestDatabase.administrator, AuditEvent("observation.import", on: "air")
        ) {
            _ = try await $0.observations.record(
                observations, from: ObservationOrigin(kind: .air, city: "London", zone: "UTC", source: "test"))
        }
    }

    private func publish(_ limit: Int, _ world: RouteWorld) async throws -> (publication: Int64?, remaining: Int) {
        try await world.test.database.transaction(
            by: TestDatabase.administrator, AuditEvent("observation.publish", on: "observation")
        ) { try await $0.observations.publish(limit: limit, note: "test", by: TestDatabase.administrator) }
    }

    /// How many badges there are with each mean of the city.
    private func means(_ world: RouteWorld) async throws -> [String] {
        try await world.test.client.query(
            """
            select (document ->> 'city_mean')::numeric::integer || ': ' || count(*) as line
            from api_v1.route_badge group by (document ->> 'city_mean')::numeric order by 1
            """
        ).map { try $0("line") }
    }

    private func routes(_ count: Int) async throws -> RouteWorld {
        let world = try await RouteWorld.make()
        for number in 1...count { _ = try await world.route("Route \(number)") }
        return world
    }

    @Test("A piece has the results of at most as many routes as it may, and other publications run between pieces")
    func pieces() async throws {
        let world = try await routes(5)
        try await record([1, 2], world)
        #expect(try await means(world).isEmpty)
        let first = try await publish(3, world)
        #expect(first.remaining == 2)
        #expect(try await means(world) == ["1: 3"])
        // What is pending is no difference, and no part of others' publications.
        #expect(try await world.isVerified())
        _ = try await world.route("Another", city: "Paris")
        #expect(try await means(world) == ["1: 3"])
        // The rest of the first period, and a route of the second.
        #expect(try await publish(3, world).remaining == 1)
        #expect(try await means(world) == ["1: 5", "2: 1"])
        // Exactly as many as are left don't show that there are no more.
        #expect(try await publish(4, world).remaining == 1)
        #expect(try await means(world) == ["1: 5", "2: 5"])
        let last = try await publish(4, world)
        #expect(last.remaining == 0 && last.publication == nil)
        #expect(try await world.isVerified())
    }

    @Test("A value that is recorded while its period is published in pieces reaches all routes")
    func changedMeanwhile() async throws {
        let world = try await routes(4)
        try await record([1], world)
        #expect(try await publish(2, world).remaining == 1)
        try await record([7], world)
        #expect(try await publish(3, world).remaining == 1)
        #expect(try await means(world) == ["7: 3"])
        #expect(try await publish(3, world).remaining == 0)
        #expect(try await means(world) == ["7: 4"])
        #expect(try await world.isVerified())
    }

    @Test("A route that is created while its period is published in pieces has its results at once")
    func newRoute() async throws {
        let world = try await routes(2)
        try await record([1], world)
        _ = try await publish(1, world)
        let route = try await world.route("Newest")
        #expect(try await world.results(route) == ["10 heart not_given"])
        #expect(try await world.isVerified())
    }

    @Test("What a stopped import leaves pending, the next one publishes, although it records nothing new")
    func continues() async throws {
        let world = try await routes(3)
        try await record([1], world)
        _ = try await publish(1, world)
        let outcome = try await world.record(.air, [Self.header, line(1)].joined(separator: "\n"))
        #expect(outcome.recorded == 0 && outcome.known == 1 && outcome.publication != nil)
        #expect(try await means(world) == ["1: 3"])
    }

    @Test("Only periods that are not over have results; their observations are kept")
    func over() async throws {
        let world = try await routes(1)
        let past = (0..<24).map { "a,50,10,2026-03-01T00:00:00Z,2026-03-01T0\($0 % 9 + 1):00:00Z,\($0)" }
        let before = try await world.test.database.publications.current()
        let outcome = try await world.record(.air, ([Self.header] + past).joined(separator: "\n"))
        #expect(outcome.recorded > 0 && outcome.publication == nil)
        #expect(try await world.test.database.publications.current() == before)
        _ = try await world.record(.air, [Self.header, line(3)].joined(separator: "\n"))
        #expect(try await means(world) == ["3: 1"])
        let kept = try await world.test.database.observations.list(ObservationFilter(), ofHistory: false, limit: 99)
        #expect(kept.count > 1)
        #expect(try await world.isVerified())
    }

    @Test("A period that ends loses its results")
    func ends() async throws {
        let world = try await routes(2)
        let observations = world.test.database.observations
        try await world.record(.air, [Self.header, line(3), line(4, hour: 11)].joined(separator: "\n"))
        #expect(try await observations.isPending() == false)
        try await world.test.client.run(
            script: """
                begin;
                insert into ops.audit_event (actor_id, action, object_type)
                values ('00000000-0000-7000-8000-000000000001', 'observation.import', 'observation');
                update curation.validity_period set valid_from = now() - interval '1 hour', valid_to = now()
                where extract(hour from valid_from at time zone 'UTC') = 10;
                update api_v1.route_badge set valid_from = s.valid_from, valid_to = s.valid_to
                from curation.validity_period s
                where s.valid_to = now() and extract(hour from route_badge.valid_from at time zone 'UTC') = 10;
                commit;
                """)
        #expect(try await means(world) == ["3: 2", "4: 2"])
        #expect(try await observations.isPending())
        _ = try await publish(10, world)
        #expect(try await means(world) == ["4: 2"])
        #expect(try await world.isVerified())
    }

    @Test("Whatever interrupts an import of a year of hours, it records no results for hours that are over")
    func year() async throws {
        let world = try await routes(2)
        let hours = (0..<2_000).map { hour -> String in
            let day = "2025-\(hour / 24 / 28 + 10)-\(String("0\(hour / 24 % 28 + 1)".suffix(2)))"
            let time = "\(String("0\(hour % 24)".suffix(2)))"
            return "a,50,10,\(day)T\(time):00:00Z,\(day)T\(time):59:59Z,\(hour % 7)"
        }
        let outcome = try await world.record(
            .air, ([Self.header] + hours + [line(5)]).joined(separator: "\n"), pieces: 1 << 14)
        #expect(outcome.recorded == 2_001)
        #expect(try await means(world) == ["5: 2"])
        let changes: Int = try await world.test.client.one(
            "select count(*) as n from api_v1.change where read_table = 'route_badge'")("n")
        #expect(changes == 2)
        #expect(try await world.isVerified())
    }
}
