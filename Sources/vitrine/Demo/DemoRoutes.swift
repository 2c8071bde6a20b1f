// Demo routes, badges and observations of an invented harbor town.
import Domain
import Editorial
import FoundationEssentials
import Intake
import Platform
import Store
import Synchronization

enum DemoRoutes {
    static let city = "Saltmarsh"

    static let set = Demo(
        name: "routes", summary: "Publish three routes, two badges and today's observations of an invented town.",
        details: "Observations cover one day. Load the set again for the next day."
    ) { builder in
        for badge in badges {
            var badge = badge
            let key = badge["slug"]?.stringValue ?? ""
            badge["icon"] = try await builder.image(key == "heart" ? 30 : 31, alt: "Icon of the badge \(key)")
            try await builder.entry("badge", badge)
        }
        let importRoute = ImportRoutes(
            database: builder.database, rules: builder.services.content, city: city, publishTiming: .now)
        for route in routes {
            _ = try await importRoute(Array(gpx(route).utf8), name: route.file, plan: false, by: builder.importer)
        }
        try await record(.air, "index", air.map { ($0.0, $0.1, $0.2, String($0.3)) }, builder)
        try await record(.obstruction, "count", obstructions, builder)
        return
            "Published \(routes.count) routes and two badges, and recorded today's observations. See /routes and /v1/routes."
    }

    /// The texts promise what the badge rules compare.
    static let badges: [[String: JSONValue]] = [
        [
            "title": "Heart", "slug": "heart", "position": .int(1),
            "description": "Easy on the lungs: right now, the air along this route is cleaner than the city average.",
        ],
        [
            "title": "Zoom", "slug": "zoom", "position": .int(2),
            "description": "Made for speed: hardly any climb, and no obstructions at this hour.",
        ],
    ]

    struct Point {
        let latitude: Double
        let longitude: Double
        let elevation: Double

        init(_ latitude: Double, _ longitude: Double, _ elevation: Double) {
            self.latitude = latitude
            self.longitude = longitude
            self.elevation = elevation
        }
    }

    struct Route {
        let file: String
        let title: String
        let summary: String
        let points: [Point]
    }

    static let routes: [Route] = [
        Route(
            file: "demo-quay-loop.gpx", title: "Quay loop", summary: "Around both basins, completely flat.",
            points: [
                Point(50.5000, -20.0070, 3), Point(50.5040, -20.0050, 3), Point(50.5045, -20.0000, 4),
                Point(50.5030, -19.9940, 3), Point(50.4985, -19.9930, 3), Point(50.4955, -19.9980, 3),
                Point(50.4965, -20.0045, 3), Point(50.5000, -20.0070, 3),
            ]),
        Route(
            file: "demo-lighthouse.gpx", title: "Out to the lighthouse",
            summary: "Straight along the mole. Mind the spray.",
            points: [
                Point(50.5010, -20.0100, 3), Point(50.5012, -20.0180, 3.5), Point(50.5008, -20.0260, 4),
                Point(50.5010, -20.0340, 4), Point(50.5012, -20.0420, 7),
            ]),
        Route(
            file: "demo-mill-hill.gpx", title: "Up Mill Hill", summary: "Two miles up, and a bench at the top.",
            points: [
                Point(50.5050, -19.9900, 5), Point(50.5120, -19.9880, 14), Point(50.5190, -19.9820, 31),
                Point(50.5260, -19.9800, 52), Point(50.5330, -19.9760, 70), Point(50.5380, -19.9720, 80),
            ]),
    ]

    /// Place, latitude, longitude, index. The air is best on the mole.
    static let air: [(String, Double, Double, Int)] = [
        ("Fish market", 50.5002, -20.0010, 4), ("Lighthouse", 50.5012, -20.0300, 1), ("Mill", 50.5200, -19.9800, 3),
        ("Station", 50.4900, -19.9950, 6),
    ]

    /// Place, latitude, longitude, count.
    static let obstructions: [(String, Double, Double, String)] = [
        ("Mole", 50.5010, -20.0180, "none"), ("Mole head", 50.5010, -20.0340, "none"),
        ("East lock", 50.5030, -19.9945, "2"),
        ("South basin", 50.4970, -20.0000, "none"), ("Mill lane", 50.5150, -19.9850, "none"),
    ]

    static func gpx(_ route: Route) -> String {
        let points = route.points.map {
            "<trkpt lat=\"\($0.latitude)\" lon=\"\($0.longitude)\"><ele>\($0.elevation)</ele></trkpt>"
        }.joined(separator: "\n")
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="vitrine" xmlns="http://www.topografix.com/GPX/1/1">
            <trk><name>\(route.title)</name><desc>\(route.summary)</desc><trkseg>
            \(points)
            </trkseg></trk>
            </gpx>
            """
    }

    private static func record(
        _ kind: ObservationKind, _ column: String, _ observations: [(String, Double, Double, String)],
        _ builder: DemoBuilder
    ) async throws {
        let (today, tomorrow) = (day(Date()), day(Date().addingTimeInterval(86_400)))
        let rows = observations.map { "\($0.0),\($0.1),\($0.2),\(today)T00:00:00Z,\(tomorrow)T00:00:00Z,\($0.3)" }
        let text = (["place,latitude,longitude,from,to,\(column)"] + rows).joined(separator: "\n")
        let bytes = Mutex<[UInt8]?>(Array(text.utf8))
        var options = ImportObservations.Options()
        options.city = city
        options.source = "demo"
        _ = try await builder.services.importObservations(kind, isJSON: false, options, by: builder.importer) {
            bytes.withLock { bytes in
                defer { bytes = nil }
                return bytes
            }
        }
    }

    private static func day(_ date: Date) -> String {
        String(InstantText.text(date, milliseconds: false).prefix(10))
    }
}
