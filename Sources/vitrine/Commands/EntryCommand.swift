// Lists, shows, creates, updates, approves and unpublishes entries of any content type.
import CommandKit
import Domain
import Operations
import Platform
import Store

enum EntryCommand {
    private enum Arguments {
        static let note = Command.Option("note", .text(placeholder: "TEXT"), "Reason for the change.")
        static let type = Command.Option("type", .text(placeholder: "TYPE"), "Only this content type.")
        static let state = Command.Option("state", .choice(["live", "ready", "draft"]), "Only this state.")
        static let base = Command.Option(
            "base", .integer(placeholder: "N", in: 1...1_000_000), "Version that the changes are based on.")
    }

    private static let file = Command.Positional("file", "JSON object of fields; - for standard input.")
    private static let id = Command.Positional("entry", "Entry id, or type and slug: article:some-title.")
    private static let publishTiming: [Command.Option] = [
        CommandRun.publish, CommandRun.approve, CommandRun.at, CommandRun.zone, Arguments.note, CommandRun.json,
    ]

    static let entries = [
        CommandEntry(
            "entry", "list", summary: "List entries, newest first.",
            options: [Arguments.type, Arguments.state, CommandRun.json], run: list),
        CommandEntry(
            "entry", "show", summary: "Show the latest version of an entry.", options: [CommandRun.json],
            positionals: [id], run: show),
        CommandEntry(
            "entry", "create", summary: "Create an entry from a JSON object of fields.",
            examples: [.init("entry create article.json --type article --publish", "create, approve and publish")],
            options: [Arguments.type.with(summary: "Content type.", isRequired: true)] + publishTiming,
            positionals: [file], run: create),
        CommandEntry(
            "entry", "update", summary: "Update fields of an entry, as a new version.",
            details: "Fields that the file leaves out keep their values.", options: [Arguments.base] + publishTiming,
            positionals: [id, file], run: update),
        CommandEntry(
            "entry", "approve", summary: "Approve the latest version of an entry.", options: publishTiming,
            positionals: [id], run: approve),
        CommandEntry(
            "entry", "unpublish", summary: "Unpublish an entry.",
            options: [CommandRun.at, CommandRun.zone, CommandRun.dryRun, CommandRun.json], positionals: [id],
            run: unpublish),
    ]

    private static let columns: [Column<EntryRow>] = [
        .both("id") { $0.id }, .both("type") { $0.type },
        .text { row in
            row.live.map { "published v\($0)" } ?? row.approved.map { "approved v\($0)" } ?? "draft v\(row.newest)"
        },
        .both("title") { $0.title }, .json("slug") { $0.slug }, .json("newest") { $0.newest },
        .json("approved") { $0.approved }, .json("live") { $0.live },
    ]

    private static func list(_ run: CommandRun) async throws -> ExitCode {
        try await run.withDatabase { database, _ in
            var filter = EntryFilter()
            filter.type = run.arguments.text(Arguments.type)
            filter.state = run.arguments.text(Arguments.state)
            return try await run.list(columns) { try await database.entries.page(filter, cursor: $0, limit: $1) }
        }
    }

    private static func show(_ run: CommandRun) async throws -> ExitCode {
        let newest = try await run.withDatabase { database, _ in
            let id = try await run.entry(run.arguments.argument(Self.id) ?? "", database)
            return try await database.revisions.newest(of: id).orMissing("entry")
        }
        let fields = newest.content.fields
        if run.isJSON {
            Output.line(
                JSONValue.object([
                    "id": .string(newest.entry.description), "revision": .int(Int64(newest.number)),
                    "author": .string(newest.author), "approved": .bool(newest.isApproved),
                    "live": .bool(newest.isLive), "fields": .object(fields),
                ]).canonicalText)
            return .ok
        }
        let state = newest.isLive ? "published" : newest.isApproved ? "approved" : "draft"
        Output.line("\(newest.entry)  \(state) v\(newest.number), by \(newest.author)\n")
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            Output.line("\(name): \(value.stringValue ?? value.canonicalText)")
        }
        return .ok
    }

    private static func create(_ run: CommandRun) async throws -> ExitCode {
        let fields = try fields(run)
        let publishTiming = try run.publishTiming(otherwise: .draft)
        let outcome = try await run.withDatabase { _, services in
            try await services.writeEntry.create(
                type: run.arguments.text(Arguments.type) ?? "", fields: fields,
                note: run.arguments.text(Arguments.note) ?? "",
                publishTiming: publishTiming, by: run.operatorActor)
        }
        return try run.report(outcome)
    }

    private static func update(_ run: CommandRun) async throws -> ExitCode {
        let changes = try fields(run)
        let publishTiming = try run.publishTiming(otherwise: .draft)
        let outcome = try await run.withDatabase { database, services in
            let id = try await run.entry(run.arguments.argument(Self.id) ?? "", database)
            guard let newest = try await database.revisions.newest(of: id) else { throw Failure.missing("entry") }
            let fields = try newest.stored.readable().merging(changes) { _, new in new }
            return try await services.writeEntry.edit(
                id, fields: fields, base: run.arguments.integer(Arguments.base) ?? newest.number,
                note: run.arguments.text(Arguments.note) ?? "", publishTiming: publishTiming, by: run.operatorActor)
        }
        return try run.report(outcome)
    }

    private static func approve(_ run: CommandRun) async throws -> ExitCode {
        let publishTiming = try run.publishTiming(otherwise: .approveOnly)
        let outcome = try await run.withDatabase { database, services in
            let id = try await run.entry(run.arguments.argument(Self.id) ?? "", database)
            guard let newest = try await database.revisions.newest(of: id) else { throw Failure.missing("entry") }
            return try await services.writeEntry.approve(
                id, number: newest.number, publishTiming: publishTiming, by: run.operatorActor)
        }
        return try run.report(outcome)
    }

    private static func unpublish(_ run: CommandRun) async throws -> ExitCode {
        let publishTiming = try run.publishTiming()
        return try await run.withDatabase { database, services in
            let id = try await run.entry(run.arguments.argument(Self.id) ?? "", database)
            if run.arguments.flag(CommandRun.dryRun) {
                let changes = LiveChanges.listed([LiveChange(entry: id, revision: nil)])
                try run.report(try await services.publishRelease.plan(changes).rows)
                return .ok
            }
            return try run.report(
                try await services.writeEntry.unpublish(
                    id, publishTiming: publishTiming, by: run.operatorActor))
        }
    }

    private static func fields(_ run: CommandRun) throws -> [String: JSONValue] {
        let value = try JSONValue(parsing: try run.read(run.arguments.argument(Self.file) ?? "-"))
        guard let fields = value.objectValue else {
            throw Failure.invalid(FieldErrors("", "type", "The file must contain one JSON object of fields."))
        }
        return fields
    }
}
