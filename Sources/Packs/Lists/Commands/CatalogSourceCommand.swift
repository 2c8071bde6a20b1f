// Lists the sources of the catalogs and their status.
import CommandKit
import FoundationEssentials
import Platform
import Store

enum CatalogSourceCommand {
    static let entries = [
        CommandEntry(
            "catalog-source", "list", summary: "List the sources of catalogs with their status.",
            options: [CommandRun.json], run: list)
    ]

    private static let columns: [Column<CatalogSourceRow>] = [
        .both("name") { $0.name }, .json("calls_this_minute") { $0.callsThisMinute },
        .json("responded_at") { $0.respondedAt },
        .text { source in
            let time = source.respondedAt.map { InstantText.text($0, milliseconds: false) }
            return "last response \(time ?? "never")"
        },
        .json("failing_since") { $0.failingSince }, .both("last_error") { $0.lastError },
        .json("paused_until") { $0.pausedUntil },
    ]

    private static func list(_ run: CommandRun) async throws -> ExitCode {
        try run.list(try await run.withDatabase { database, _ in try await database.catalogSources.all() }, columns)
    }
}
