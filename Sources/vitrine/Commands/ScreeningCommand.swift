// Shows, creates and activates versions of the screening rules.
import CommandKit
import Domain
import FoundationEssentials
import Operations
import Platform
import Store

enum ScreeningCommand {
    private enum Arguments {
        static let version = Command.Option(
            "version", .integer(placeholder: "N", in: 1...1_000_000), "Version to show.")
        static let note = Command.Option("note", .text(placeholder: "TEXT"), "Reason for the change.", isRequired: true)
        static let file = Command.Positional("file", "Rules as JSON; - for standard input.")
        static let versionArgument = Command.Positional("version", "Version number.")
    }

    static let entries = [
        CommandEntry(
            "screening", "show", summary: "Show the active screening rules, or a version, with its trial.",
            options: [CommandRun.json, Arguments.version], run: show),
        CommandEntry(
            "screening", "create", summary: "Save screening rules as a version and test them on past decisions.",
            examples: [
                .init(
                    "screening create rules.json --note \"Casinos again\"",
                    "rules as \"screening show --json\" prints")
            ],
            options: [Arguments.note, CommandRun.json], positionals: [Arguments.file], run: create),
        CommandEntry(
            "screening", "activate", summary: "Activate a version of the screening rules.", options: [CommandRun.json],
            positionals: [Arguments.versionArgument], run: activate),
    ]

    private static func show(_ run: CommandRun) async throws -> ExitCode {
        let version = run.arguments.integer(Arguments.version)
        let row = try await run.withDatabase { database, _ in
            if let version { return try await database.screenings.find(version: version) }
            return try await database.screenings.current()
        }
        guard let row else { throw Failure.missing("version") }
        if run.isJSON {
            Output.line(
                JSONValue.object([
                    "version": .int(Int64(row.version)), "active": .bool(row.isActive), "note": .string(row.note),
                    "rules": row.rules, "decisions": row.decisions.map { .int(Int64($0)) } ?? .null,
                    "trial": row.trial ?? .null,
                ]).canonicalText)
            return .ok
        }
        Output.line("version \(row.version)\(row.isActive ? ", active" : ""): \(row.note)")
        Output.line(row.rules.canonicalText)
        report(ScreeningTrial(reading: row.trial ?? .object([:]), decisions: row.decisions ?? 0))
        return .ok
    }

    private static func report(_ trial: ScreeningTrial) {
        Output.line("tested on \(trial.decisions) decisions")
        for (verdict, levels) in trial.counts.sorted(by: { $0.key < $1.key }) {
            let counts = RiskLevel.allCases.map { "\($0.rawValue) \(levels[$0] ?? 0)" }.joined(separator: ", ")
            Output.line("\(verdict): \(counts); auto-approved \(trial.automatic[verdict] ?? 0)")
        }
    }

    private static func create(_ run: CommandRun) async throws -> ExitCode {
        let bytes = try run.read(run.arguments.argument(Arguments.file) ?? "")
        var rules = try JSONValue(parsing: bytes)
        // "screening show --json" prints the rules in a member.
        if let inner = rules["rules"] { rules = inner }
        let newRules = rules
        let row = try await run.withDatabase { database, services in
            let manage = services.manageScreening
            let version = try await manage.create(
                newRules, note: run.arguments.text(Arguments.note) ?? "", by: run.operatorActor)
            return try await database.screenings.find(version: version)
        }
        guard let row else { throw Failure.missing("version") }
        if run.isJSON {
            Output.line(
                JSONValue.object(["version": .int(Int64(row.version)), "trial": row.trial ?? .null]).canonicalText)
        } else {
            Output.line("Saved as version \(row.version). To activate: vitrine screening activate \(row.version)")
            report(ScreeningTrial(reading: row.trial ?? .object([:]), decisions: row.decisions ?? 0))
        }
        return .ok
    }

    private static func activate(_ run: CommandRun) async throws -> ExitCode {
        guard let version = run.arguments.argument(Arguments.versionArgument).flatMap({ Int($0) }) else {
            throw Failure.invalid(FieldErrors("version", "format", "Enter a version number, such as 2."))
        }
        try await run.withDatabase { _, services in
            try await services.manageScreening.activate(version, by: run.operatorActor)
        }
        return try run.report(["version": version], "Version \(version) is active.")
    }
}
