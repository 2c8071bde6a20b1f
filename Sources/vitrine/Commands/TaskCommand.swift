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
            "task", "list", summary: "List background tasks, newest first.",
            details: "Lists tasks, mails, webhook deliveries and outcomes; done tasks only with --state done.",
            options: [Arguments.kind, Arguments.state, Arguments.limit, CommandRun.json], run: list),
        CommandEntry(
            "task", "retry", summary: "Retry a failed background task under the same id.", options: [CommandRun.json],
            positionals: [Arguments.id], run: retry),
    ]

    private static let columns: [Column<BackgroundTaskRow>] = [
        .both("id") { $0.id.uuidString.lowercased() }, .both("kind") { $0.kind.rawValue }, .both("name") { $0.name },
        .both("result") { $0.result }, .both("attempts") { $0.attempts }, .both("recipient") { $0.recipient },
        .both("subject") { $0.subject }, .both("last_error") { $0.lastError },
        .json("state") { $0.state }, .json("created_at") { $0.createdAt },
        .json("next_at") { $0.state == .waiting ? $0.nextAt : nil }, .json("finished_at") { $0.finishedAt },
    ]

    private static func list(_ run: CommandRun) async throws -> ExitCode {
        let kind = run.arguments.text(Arguments.kind).flatMap { BackgroundTaskKind(rawValue: $0) }
        let state = run.arguments.text(Arguments.state).flatMap { BackgroundTaskState(rawValue: $0) }
        let page = try await run.withDatabase { database, _ in
            try await database.backgroundTasks.page(
                kind: kind, state: state, limit: run.arguments.integer(Arguments.limit) ?? 100)
        }
        return try run.list(page.items, columns)
    }

    private static func retry(_ run: CommandRun) async throws -> ExitCode {
        let id: ID<BackgroundTaskRow> = try run.id(run.arguments.argument(Arguments.id) ?? "")
        _ = try await run.withDatabase { _, services in try await services.retryTask(id.uuid, by: run.operatorActor) }
        return try run.report(["queued": id], "Task queued to run again.")
    }
}
