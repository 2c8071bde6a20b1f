// Lists the scheduled changes of releases.
import CommandKit
import Domain
import FoundationEssentials
import Platform
import Store

enum ScheduleCommand {
    private enum Arguments {
        static let limit = Command.Option(
            "limit", .integer(placeholder: "N", in: 1...100_000), "Maximum number of changes.")
    }

    static let entries = [
        CommandEntry(
            "schedule", "list", summary: "List scheduled changes, entry by entry.",
            options: [Arguments.limit, CommandRun.json], run: list)
    ]

    private static let columns: [Column<UpcomingChange>] = [
        .text { "\($0.localTime) \($0.zone)" }, .both("change") { $0.kind.rawValue },
        .text { $0.title + ($0.revision.map { " version \($0)" } ?? "") }, .text { "release \($0.release)" },
        .json("due_at") { $0.dueAt }, .json("local_time") { $0.localTime }, .json("zone") { $0.zone },
        .json("release") { $0.release }, .json("entry") { $0.entry }, .json("title") { $0.title },
        .json("revision") { $0.revision },
    ]

    private static func list(_ run: CommandRun) async throws -> ExitCode {
        let limit = run.arguments.integer(Arguments.limit) ?? 100
        let rows = try await run.withDatabase { database, _ in try await database.releaseItems.upcoming(limit: limit) }
        return try run.list(rows, columns)
    }
}
