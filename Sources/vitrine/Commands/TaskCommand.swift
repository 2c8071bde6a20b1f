// Lists background tasks of all kinds and retries failed ones.
import CommandKit
import Domain
import FoundationEssentials
import Platform
import Store

enum TaskCommand {
    private enum Arguments {
        static let kind = Command.Option(
            "kind", .choice(BackgroundTaskKind.allCases.map(\.rawValue)), "Only this kind.")
        static let state = Command.Option(
            "state", .choice(BackgroundTaskState.allCases.map(\.rawValue)), "Only this state.")
        static let limit = Command.Option(
            "limit", .integer(placeholder: "N", in: 1...1000), "Maximum number; 100 by default.")
        static let id = Command.Positional("id", "Task id.")
    }

    static let entries = [
        CommandEntry(
            command: Command(
                "task", "list", summary: "List background tasks, newest first.",
                details: "Lists tasks, mails, webhook deliveries and outcomes; done tasks only with --state done.",
                options: [
                    Arguments.kind, Arguments.state, Arguments.limit, CommandRun.json,
                ]),
            run: list),
        CommandEntry(
            command: Command(
                "task", "retry", summary: "Retry a failed background task under the same id.",
                options: [CommandRun.json],
                positionals: [Arguments.id]),
            run: retry),
    ]

    private struct Line: Encodable {
        let id: String
        let kind: BackgroundTaskKind
        let name: String
        let subject: String?
        let recipient: String?
        let state: BackgroundTaskState
        let result: String
        let attempts: Int
        let created_at: Date
        let next_at: Date?
        let finished_at: Date?
        let last_error: String?

        init(_ task: BackgroundTaskRow) {
            id = task.id.uuidString.lowercased()
            kind = task.kind
            name = task.name
            subject = task.subject
            recipient = task.recipient
            state = task.state
            result = task.result
            attempts = task.attempts
            created_at = task.createdAt
            next_at = task.state == .waiting ? task.nextAt : nil
            finished_at = task.finishedAt
            last_error = task.lastError
        }
    }

    private static func list(_ run: CommandRun) async throws -> ExitCode {
        let kind = run.arguments.text(Arguments.kind).flatMap { BackgroundTaskKind(rawValue: $0) }
        let state = run.arguments.text(Arguments.state).flatMap { BackgroundTaskState(rawValue: $0) }
        let page = try await run.withDatabase { database, _ in
            try await database.backgroundTasks.page(
                kind: kind, state: state, limit: run.arguments.integer(Arguments.limit) ?? 100)
        }
        for task in page.items {
            let line = Line(task)
            if run.isJSON {
                try Output.json(line)
            } else {
                let about = [task.recipient, task.subject, task.lastError].compactMap { $0.map { "  \($0)" } }
                Output.line(
                    "\(line.id)  \(task.kind.rawValue)  \(task.name)  \(task.result)  \(task.attempts)\(about.joined())"
                )
            }
        }
        return .ok
    }

    private static func retry(_ run: CommandRun) async throws -> ExitCode {
        let id: ID<BackgroundTaskRow> = try run.id(run.arguments.argument(Arguments.id) ?? "")
        let actor = run.operatorActor
        _ = try await run.withDatabase { _, services in try await services.retryTask(id.uuid, by: actor) }
        if run.isJSON {
            try Output.json(["queued": id.description])
        } else {
            Output.line("Task queued to run again.")
        }
        return .ok
    }
}
