// Lists background tasks and retries failed ones.
import Domain
import FoundationEssentials
import Platform
import Store

enum TaskCommand {
    private enum Arguments {
        static let state = Command.Option("state", .choice(["waiting", "done", "failed"]), "Only this state.")
        static let id = Command.Positional("id", "Task id.")
    }

    static let entries = [
        CommandEntry(
            command: Command(
                "task", "list", summary: "List background tasks, newest first.",
                options: [
                    Arguments.state, CommandRun.json,
                ]),
            run: list),
        CommandEntry(
            command: Command(
                "task", "retry", summary: "Retry a failed task.", options: [CommandRun.json],
                positionals: [Arguments.id]),
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
            try await database.tasks.list(state: run.arguments.text(Arguments.state))
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
        let id: ID<Entry> = try run.id(run.arguments.argument(Arguments.id) ?? "")
        let actor = run.operatorActor
        let isRetried = try await run.withDatabase { database, _ in
            guard try await database.tasks.find(id.uuid) != nil else { throw Failure.missing("task") }
            return try await database.transaction(by: actor, AuditEvent("task.retry", on: "task", id.description)) {
                transaction in
                try await transaction.tasks.retry(id.uuid)
            }
        }
        guard isRetried else {
            throw Failure.conflict(
                code: "not_failed", message: "This task has not failed. See \"vitrine task list --state failed\".")
        }
        if run.isJSON {
            try Output.json(["queued": id.description])
        } else {
            Output.line("Task queued to run again.")
        }
        return .ok
    }
}
