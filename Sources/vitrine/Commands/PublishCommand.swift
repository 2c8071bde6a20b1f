// Publishing from the command line: what would change, do it, prove it, mend it.
import Domain
import Platform
import Publishing
import Store

enum PublishCommand {
    static let entries = [
        CommandEntry(
            command: Command(
                "publish", "plan", summary: "Shows, row by row, what \"publish now\" would change in the read tables.",
                options: [CommandRun.json]),
            run: plan),
        CommandEntry(
            command: Command(
                "publish", "now", summary: "Publishes every approved revision that waits, in one publication.",
                options: [CommandRun.dryRun, CommandRun.json]),
            run: now),
        CommandEntry(
            command: Command(
                "publish", "verify", summary: "Compares every read table with what the live set says.",
                details: "Ends with 0 only when no row differs; each that differs is named.", options: [CommandRun.json]
            ),
            run: verify),
        CommandEntry(
            command: Command(
                "publish", "rebuild", summary: "Mends the rows that \"publish verify\" names, in one publication.",
                options: [CommandRun.dryRun, CommandRun.json]),
            run: rebuild),
    ]

    private struct Answer: Encodable {
        let publication: Int64?
        var entries: Int?
    }

    private static func plan(_ run: CommandRun) async throws -> ExitCode {
        let (changes, plan) = try await run.withDatabase { database, _ in
            try await PublishRelease(database: database).plan()
        }
        try run.notify(plan.rows)
        if !run.isJSON { Output.note("\(changes.count) entries wait; publishing them changes \(plan.total) rows.") }
        return .ok
    }

    private static func now(_ run: CommandRun) async throws -> ExitCode {
        if run.arguments.flag("dry-run") { return try await plan(run) }
        let actor = run.operatorActor
        let done = try await run.withDatabase { database, _ in
            try await PublishRelease(database: database).waiting(by: actor)
        }
        if run.isJSON {
            try Output.json(Answer(publication: done.publication, entries: done.entries))
        } else if let number = done.publication {
            Output.line("Publication \(number): \(done.entries) entries.")
        } else {
            Output.line("Nothing waits to be published.")
        }
        return .ok
    }

    private static func verify(_ run: CommandRun) async throws -> ExitCode {
        let rows = try await run.withDatabase { database, _ in try await VerifyReadTables(database: database).verify() }
        try run.notify(rows)
        if !run.isJSON {
            Output.note(rows.isEmpty ? "No row differs." : "\(rows.count) rows differ; see \"publish rebuild\".")
        }
        return rows.isEmpty ? .ok : .failure
    }

    private static func rebuild(_ run: CommandRun) async throws -> ExitCode {
        if run.arguments.flag("dry-run") {
            _ = try await verify(run)
            return .ok
        }
        let actor = run.operatorActor
        let number = try await run.withDatabase { database, _ in
            try await VerifyReadTables(database: database).rebuild(by: actor)
        }
        if run.isJSON {
            try Output.json(Answer(publication: number))
        } else {
            Output.line(
                number.map { "Publication \($0) mended the read tables." } ?? "No row differed; nothing was done.")
        }
        return .ok
    }
}
