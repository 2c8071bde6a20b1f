// Composes, plans, publishes, schedules and cancels releases; rolls back publications.
import CommandKit
import Domain
import FoundationEssentials
import Platform
import Publishing
import Services
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
            command: Command(
                "release", "list", summary: "List releases: open, scheduled, then finished.",
                options: [CommandRun.json]
            ),
            run: list),
        CommandEntry(
            command: Command(
                "release", "show", summary: "Show the contents and issues of a release.",
                options: [CommandRun.json], positionals: [number]),
            run: show),
        CommandEntry(
            command: Command(
                "release", "create", summary: "Create a release.",
                examples: [.init("release create \"Spring guides\"", "prints its number")],
                options: [CommandRun.json], positionals: [Arguments.title]),
            run: create),
        CommandEntry(
            command: Command(
                "release", "add", summary: "Add entries to a release, to be published or unpublished.",
                options: [
                    Arguments.unpublish, Arguments.waiting, CommandRun.json,
                ],
                positionals: [number, Arguments.entry]),
            run: add),
        CommandEntry(
            command: Command(
                "release", "remove", summary: "Remove entries from a release.", options: [CommandRun.json],
                positionals: [number, Arguments.entry.with(count: .many)]),
            run: remove),
        CommandEntry(
            command: Command(
                "release", "plan", summary: "Show the row changes that a release would make.",
                options: [CommandRun.json], positionals: [number]),
            run: plan),
        CommandEntry(
            command: Command(
                "release", "publish", summary: "Publish a release now, as a whole.",
                options: [
                    Arguments.plan, Arguments.replaceNewer, CommandRun.dryRun, CommandRun.json,
                ],
                positionals: [number]),
            run: publish),
        CommandEntry(
            command: Command(
                "release", "schedule", summary: "Schedule a release.",
                examples: [.init("release schedule 12 --at 2026-11-20T18:00 --zone Europe/London", "publish at six")],
                options: [CommandRun.at, CommandRun.zone, Arguments.replaceNewer, CommandRun.json],
                positionals: [number]),
            run: schedule),
        CommandEntry(
            command: Command(
                "release", "cancel", summary: "Cancel a release. Its entries stay approved.",
                options: [CommandRun.json], positionals: [number]),
            run: cancel),
        CommandEntry(
            command: Command(
                "release", "rollback", summary: "Restore the live set of an earlier publication.",
                details: "Creates a new publication. The history is kept.",
                options: [CommandRun.dryRun, CommandRun.json],
                positionals: [Arguments.publication]),
            run: rollback),
    ]

    private struct Line: Encodable {
        let number: Int64
        let title: String
        let state: String
        let items: Int
        let local_time: String?
        let zone: String?
        let due_at: Date?
        let publication: Int64?
        let failure: String?

        init(_ row: ReleaseRow) {
            number = row.number
            title = row.title
            state = row.state.rawValue
            items = row.items
            local_time = row.localTime
            zone = row.zone
            due_at = row.dueAt
            publication = row.publication
            failure = row.failure
        }
    }

    private static func list(_ run: CommandRun) async throws -> ExitCode {
        let rows = try await run.withDatabase { database, _ in
            try await database.releases.open() + database.releases.scheduled() + database.releases.finished()
        }
        for row in rows {
            if run.isJSON { try Output.json(Line(row)) } else { Output.line(sentence(row)) }
        }
        return .ok
    }

    private static func sentence(_ row: ReleaseRow) -> String {
        let time = row.localTime.map { ", at \($0) \(row.zone ?? "")" } ?? ""
        let end = row.publication.map { ", publication \($0)" } ?? row.failure.map { ": \($0)" } ?? ""
        return "\(row.number)  \(row.state.rawValue)  \(row.title)  \(row.items) entries\(time)\(end)"
    }

    private struct Item: Encodable {
        let entry: String
        let type: String
        let title: String
        let revision: Int?
        let live: Int?
        let approved: Bool
        let newest: Int
        let moved: Bool
        let also_in: [Int64]
    }

    private static func show(_ run: CommandRun) async throws -> ExitCode {
        try await run.withDatabase { database, _ in
            let release = try await find(run, database)
            if run.isJSON { try Output.json(Line(release)) } else { Output.line(sentence(release)) }
            var cursor: String?
            repeat {
                let page = try await database.releaseItems.page(of: release.id, cursor: cursor, limit: 500)
                for row in page.items { try print(row, asJSON: run.isJSON) }
                cursor = page.next
            } while cursor != nil
        }
        return .ok
    }

    private static func print(_ row: ReleaseItemRow, asJSON: Bool) throws {
        if asJSON {
            try Output.json(
                Item(
                    entry: row.entry.description, type: row.type, title: row.title, revision: row.revision,
                    live: row.live, approved: row.isApproved, newest: row.newest, moved: row.hasMoved,
                    also_in: row.others))
            return
        }
        var notes = row.isUnapproved ? ["not approved"] : []
        if row.isOutdated { notes.append("version \(row.newest) is newer") }
        if row.hasMoved { notes.append("the published version has changed") }
        notes += row.others.map { "also in release \($0)" }
        let effect = row.revision.map { "publishes version \($0)" } ?? "unpublishes"
        Output.line("  \(row.entry)  \(row.title): \(effect)\(notes.map { "; \($0)" }.joined())")
    }

    private static func create(_ run: CommandRun) async throws -> ExitCode {
        let actor = run.operatorActor
        let title = run.arguments.argument(Arguments.title) ?? ""
        let release = try await run.withDatabase { database, services in
            let number = try await services.composeRelease.create(title: title, by: actor)
            return try await database.releases.find(number: number)
        }
        try report(release, run)
        return .ok
    }

    private static func add(_ run: CommandRun) async throws -> ExitCode {
        let actor = run.operatorActor
        try await change(run) { services, release in
            let compose = services.composeRelease
            if run.arguments.flag(Arguments.waiting) {
                _ = try await compose.addWaiting(to: release.number, by: actor)
            }
            var changes: [LiveChange] = []
            for name in run.arguments.arguments(Arguments.entry) {
                let entry = try await run.entry(name, services.database)
                guard let newest = try await services.database.revisions.newest(of: entry) else {
                    throw Failure.missing("entry \"\(name)\"")
                }
                changes.append(
                    LiveChange(entry: entry, revision: run.arguments.flag(Arguments.unpublish) ? nil : newest.id))
            }
            if !changes.isEmpty { try await compose.add(changes, to: release.number, by: actor) }
        }
        return .ok
    }

    private static func remove(_ run: CommandRun) async throws -> ExitCode {
        let actor = run.operatorActor
        try await change(run) { services, release in
            for name in run.arguments.arguments(Arguments.entry) {
                try await services.composeRelease.remove(
                    try await run.entry(name, services.database), from: release.number, by: actor)
            }
        }
        return .ok
    }

    private static func plan(_ run: CommandRun) async throws -> ExitCode {
        let plan = try await run.withDatabase { database, services in
            try await services.publishRelease.check(.release(try await find(run, database).id))
        }
        try run.report(plan.rows)
        if !run.isJSON { Output.note("\(plan.total) rows. Plan digest: \(plan.digest).") }
        for entry in plan.blocked { Output.problem(entry.message) }
        return plan.blocked.isEmpty ? .ok : .conflict
    }

    private static func publish(_ run: CommandRun) async throws -> ExitCode {
        if run.arguments.flag(CommandRun.dryRun) { return try await plan(run) }
        let actor = run.operatorActor
        try await change(run) { services, release in
            _ = try await services.publishRelease.release(
                release.number, seen: run.arguments.text(Arguments.plan),
                replacesNewer: run.arguments.flag(Arguments.replaceNewer), by: actor)
        }
        return .ok
    }

    private static func schedule(_ run: CommandRun) async throws -> ExitCode {
        let actor = run.operatorActor
        guard case .at(let time) = try run.publishTiming() else {
            throw Failure.invalid(
                FieldErrors("at", "required", "Enter a time, such as --at 2026-11-20T18:00 --zone Europe/London."))
        }
        try await change(run) { services, release in
            let outcome = try await services.composeRelease.schedule(
                release.number, at: time, replacesNewer: run.arguments.flag(Arguments.replaceNewer), by: actor)
            for note in outcome.notes { Output.note(note) }
            for problem in outcome.problems {
                Output.problem("This release will fail unless you fix it before: \(problem)")
            }
        }
        return .ok
    }

    private static func cancel(_ run: CommandRun) async throws -> ExitCode {
        let actor = run.operatorActor
        try await change(run) { services, release in
            try await services.composeRelease.cancel(release.number, by: actor)
        }
        return .ok
    }

    private struct PublicationLine: Encodable {
        let publication: Int64?
    }

    private static func rollback(_ run: CommandRun) async throws -> ExitCode {
        let actor = run.operatorActor
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
            try await services.publishRelease.rollback(to: number, seen: nil, by: actor)
        }
        if run.isJSON {
            try Output.json(PublicationLine(publication: publication))
        } else {
            Output.line(
                publication.map { "Rolled back to publication \(number) in publication \($0)." }
                    ?? "The live set is already the same. Nothing was changed.")
        }
        return .ok
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
    ) async throws {
        let after = try await run.withDatabase { database, services in
            let release = try await find(run, database)
            try await body(services, release)
            return try await database.releases.find(release.id)
        }
        try report(after, run)
    }

    static func report(_ release: ReleaseRow?, _ run: CommandRun) throws {
        guard let release else { return }
        if run.isJSON { try Output.json(Line(release)) } else { Output.line(sentence(release)) }
    }
}
