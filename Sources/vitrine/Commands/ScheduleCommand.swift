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
            command: Command(
                "schedule", "list", summary: "List scheduled changes, entry by entry.",
                options: [
                    Arguments.limit, CommandRun.json,
                ]),
            run: list)
    ]

    private struct Line: Encodable {
        let due_at: Date
        let local_time: String
        let zone: String
        let release: Int64
        let entry: String
        let title: String
        let revision: Int?
        let change: String

        init(_ row: UpcomingChange) {
            due_at = row.dueAt
            local_time = row.localTime
            zone = row.zone
            release = row.release
            entry = row.entry.description
            title = row.title
            revision = row.revision
            change = row.kind
        }
    }

    private static func list(_ run: CommandRun) async throws -> ExitCode {
        let limit = run.arguments.integer(Arguments.limit) ?? 100
        for row in try await run.withDatabase({ database, _ in try await database.releaseItems.upcoming(limit: limit) })
        {
            let line = Line(row)
            if run.isJSON {
                try Output.json(line)
            } else {
                Output.line(
                    "\(line.local_time) \(line.zone)  \(line.change)  \(line.title)"
                        + (line.revision.map { " version \($0)" } ?? "") + "  release \(line.release)")
            }
        }
        return .ok
    }
}
