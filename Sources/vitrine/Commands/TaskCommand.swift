// Tasks from the command line: list, retry.
import Domain
import FoundationEssentials
import Platform
import Store

enum TaskCommand {
    static let entries = [
        CommandEntry(
            command: Command(
                "task", "list", summary: "Lists jobs, newest first.",
                options: [
                    .init("state", .choice(["waiting", "done", "failed"]), "Only these."), CommandRun.json,
                ]),
            run: list),
        CommandEntry(
            command: Command(
                "task", "retry", summary: "Gives a failed job its attempts back.", positionals: [.init("id", "The job.")]
            ),
            run: retry),
    ]

    private struct Line: Encodable {
        let id: String
        let kind: String
        let state: String
        let attempts: Int
        let due_at: Date
        let last_error: String?
    }

    private static func list(_ run: CommandRun) async throws -> ExitCode {
        let tasks = try await run.withDatabase { database, _ in
            try await database.tasks.list(state: run.arguments.text("state"))
        }
        for task in tasks {
            if run.isJSON {
                try Output.json(
                    Line(
                        id: ID<Entry>(task.id).description, kind: task.kind, state: task.state, attempts: task.attempts,
                        due_at: task.dueAt, last_error: task.lastError))
            } else {
                let error = task.lastError.map { "  \($0)" } ?? ""
                Output.line(
                    "\(ID<Entry>(task.id))  \(task.kind)  \(task.state)  \(task.attempts)/\(task.maxAttempts)\(error)")
            }
        }
        return .ok
    }

    private static func retry(_ run: CommandRun) async throws -> ExitCode {
        let id: ID<Entry> = try run.id(run.arguments.argument("id") ?? "")
        let actor = run.operatorActor
        let isRetried = try await run.withDatabase { database, _ in
            try await database.change(by: actor, AuditEvent("task.retry", on: "task", id.description)) { change in
                try await change.tasks.retry(id.uuid)
            }
        }
        guard isRetried else {
            throw Failure.conflict(code: "not_failed", message: "There is no failed job of this id.")
        }
        Output.line("The job runs again.")
        return .ok
    }
}
