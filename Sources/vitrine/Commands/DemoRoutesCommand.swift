// Fills a database with a few routes, badges and readings to look at.
import Domain
import Editorial
import FoundationEssentials
import Intake
import Platform
import Store
import Synchronization

enum DemoRoutesCommand {
    static let entries = [
        CommandEntry(
            command: Command(
                "demo", "routes",
                summary: "Adds three routes, two badges and today's readings of a town that is nowhere.",
                details: "Badges that are there already are left alone; run it again tomorrow for tomorrow's readings.",
                examples: [.init("demo routes", "")]),
            run: run)
    ]

    private static func run(_ run: CommandRun) async throws -> ExitCode {
        let actor = Actor(kind: .system, name: "import", requestID: run.operatorActor.requestID)
        try await run.withDatabase { database, rules in
            let write = WriteEntry(database: database, rules: rules)
            for badge in DemonstrationRoutes.badges {
                let key = badge["slug"]?.stringValue ?? ""
                if try await database.entries.find(type: "badge", slug: key) != nil { continue }
                _ = try await write.create(
                    type: "badge", fields: badge, note: "demonstration", goLive: .now, by: actor)
            }
            let importing = ImportRoutes(
                database: database, rules: rules, city: DemonstrationRoutes.city, goLive: .now)
            for route in DemonstrationRoutes.routes {
                _ = try await importing(
                    Array(DemonstrationRoutes.gpx(route).utf8), name: route.file, plan: false, by: actor)
            }
            try await record(
                .air, "index", DemonstrationRoutes.air.map { ($0.0, $0.1, $0.2, String($0.3)) }, database, actor)
            try await record(.obstruction, "count", DemonstrationRoutes.obstructions, database, actor)
        }
        Output.line("Three routes, two badges and the readings of today are there; see /routes and /v1/routes.")
        return .ok
    }

    private static func record(
        _ kind: FactKind, _ column: String, _ facts: [(String, Double, Double, String)], _ database: Database,
        _ actor: Actor
    ) async throws {
        let (today, tomorrow) = (day(Date()), day(Date().addingTimeInterval(86_400)))
        let rows = facts.map { "\($0.0),\($0.1),\($0.2),\(today)T00:00:00Z,\(tomorrow)T00:00:00Z,\($0.3)" }
        let text = (["place,latitude,longitude,from,to,\(column)"] + rows).joined(separator: "\n")
        let bytes = Mutex<[UInt8]?>(Array(text.utf8))
        var options = ImportFacts.Options()
        options.city = DemonstrationRoutes.city
        options.source = "demonstration"
        _ = try await ImportFacts(database: database)(kind, isJSON: false, options, by: actor) {
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
