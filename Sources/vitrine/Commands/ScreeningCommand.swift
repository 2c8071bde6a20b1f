// Screening from the command line: the rules in versions, and what is alike; and notes.
import Domain
import FoundationEssentials
import Platform
import Review
import Store

enum ScreeningCommand {
    static let entries = [
        CommandEntry(
            command: Command(
                "screening", "show", summary: "Shows the screening rules that count, or a version, with its trial.",
                options: [
                    CommandRun.json, .init("version", .integer(placeholder: "N", in: 1...1_000_000), "This one."),
                ]),
            run: show),
        CommandEntry(
            command: Command(
                "screening", "add", summary: "Keeps screening rules as a version and tries them on past decisions.",
                examples: [
                    .init("screening add rules.json --note \"Casinos again\"", "what screening show --json gives")
                ],
                options: [
                    .init("note", .text(placeholder: "TEXT"), "What changes, and why.", isRequired: true),
                    CommandRun.json,
                ],
                positionals: [.init("file", "The rules as JSON; - for standard input.")]),
            run: add),
        CommandEntry(
            command: Command(
                "screening", "activate", summary: "Switches a version of the screening rules on.",
                options: [CommandRun.json], positionals: [.init("version", "The number of the version.")]),
            run: activate),
        CommandEntry(
            command: Command(
                "queue", "similar", summary: "Lists what is like a submission.", options: [CommandRun.json],
                positionals: [.init("id", "The submission.")]),
            run: similar),
        CommandEntry(
            command: Command(
                "queue", "note", summary: "Writes a note for the team about a submission.",
                examples: [.init("queue note 0197… \"@Ann, may we?\"", "tells Ann")],
                options: [CommandRun.json],
                positionals: [.init("id", "The submission."), .init("text", "The words; @ and a name tells somebody.")]),
            run: note),
    ]

    private static func show(_ run: CommandRun) async throws -> ExitCode {
        let version = run.arguments.integer("version")
        let row = try await run.withDatabase { database, _ in
            if let version { return try await database.screenings.find(version: version) }
            return try await database.screenings.current()
        }
        guard let row else { throw Failure.missing("version") }
        if run.isJSON {
            Output.line(
                JSONValue.object([
                    "version": .int(Int64(row.version)), "on": .bool(row.isOn), "note": .string(row.note),
                    "rules": row.rules, "decisions": row.decisions.map { .int(Int64($0)) } ?? .null,
                    "trial": row.trial ?? .null,
                ]).canonicalText)
            return .ok
        }
        Output.line("version \(row.version)\(row.isOn ? ", on" : ""): \(row.note)")
        Output.line(row.rules.canonicalText)
        notify(ScreeningTrial(reading: row.trial ?? .object([:]), decisions: row.decisions ?? 0))
        return .ok
    }

    private static func notify(_ trial: ScreeningTrial) {
        Output.line("tried on \(trial.decisions) decisions")
        for (verdict, levels) in trial.counts.sorted(by: { $0.key < $1.key }) {
            let counts = RiskLevel.allCases.map { "\($0.rawValue) \(levels[$0] ?? 0)" }.joined(separator: ", ")
            Output.line("\(verdict): \(counts); accepted without a person \(trial.automatic[verdict] ?? 0)")
        }
    }

    private static func add(_ run: CommandRun) async throws -> ExitCode {
        let bytes = try run.read(run.arguments.argument("file") ?? "")
        var rules = try JSONValue(parsing: bytes)
        // What "screening show --json" gives holds them in a member.
        if let inner = rules["rules"] { rules = inner }
        let given = rules
        let row = try await run.withDatabase { database, content in
            let manage = ManageScreening(database: database, rules: content)
            let version = try await manage.add(
                given, note: run.arguments.text("note") ?? "", by: run.operatorActor)
            return try await database.screenings.find(version: version)
        }
        guard let row else { throw Failure.missing("version") }
        if run.isJSON {
            Output.line(
                JSONValue.object(["version": .int(Int64(row.version)), "trial": row.trial ?? .null]).canonicalText)
        } else {
            Output.line("Kept as version \(row.version). To switch it on: vitrine screening activate \(row.version)")
            notify(ScreeningTrial(reading: row.trial ?? .object([:]), decisions: row.decisions ?? 0))
        }
        return .ok
    }

    private static func activate(_ run: CommandRun) async throws -> ExitCode {
        guard let version = run.arguments.argument("version").flatMap({ Int($0) }) else {
            throw Failure.invalid(FieldErrors("version", "format", "A version is a number."))
        }
        try await run.withDatabase { database, rules in
            try await ManageScreening(database: database, rules: rules).activate(version, by: run.operatorActor)
        }
        if run.isJSON { try Output.json(["version": version]) } else { Output.line("Version \(version) is on.") }
        return .ok
    }

    private struct SimilarLine: Encodable {
        let id: String
        let is_entry: Bool
        let title: String
        let score: Double
        let same_address: Bool
    }

    private static func similar(_ run: CommandRun) async throws -> ExitCode {
        let id: ID<Submission> = try run.id(run.arguments.argument("id") ?? "")
        let found = try await run.withDatabase { database, rules in
            guard let submission = try await database.submissions.find(id) else { throw Failure.missing("submission") }
            return try await FindSimilar(database: database, rules: rules)(submission, limit: 20)
        }
        for similar in found {
            let other = similar.row.original
            let text = other.entry?.description ?? other.submission?.description ?? ""
            let score = (similar.score * 100).rounded() / 100
            if run.isJSON {
                try Output.json(
                    SimilarLine(
                        id: text, is_entry: other.entry != nil, title: similar.row.title, score: score,
                        same_address: similar.isSameAddress))
            } else {
                let same = similar.isSameAddress ? "  same address" : ""
                Output.line("\(text)  \(score)\(same)  \(similar.row.title)")
            }
        }
        return .ok
    }

    private static func note(_ run: CommandRun) async throws -> ExitCode {
        let id: ID<Submission> = try run.id(run.arguments.argument("id") ?? "")
        let notified = try await run.withDatabase { database, _ in
            try await AddNote(database: database)(
                run.arguments.argument("text") ?? "", on: id, by: run.operatorActor)
        }
        if run.isJSON {
            try Output.json(["told": notified])
        } else {
            Output.line(notified == 0 ? "Noted." : "Noted; told: \(notified).")
        }
        return .ok
    }
}
