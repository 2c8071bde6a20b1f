// A database with routes and observations, for tests of badges.
import Domain
import Operations
import Postgres
import Routes
import Store
import Synchronization

package struct RouteWorld: World {
    package let test: TestDatabase

    package init(test: TestDatabase) { self.test = test }

    package static func make() async throws -> RouteWorld { RouteWorld(test: try await TestDatabase.make()) }

    /// About 1.1 km along a meridian: three samples, at 50.0, 50.00724 and 50.01.
    package static let line: [(Double, Double, Double?)] = [(50, 10, 5), (50.005, 10, 40), (50.01, 10, 15)]

    package func route(
        _ title: String = "Line", _ points: [(Double, Double, Double?)] = line, city: String? = "London",
        publishTiming: PublishTiming = .now
    ) async throws -> ID<Entry> {
        try await write.create(
            type: "route", fields: fields(title, points, city), publishTiming: publishTiming,
            by: TestDatabase.administrator
        ).entry
    }

    package func fields(_ title: String, _ points: [(Double, Double, Double?)], _ city: String?) -> [String: JSONValue]
    {
        var fields: [String: JSONValue] = [
            "title": .string(title),
            "path": .array(
                points.map { point in
                    .array([.double(point.0), .double(point.1)] + (point.2.map { [.double($0)] } ?? []))
                }),
        ]
        if let city { fields["city"] = .string(city) }
        return fields
    }

    /// Changes the two badges that a deployment has.
    package func badges() async throws {
        for key in ["heart", "zoom"] { try await edit(try await badge(key), ["description": "Ours."]) }
    }

    package func badge(_ key: String) async throws -> ID<Entry> {
        try await test.client.one("select id from api_v1.badge where key = \(key)")("id")
    }

    @discardableResult
    package func record(
        _ kind: ObservationKind, _ text: String, isJSON: Bool = false, city: String? = "London", zone: String = "UTC",
        sites: [String] = [], source: String = "test", pieces: Int = 7
    ) async throws -> ObservationImport {
        let rest = Mutex(ArraySlice(text.utf8))
        var options = ImportObservations.Options()
        options.city = city
        options.zone = zone
        options.source = source
        options.sites = sites.map { Array($0.utf8) }
        return try await test.services.importObservations(
            kind, isJSON: isJSON, options, by: TestDatabase.administrator
        ) {
            rest.withLock { rest in
                if rest.isEmpty { return nil }
                defer { rest = rest.dropFirst(pieces) }
                return Array(rest.prefix(pieces))
            }
        }
    }

    /// One observation per line: site, latitude, longitude, value; all in the hour from `hour` of the same day, which is
    /// not over; or in another period.
    @discardableResult
    package func observations(
        _ kind: ObservationKind, _ rows: [(String, Double, Double, String)], hour: Int = 10, city: String = "London",
        during period: (from: String, to: String)? = nil
    ) async throws -> ObservationImport {
        let column = kind == .air ? "index" : "count"
        let times =
            period.map { "\($0.from),\($0.to)" }
            ?? "2093-03-01T\(hour):00:00Z,2093-03-01T\(hour + 1):00:00Z"
        let lines = rows.map { "\($0.0),\($0.1),\($0.2),\(times),\($0.3)" }
        return try await record(
            kind, (["place,latitude,longitude,from,to,\(column)"] + lines).joined(separator: "\n"), city: city)
    }

    /// A day that began an hour ago, by the database's clock.
    package func currentDay() async throws -> (from: String, to: String) {
        let row = try await test.client.one(
            """
            select projection.rfc3339(now() - interval '1 hour') as starts, projection.rfc3339(now() + interval '23 hours') as ends
            """)
        return (try row("starts"), try row("ends"))
    }

    /// The badges of the read table by the hour in which their period begins: `10 heart given`.
    package func results(_ route: ID<Entry>) async throws -> [String] {
        try await test.client.query(
            """
            select to_char(valid_from at time zone 'UTC', 'HH24') || ' ' || badge || ' ' || result as line
            from api_v1.route_badge where route_id = \(route) order by valid_from, badge
            """
        ).map { try $0("line") }
    }
}
