// Jobs from the command line: list, retry.
import Domain
import FoundationEssentials
import Platform
import Store

enum JobCommand {
    static let entries = [
        CommandEntry(
            command: Command(
                "job", "list", summary: "Lists jobs, newest first.",
                options: [
                    .init("state", .choice(["waiting", "done", "failed"]), "Only these."), CommandRun.json,
                ]),
            run: list),
        CommandEntry(
            command: Command(
                "job", "retry", summary: "Gives a failed job its attempts back.", positionals: [.init("id", "The job.")]
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
        let jobs = try await run.withDatabase { database, _ in
            try await database.jobs.list(state: run.arguments.text("state"))
        }
        for job in jobs {
            if run.isJSON {
                try Output.json(
                    Line(
                        id: ID<Entry>(job.id).description, kind: job.kind, state: job.state, attempts: job.attempts,
                        due_at: job.dueAt, last_error: job.lastError))
            } else {
                let error = job.lastError.map { "  \($0)" } ?? ""
                Output.line(
                    "\(ID<Entry>(job.id))  \(job.kind)  \(job.state)  \(job.attempts)/\(job.maxAttempts)\(error)")
            }
        }
        return .ok
    }

    private static func retry(_ run: CommandRun) async throws -> ExitCode {
        let id: ID<Entry> = try run.id(run.arguments.argument("id") ?? "")
        let actor = run.operatorActor
        let isRetried = try await run.withDatabase { database, _ in
            try await database.change(by: actor, AuditEvent("job.retry", on: "job", id.description)) { change in
                try await change.jobs.retry(id.uuid)
            }
        }
        guard isRetried else {
            throw Failure.conflict(code: "not_failed", message: "There is no failed job of this id.")
        }
        Output.line("The job runs again.")
        return .ok
    }
}
