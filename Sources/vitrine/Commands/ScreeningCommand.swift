// Screening from the command line: the rules in versions, what is alike, and notes.
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
                "queue", "disagree", summary: "Takes one's own yes to a submission back, where several have to agree.",
                options: [CommandRun.json], positionals: [.init("id", "The submission.")]),
            run: disagree),
        CommandEntry(
            command: Command(
                "queue", "stages", summary: "Shows or sets who has to agree before something is accepted.",
                examples: [
                    .init(
                        "queue stages article \"Editors=2 editor\" \"Head=1 publisher\"",
                        "two editors, then a publisher"),
                    .init("queue stages article --none", "one yes is enough again"),
                ],
                options: [.init("none", .flag, "No stages."), CommandRun.json],
                positionals: [
                    .init("scope", "A content type, or the id of a category group.", .optional),
                    .init("stage", "Name=how-many role.", .any),
                ]),
            run: stages),
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
        tell(ScreeningTrial(reading: row.trial ?? .object([:]), decisions: row.decisions ?? 0))
        return .ok
    }

    private static func tell(_ trial: ScreeningTrial) {
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
            tell(ScreeningTrial(reading: row.trial ?? .object([:]), decisions: row.decisions ?? 0))
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

    private static func disagree(_ run: CommandRun) async throws -> ExitCode {
        let id: ID<Submission> = try run.id(run.arguments.argument("id") ?? "")
        try await run.withDatabase { database, _ in
            try await AgreeToSubmission(database: database).takeBack(id, by: run.operatorActor)
        }
        if run.isJSON { try Output.json(["taken_back": true]) } else { Output.line("Taken back.") }
        return .ok
    }

    private struct StageLine: Encodable {
        let scope: String
        let name: String
        let role: String
        let needed: Int
    }

    private static func stages(_ run: CommandRun) async throws -> ExitCode {
        let given = try run.arguments.arguments("stage").enumerated().map { try stage($1, $0) }
        let rows = try await run.withDatabase { database, _ in
            if let scope = run.arguments.argument("scope"), !given.isEmpty || run.arguments.flag("none") {
                let meant: ReviewScope = ID<Entry>(scope).map { .group($0) } ?? .type(scope)
                try await AgreeToSubmission(database: database).plan(meant, given, by: run.operatorActor)
            }
            return try await database.reviewStages.list()
        }
        for row in rows {
            let scope =
                switch row.scope {
                case .type(let name): name
                case .group(let id): id.description
                }
            let stage = row.stage
            if run.isJSON {
                try Output.json(
                    StageLine(scope: scope, name: stage.name, role: stage.role.rawValue, needed: stage.needed))
            } else {
                Output.line("\(scope)  \(stage.name)  \(stage.needed) \(stage.role.rawValue)")
            }
        }
        return .ok
    }

    private static func stage(_ text: String, _ index: Int) throws -> ReviewStage {
        let parts = text.split(separator: "=", maxSplits: 1)
        let rest = parts.count == 2 ? parts[1].split(separator: " ") : []
        guard rest.count == 2, let needed = Int(rest[0]), let role = Role(rawValue: String(rest[1])) else {
            throw Failure.invalid(
                FieldErrors("/stages/\(index)", "format", "Write a stage as \"Editors=2 editor\"."))
        }
        return ReviewStage(name: String(parts[0]), role: role, needed: needed)
    }

    private static func note(_ run: CommandRun) async throws -> ExitCode {
        let id: ID<Submission> = try run.id(run.arguments.argument("id") ?? "")
        let told = try await run.withDatabase { database, _ in
            try await WriteNote(database: database)(
                run.arguments.argument("text") ?? "", on: id, by: run.operatorActor)
        }
        if run.isJSON {
            try Output.json(["told": told])
        } else {
            Output.line(told == 0 ? "Noted." : "Noted; told: \(told).")
        }
        return .ok
    }
}
