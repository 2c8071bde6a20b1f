// Lists and sets the review stages of content types and category groups.
import CommandKit
import Domain
import FoundationEssentials
import Operations
import Platform
import Store

enum StageCommand {
    private enum Arguments {
        static let none = Command.Option("none", .flag, "Remove all stages.")
        static let scope = Command.Positional("scope", "Content type, or id of a category group.")
        static let stage = Command.Positional("stage", "NAME=COUNT ROLE, such as \"Editors=2 editor\".", .any)
    }

    static let entries = [
        CommandEntry("stage", "list", summary: "List review stages.", options: [CommandRun.json], run: list),
        CommandEntry(
            "stage", "update", summary: "Set the review stages of a content type or category group.",
            examples: [
                .init(
                    "stage update article \"Editors=2 editor\" \"Head=1 publisher\"",
                    "two editors, then one publisher"),
                .init("stage update article --none", "one approval is enough"),
            ],
            options: [Arguments.none, CommandRun.json], positionals: [Arguments.scope, Arguments.stage], run: update),
    ]

    private static let columns: [Column<ReviewStageRow>] = [
        .both("scope") { row in
            switch row.scope {
            case .type(let name): name
            case .group(let id): id.description
            }
        },
        .both("name") { $0.stage.name }, .json("role") { $0.stage.role.name },
        .json("required") { $0.stage.requiredApprovals },
        .text { "\($0.stage.requiredApprovals) \($0.stage.role.name)" },
    ]

    private static func list(_ run: CommandRun) async throws -> ExitCode {
        try run.list(try await run.withDatabase { database, _ in try await database.reviewStages.list() }, columns)
    }

    private static func update(_ run: CommandRun) async throws -> ExitCode {
        let texts = run.arguments.arguments(Arguments.stage)
        guard texts.isEmpty == run.arguments.flag(Arguments.none) else {
            throw Failure.invalid(FieldErrors("stage", "required", "Give stages, or --none to remove them all."))
        }
        let text = run.arguments.argument(Arguments.scope) ?? ""
        let scope: ReviewScope = ID<Entry>(text).map { .group($0) } ?? .type(text)
        let rows = try await run.withDatabase { database, services in
            var stages: [ReviewStage] = []
            for (index, text) in texts.enumerated() { stages.append(try await stage(text, index, database)) }
            try await services.approveStage.update(scope, stages, by: run.operatorActor)
            return try await database.reviewStages.list()
        }
        return try run.list(rows, columns)
    }

    private static func stage(_ text: String, _ index: Int, _ database: Database) async throws -> ReviewStage {
        let parts = text.split(separator: "=", maxSplits: 1)
        let rest = parts.count == 2 ? parts[1].split(separator: " ") : []
        guard rest.count == 2, let requiredApprovals = Int(rest[0]) else {
            throw Failure.invalid(
                FieldErrors(
                    "/stages/\(index)", "format", "Enter a stage as NAME=COUNT ROLE, such as \"Editors=2 editor\"."))
        }
        let role = try await database.roles.named(String(rest[1]), pointer: "/stages/\(index)/role")
        return ReviewStage(name: String(parts[0]), role: role, requiredApprovals: requiredApprovals)
    }
}
