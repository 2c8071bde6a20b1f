// Plans and makes publications; verifies and repairs the read tables.
import CommandKit
import Domain
import Platform
import Publishing
import Store

enum PublishCommand {
    static let entries = [
        CommandEntry(
            command: Command(
                "publish", "plan", summary: "Show the row changes that \"publish now\" would make.",
                options: [CommandRun.json]),
            run: plan),
        CommandEntry(
            command: Command(
                "publish", "now", summary: "Publish every approved revision in one publication.",
                details: "Entries that a rule blocks keep waiting and are listed with the reason.",
                options: [CommandRun.dryRun, CommandRun.json]),
            run: now),
        CommandEntry(
            command: Command(
                "publish", "verify", summary: "Compare the read tables with the live set.",
                details: "Exits with 0 only if no row differs. Lists each difference.", options: [CommandRun.json]
            ),
            run: verify),
        CommandEntry(
            command: Command(
                "publish", "repair", summary: "Repair the rows that differ, in one publication.",
                options: [CommandRun.dryRun, CommandRun.json]),
            run: repair),
    ]

    private struct PublicationLine: Encodable {
        let publication: Int64?
        var entries: Int?
        var blocked: [BlockedEntry]?
    }

    private static func plan(_ run: CommandRun) async throws -> ExitCode {
        let waiting = try await run.withDatabase { _, services in
            try await services.publishRelease.plan()
        }
        try run.report(waiting.plan.rows)
        if !run.isJSON {
            Output.note("Publishing \(waiting.changes.count) entries would change \(waiting.plan.total) rows.")
        }
        for entry in waiting.blocked { Output.problem(entry.message) }
        return exitCode(published: waiting.changes.count, waiting.blocked)
    }

    private static func now(_ run: CommandRun) async throws -> ExitCode {
        if run.arguments.flag(CommandRun.dryRun) { return try await plan(run) }
        let actor = run.operatorActor
        let done = try await run.withDatabase { _, services in
            try await services.publishRelease.waiting(by: actor)
        }
        if run.isJSON {
            try Output.json(
                PublicationLine(publication: done.publication, entries: done.entries, blocked: done.blocked))
        } else if let number = done.publication {
            Output.line("Publication \(number): \(done.entries) entries.")
        } else {
            Output.line("Nothing to publish.")
        }
        if !run.isJSON { for entry in done.blocked { Output.problem(entry.message) } }
        return exitCode(published: done.entries, done.blocked)
    }

    private static func exitCode(published: Int, _ blocked: [BlockedEntry]) -> ExitCode {
        blocked.isEmpty ? .ok : published > 0 ? .partial : .conflict
    }

    private static func verify(_ run: CommandRun) async throws -> ExitCode {
        let rows = try await run.withDatabase { _, services in try await services.verifyReadTables.verify() }
        try run.report(rows)
        if !run.isJSON {
            Output.note(
                rows.isEmpty
                    ? "No row differs." : "\(rows.count) rows differ. Repair them with \"vitrine publish repair\".")
        }
        return rows.isEmpty ? .ok : .failure
    }

    private static func repair(_ run: CommandRun) async throws -> ExitCode {
        if run.arguments.flag(CommandRun.dryRun) {
            _ = try await verify(run)
            return .ok
        }
        let actor = run.operatorActor
        let number = try await run.withDatabase { _, services in
            try await services.verifyReadTables.repair(by: actor)
        }
        if run.isJSON {
            try Output.json(PublicationLine(publication: number))
        } else {
            Output.line(
                number.map { "Repaired the read tables in publication \($0)." }
                    ?? "No row differs. Nothing was changed.")
        }
        return .ok
    }
}
