// Plans and makes publications; verifies and repairs the read tables.
import CommandKit
import Domain
import Glibc
import Operations
import Platform
import Store

enum PublishCommand {
    static let entries = [
        CommandEntry(
            "publish", "plan", summary: "Show the row changes that \"publish now\" would make.",
            options: [CommandRun.json], run: plan),
        CommandEntry(
            "publish", "now", summary: "Publish every approved revision in one publication.",
            details: "Entries that a rule blocks keep waiting and are listed with the reason.",
            options: [CommandRun.dryRun, CommandRun.json], run: now),
        CommandEntry(
            "publish", "verify", summary: "Compare the read tables with the live set.",
            details: """
                Exits with 0 only if no row differs. Lists each difference. Publications don't wait for it.
                --since compares the rows that later publications wrote, and all rows of the entries that they
                changed, but no counts. Daemons do so every night.
                """,
            examples: [
                .init("publish verify", "everything"),
                .init("publish verify --since 1200", "what publications from 1201 on changed"),
            ],
            options: [Arguments.since, Arguments.jobs, CommandRun.json], run: verify),
        CommandEntry(
            "publish", "repair", summary: "Repair the rows that differ, in one publication.",
            options: [Arguments.jobs, CommandRun.dryRun, CommandRun.json], run: repair),
    ]

    private enum Arguments {
        static let since = Command.Option(
            "since", .integer(placeholder: "PUBLICATION", in: 0...Int(Int32.max)),
            "Compare only what publications after this one changed.")
        static let jobs = Command.Option(
            "jobs", .integer(placeholder: "N", in: 1...maximumJobs),
            "Compare on this many connections at once; the default is one less than the processors, at most 4.")
    }

    /// A command has 8 connections.
    private static let maximumJobs = 8

    /// Leaves a processor to readers, if PostgreSQL runs on the same machine.
    private static func jobs(_ run: CommandRun) -> Int {
        run.arguments.integer(Arguments.jobs) ?? max(1, min(4, sysconf(Int32(_SC_NPROCESSORS_ONLN)) - 1))
    }

    private static func plan(_ run: CommandRun) async throws -> ExitCode {
        let waiting = try await run.withDatabase { _, services in
            try await services.publishRelease.plan()
        }
        try run.report(waiting.plan.rows)
        run.note("Publishing \(waiting.changes.count) entries would change \(waiting.plan.total) rows.")
        for entry in waiting.blocked { Output.problem(entry.message) }
        return exitCode(published: waiting.changes.count, waiting.blocked)
    }

    private static func now(_ run: CommandRun) async throws -> ExitCode {
        if run.arguments.flag(CommandRun.dryRun) { return try await plan(run) }
        let done = try await run.withDatabase { _, services in
            try await services.publishRelease.waiting(by: run.operatorActor)
        }
        try run.report(
            ["publication": done.publication, "entries": done.entries, "blocked": done.blocked],
            done.publication.map { "Publication \($0): \(done.entries) entries." } ?? "Nothing to publish.")
        if !run.isJSON { for entry in done.blocked { Output.problem(entry.message) } }
        return exitCode(published: done.entries, done.blocked)
    }

    private static func exitCode(published: Int, _ blocked: [BlockedEntry]) -> ExitCode {
        blocked.isEmpty ? .ok : published > 0 ? .partial : .conflict
    }

    private static func verify(_ run: CommandRun) async throws -> ExitCode {
        let since = run.arguments.shared(Arguments.since).flatMap { Int64($0) }
        let note = RegularNote()
        let rows = try await run.withDatabase { _, services in
            try await services.verifyReadTables.verify(since: since, jobs: jobs(run)) { note(sentence(for: $0)) }
        }
        try run.report(rows)
        run.note(
            rows.isEmpty
                ? "No row differs." : "\(rows.count) rows differ. Repair them with \"vitrine publish repair\".")
        return rows.isEmpty ? .ok : .failure
    }

    private static func sentence(for progress: VerifyReadTables.Progress) -> String {
        "\(progress.done) of \(progress.parts) parts are compared, the last of \(progress.name). "
            + "Rows that differ so far: \(progress.differences)."
    }

    private static func repair(_ run: CommandRun) async throws -> ExitCode {
        if run.arguments.flag(CommandRun.dryRun) {
            _ = try await verify(run)
            return .ok
        }
        let note = RegularNote()
        let number = try await run.withDatabase { _, services in
            try await services.verifyReadTables.repair(jobs: jobs(run), by: run.operatorActor) {
                note(sentence(for: $0))
            }
        }
        return try run.report(
            ["publication": number],
            number.map { "Repaired the read tables in publication \($0)." }
                ?? "No row differs. Nothing was changed.")
    }
}
