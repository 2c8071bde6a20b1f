// Lists the sources of the catalogs and their status.
import CommandKit
import FoundationEssentials
import Platform
import Store

enum CatalogSourceCommand {
    static let entries = [
        CommandEntry(
            command: Command(
                "catalog-source", "list", summary: "List the sources of catalogs with their status.",
                options: [CommandRun.json]),
            run: list)
    ]

    private struct Line: Encodable {
        let name: String
        let calls_this_minute: Int
        let responded_at: Date?
        let failing_since: Date?
        let last_error: String?
        let paused_until: Date?
    }

    private static func list(_ run: CommandRun) async throws -> ExitCode {
        let sources = try await run.withDatabase { database, _ in try await database.catalogSources.all() }
        for source in sources {
            if run.isJSON {
                try Output.json(
                    Line(
                        name: source.name, calls_this_minute: source.callsThisMinute, responded_at: source.respondedAt,
                        failing_since: source.failingSince, last_error: source.lastError,
                        paused_until: source.pausedUntil
                    ))
            } else {
                let responded = source.respondedAt.map { InstantText.text($0, milliseconds: false) } ?? "never"
                let error = source.lastError.map { "  \($0)" } ?? ""
                Output.line("\(source.name)  last response \(responded)\(error)")
            }
        }
        return .ok
    }
}
