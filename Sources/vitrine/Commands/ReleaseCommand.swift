// Composes, plans, publishes, schedules and cancels releases; rolls back publications.
import CommandKit
import Domain
import FoundationEssentials
import Operations
import Platform
import Store

enum ReleaseCommand {
    private enum Arguments {
        static let title = Command.Positional("title", "Title.")
        static let unpublish = Command.Option("unpublish", .flag, "Unpublish the entries instead.")
        static let waiting = Command.Option("waiting", .flag, "Add every approved entry that isn't published yet.")
        static let entry = Command.Positional("entry", "Entry ids, or type:slug.", .any)
        static let plan = Command.Option(
            "plan", .text(placeholder: "DIGEST"), "Publish only if the plan still has this digest.")
        static let replaceNewer = Command.Option(
            "replace-newer", .flag, "Replace versions that were published since the entries were added.")
        static let publication = Command.Positional("publication", "Publication number.")
    }

    static let number = Command.Positional("number", "Release number.")

    static let entries = [
        CommandEntry(
            "release", "list", summary: "List releases: failed, open, scheduled, then finished.",
            options: [CommandRun.json],
            run: list),
        CommandEntry(
            "release", "show", summary: "Show the contents and issues of a release.", options: [CommandRun.json],
            positionals: [number], run: show),
        CommandEntry(
            "release", "create", summary: "Create a release.",
            examples: [.init("release create \"Spring guides\"", "prints its number")], options: [CommandRun.json],
            positionals: [Arguments.title], run: create),
        CommandEntry(
            "release", "add", summary: "Add entries to a release, to be published or unpublished.",
            options: [Arguments.unpublish, Arguments.waiting, CommandRun.json], positionals: [number, Arguments.entry],
            run: add),
        CommandEntry(
            "release", "remove", summary: "Remove entries from a release.", options: [CommandRun.json],
            positionals: [number, Arguments.entry.with(count: .many)], run: remove),
        CommandEntry(
            "release", "plan", summary: "Show the row changes that a release would make.", options: [CommandRun.json],
            positionals: [number], run: plan),
        CommandEntry(
            "release", "publish", summary: "Publish a release now, as a whole.",
            options: [Arguments.plan, Arguments.replaceNewer, CommandRun.dryRun, CommandRun.json],
            positionals: [number], run: publish),
        CommandEntry(
            "release", "schedule", summary: "Schedule a release.",
            examples: [.init("release schedule 12 --at 2026-11-20T18:00 --zone Europe/London", "publish at six")],
            options: [CommandRun.at, CommandRun.zone, Arguments.replaceNewer, CommandRun.json], positionals: [number],
            run: schedule),
        CommandEntry(
            "release", "cancel", summary: "Cancel a release. Its entries stay approved.", options: [CommandRun.json],
            positionals: [number], run: cancel),
        CommandEntry(
            "release", "rollback", summary: "Restore the live set of an earlier publication.",
            details: "Creates a new publication. The history is kept.", options: [CommandRun.dryRun, CommandRun.json],
            positionals: [Arguments.publication], run: rollback),
    ]

    static let columns: [Column<ReleaseRow>] = [
        .both("number") { $0.number }, .both("state") { $0.state.rawValue }, .both("title") { $0.title },
        .json("items") { $0.items }, .json("local_time") { $0.localTime }, .json("zone") { $0.zone },
        .json("due_at") { $0.dueAt }, .json("reopened_from") { $0.reopenedFrom },
        .json("publication") { $0.publication }, .json("failure") { $0.failure },
        .text { row in
            let time =
                row.localTime.map { ", at \($0) \(row.zone ?? "")" }
                ?? row.reopenedFrom.map { ", changed after it was scheduled for \($0)" } ?? ""
            let end = row.publication.map { ", publication \($0)" } ?? row.failure.map { ": \($0)" } ?? ""
            return "\(row.items) entries\(time)\(end)"
        },
    ]

    private static func itemColumns(_ types: ContentTypes) -> [Column<ReleaseItemRow>] {
        [
            .json("entry") { $0.entry }, .text { "  \($0.entry)" }, .json("type") { $0.type },
            .json("title") { $0.title }, .json("revision") { $0.revision }, .json("live") { $0.live },
            .json("approved") { $0.isApproved }, .json("newest") { $0.newest }, .json("moved") { $0.hasMoved },
            .json("also_in") { $0.others }, .json("new") { $0.isNew }, .json("author") { $0.author },
            .json("changed") { $0.changed(in: types[$0.type]) },
            .text { row in
                var notes = row.isNew ? ["new, by \(row.author)"] : []
                let changed = row.changed(in: types[row.type])
                if let live = row.live, !changed.isEmpty {
                    notes.append("changes \(changed.joined(separator: ", ")) since version \(live)")
                }
                if row.isUnapproved { notes.append("not approved") }
                if row.isOutdated { notes.append("version \(row.newest) is newer") }
                if row.hasMoved { notes.append("the published version has changed") }
                notes += row.others.map { "also in release \($0)" }
                let effect = row.revision.map { "publishes version \($0)" } ?? "unpublishes"
                return "\(row.title): \(effect)\(notes.map { "; \($0)" }.joined())"
            },
        ]
    }

