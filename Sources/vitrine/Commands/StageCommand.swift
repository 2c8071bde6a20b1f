// Reviews in stages from the command line: who has to agree, a yes, and a yes taken back.
import Domain
import FoundationEssentials
import Platform
import Review
import Store

enum StageCommand {
    static let entries = [
        CommandEntry(
            command: Command(
                "queue", "agree", summary: "Gives one's yes to a submission; the last one that is needed accepts it.",
                examples: [.init("queue agree 0197… --feed city-guides", "into this feed, when it is the last")],
                options: [
                    .init("feed", .text(placeholder: "SLUG"), "Into this feed.", isRepeatable: true),
                    .init("category", .text(placeholder: "SLUG"), "Into this category.", isRepeatable: true),
                    CommandRun.at, CommandRun.zone, .init("approve-only", .flag, "Do not publish yet."),
                    CommandRun.json,
                ],
                positionals: [.init("id", "The submission.")]),
            run: approve),
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
    ]

    private static func approve(_ run: CommandRun) async throws -> ExitCode {
        let id: ID<Submission> = try run.id(run.arguments.argument("id") ?? "")
        let publishTiming = run.arguments.flag("approve-only") ? PublishTiming.approveOnly : try run.publishTiming()
        let (state, stages) = try await run.withDatabase { database, rules in
            let draft = Decision.Draft(
                verdict: .approve, feeds: try await run.resolve(run.arguments.texts("feed"), type: "feed", database),
                categories: try await run.resolve(run.arguments.texts("category"), type: "category", database),
                publishTiming: publishTiming)
            let outcome = try await DecideSubmission(database: database, rules: rules)(
                id, draft, version: nil, by: run.operatorActor)
            let stages = try await database.reviewStages.standings([(id, draft.categories)])[id] ?? []
            return (outcome.state, stages)
        }
        if run.isJSON {
            try Output.json(["state": state.rawValue])
        } else if state == .pending {
            Output.line("Agreed. It waits for more:")
            for stage in stages {
                Output.line(
                    "  \(stage.stage.name)  \(stage.given) of \(stage.stage.needed) \(stage.stage.role.rawValue)")
            }
        } else {
            Output.line("Approved. To undo it: vitrine queue undo \(id)")
        }
        return .ok
    }

    private static func disagree(_ run: CommandRun) async throws -> ExitCode {
        let id: ID<Submission> = try run.id(run.arguments.argument("id") ?? "")
        try await run.withDatabase { database, _ in
            try await ApproveStage(database: database).unlist(id, by: run.operatorActor)
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
                try await ApproveStage(database: database).plan(meant, given, by: run.operatorActor)
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
}
