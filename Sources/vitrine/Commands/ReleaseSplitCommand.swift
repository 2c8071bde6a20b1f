// Duplicates releases and moves entries between them.
import CommandKit
import Domain
import Operations
import Platform
import Store

enum ReleaseSplitCommand {
    private enum Arguments {
        static let title = Command.Positional("title", "Title of the copy.")
        static let entry = Command.Positional("entry", "Entry ids, or type:slug.", .many)
        static let to = Command.Option("to", .integer(placeholder: "N", in: 1...Int(Int32.max)), "An open release.")
        static let newTitle = Command.Option("title", .text(placeholder: "TEXT"), "Title of a new release instead.")
    }

    static let entries = [
        CommandEntry(
            "release", "duplicate", summary: "Create an open release with the entries of another one.",
            examples: [.init("release duplicate 12 \"Autumn guides\"", "prints the number of the copy")],
            options: [CommandRun.json], positionals: [ReleaseCommand.number, Arguments.title], run: duplicate),
        CommandEntry(
            "release", "move", summary: "Move entries to another open release, or to a new one.",
            details: "Moves all of them or none.",
            examples: [
                .init("release move 12 article:a-walk --title \"Later\"", "publish it with a release of its own")
            ],
            options: [Arguments.to, Arguments.newTitle, CommandRun.json],
            positionals: [ReleaseCommand.number, Arguments.entry], run: move),
    ]

    private static func duplicate(_ run: CommandRun) async throws -> ExitCode {
        let title = run.arguments.argument(Arguments.title) ?? ""
        let copy = try await run.withDatabase { database, services in
            let release = try await ReleaseCommand.find(run, database)
            let number = try await services.composeRelease.duplicate(
                release.number, title: title, by: run.operatorActor)
            return try await database.releases.find(number: number)
        }
        if let copy { try run.show(copy, ReleaseCommand.columns) }
        return .ok
    }

    /// Prints the release that the entries were moved to.
    private static func move(_ run: CommandRun) async throws -> ExitCode {
        let target: ComposeRelease.MoveTarget
        switch (run.arguments.integer(Arguments.to), run.arguments.text(Arguments.newTitle)) {
        case (let number?, nil): target = .release(Int64(number))
        case (nil, let title?): target = .new(title: title)
        default: throw Failure.invalid(FieldErrors("to", "required", "Enter either --to or --title."))
        }
        let changed = try await run.withDatabase { database, services in
            let release = try await ReleaseCommand.find(run, database)
            var entries: [ID<Entry>] = []
            for name in run.arguments.arguments(Arguments.entry) {
                entries.append(try await run.entry(name, database))
            }
            let number = try await services.composeRelease.move(
                entries, from: release.number, to: target, by: run.operatorActor)
            return try await database.releases.find(number: number)
        }
        if let changed { try run.show(changed, ReleaseCommand.columns) }
        return .ok
    }
}