    private static func list(_ run: CommandRun) async throws -> ExitCode {
        let rows = try await run.withDatabase { database, _ in
            let releases = database.releases
            let finished = try await releases.finished().filter { $0.state != .failed }
            return try await releases.failed() + releases.open() + releases.scheduled() + finished
        }
        return try run.list(rows, columns)
    }

    private static func show(_ run: CommandRun) async throws -> ExitCode {
        try await run.withDatabase { database, services in
            let release = try await find(run, database)
            try run.show(release, columns)
            return try await run.list(itemColumns(services.content.types)) {
                try await database.releaseItems.page(of: release.id, cursor: $0, limit: $1)
            }
        }
    }

    private static func create(_ run: CommandRun) async throws -> ExitCode {
        let title = run.arguments.argument(Arguments.title) ?? ""
        let release = try await run.withDatabase { database, services in
            let number = try await services.composeRelease.create(title: title, by: run.operatorActor)
            return try await database.releases.find(number: number)
        }
        if let release { try run.show(release, columns) }
        return .ok
    }

    private static func add(_ run: CommandRun) async throws -> ExitCode {
        try await change(run) { services, release in
            let compose = services.composeRelease
            if run.arguments.flag(Arguments.waiting) {
                _ = try await compose.addWaiting(to: release.number, by: run.operatorActor)
            }
            var changes: [LiveChange] = []
            for name in run.arguments.arguments(Arguments.entry) {
                let entry = try await run.entry(name, services.database)
                let newest = try await services.database.revisions.newest(of: entry).orMissing("entry \"\(name)\"")
                changes.append(
                    LiveChange(entry: entry, revision: run.arguments.flag(Arguments.unpublish) ? nil : newest.id))
            }
            if !changes.isEmpty { try await compose.add(changes, to: release.number, by: run.operatorActor) }
        }
    }

    private static func remove(_ run: CommandRun) async throws -> ExitCode {
        try await change(run) { services, release in
            for name in run.arguments.arguments(Arguments.entry) {
                try await services.composeRelease.remove(
                    try await run.entry(name, services.database), from: release.number, by: run.operatorActor)
            }
        }
    }

    private static func plan(_ run: CommandRun) async throws -> ExitCode {
        let plan = try await run.withDatabase { database, services in
            try await services.publishRelease.check(.release(try await find(run, database).id))
        }
        try run.report(plan.rows)
        run.note("\(plan.total) rows. Plan digest: \(plan.digest).")
        for entry in plan.blocked { Output.problem(entry.message) }
        return plan.blocked.isEmpty ? .ok : .conflict
    }

    private static func publish(_ run: CommandRun) async throws -> ExitCode {
        if run.arguments.flag(CommandRun.dryRun) { return try await plan(run) }
        return try await change(run) { services, release in
            _ = try await services.publishRelease.release(
                release.number, seen: run.arguments.text(Arguments.plan),
                replacesNewer: run.arguments.flag(Arguments.replaceNewer), by: run.operatorActor)
        }
    }

    private static func schedule(_ run: CommandRun) async throws -> ExitCode {
        guard case .at(let time) = try run.publishTiming() else {
            throw Failure.invalid(
                FieldErrors("at", "required", "Enter a time, such as --at 2026-11-20T18:00 --zone Europe/London."))
        }
        return try await change(run) { services, release in
            let outcome = try await services.composeRelease.schedule(
                release.number, at: time, replacesNewer: run.arguments.flag(Arguments.replaceNewer),
                by: run.operatorActor)
            for note in outcome.notes { Output.note(note) }
            for problem in outcome.problems {
                Output.problem("This release will fail unless you fix it before: \(problem)")
            }
        }
    }

    private static func cancel(_ run: CommandRun) async throws -> ExitCode {
        try await change(run) { services, release in
            try await services.composeRelease.cancel(release.number, by: run.operatorActor)
        }
    }

    private static func rollback(_ run: CommandRun) async throws -> ExitCode {
        guard let number = run.arguments.argument(Arguments.publication).flatMap({ Int64($0) }) else {
            throw Failure.missing("publication")
        }
        if run.arguments.flag(CommandRun.dryRun) {
            let plan = try await run.withDatabase { _, services in
                try await services.publishRelease.plan(.rollback(to: number))
            }
            try run.report(plan.rows)
            return .ok
        }
        let publication = try await run.withDatabase { _, services in
            try await services.publishRelease.rollback(to: number, seen: nil, by: run.operatorActor)
        }
        return try run.report(
            ["publication": publication],
            publication.map { "Rolled back to publication \(number) in publication \($0)." }
                ?? "The live set is already the same. Nothing was changed.")
    }

    // MARK: The release that a command names

    static func find(_ run: CommandRun, _ database: Database) async throws -> ReleaseRow {
        guard let number = run.arguments.argument(Self.number).flatMap({ Int64($0) }),
            let release = try await database.releases.find(number: number)
        else { throw Failure.missing("release") }
        return release
    }

    /// Runs `body` on the release and prints its new state.
    private static func change(
        _ run: CommandRun, _ body: @Sendable @escaping (Services, ReleaseRow) async throws -> Void
    ) async throws -> ExitCode {
        let after = try await run.withDatabase { database, services in
            let release = try await find(run, database)
            try await body(services, release)
            return try await database.releases.find(release.id)
        }
        if let after { try run.show(after, columns) }
        return .ok
    }
}
