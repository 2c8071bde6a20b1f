// Gives and withdraws one reviewer's approval of a submission in a review stage.
import CommandKit
import Domain
import FoundationEssentials
import Operations
import Platform
import Store

enum ApprovalCommand {
    private enum Arguments {
        static let feed = Command.Option("feed", .text(placeholder: "SLUG"), "Add to this feed.", isRepeatable: true)
        static let category = Command.Option(
            "category", .text(placeholder: "SLUG"), "Add to this category.", isRepeatable: true)
        static let approveOnly = Command.Option("approve-only", .flag, "Approve without publishing.")
        static let id = Command.Positional("id", "Submission id.")
    }

    static let entries = [
        CommandEntry(
            "approval", "create", summary: "Give your approval to a submission in its current review stage.",
            details: "The last required approval approves the submission.",
            examples: [.init("approval create 0197… --feed city-guides", "used when the approval is the last one")],
            options: [
                Arguments.feed, Arguments.category, CommandRun.at, CommandRun.zone, Arguments.approveOnly,
                CommandRun.json,
            ],
            positionals: [Arguments.id], run: create),
        CommandEntry(
            "approval", "withdraw", summary: "Withdraw your approval of a submission.", options: [CommandRun.json],
            positionals: [Arguments.id], run: withdraw),
    ]

    private static func create(_ run: CommandRun) async throws -> ExitCode {
        let id: ID<Submission> = try run.id(run.arguments.argument(Arguments.id) ?? "")
        let publishTiming =
            run.arguments.flag(Arguments.approveOnly) ? PublishTiming.approveOnly : try run.publishTiming()
        let (state, stages) = try await run.withDatabase { database, services in
            let draft = Decision.Draft(
                verdict: .approve,
                feeds: try await run.resolve(run.arguments.texts(Arguments.feed), type: "feed", database),
                categories: try await run.resolve(run.arguments.texts(Arguments.category), type: "category", database),
                publishTiming: publishTiming)
            let outcome = try await services.decideSubmission(
                id, draft, version: nil, by: run.operatorActor)
            try await run.noteClockChange(publishTiming, database)
            let stages = try await database.reviewStages.stageProgress([(id, draft.categories)])[id] ?? []
            return (outcome.state, stages)
        }
        if run.isJSON {
            try Output.json(["state": state.rawValue])
        } else if state == .pending {
            Output.line("Approval recorded. Approvals so far:")
            for stage in stages {
                Output.line(
                    "  \(stage.stage.name)  \(stage.approvals) of \(stage.stage.requiredApprovals) \(stage.stage.role.name)"
                )
            }
        } else {
            Output.line("Approved. To undo: vitrine queue undo \(id)")
        }
        return .ok
    }

    private static func withdraw(_ run: CommandRun) async throws -> ExitCode {
        let id: ID<Submission> = try run.id(run.arguments.argument(Arguments.id) ?? "")
        try await run.withDatabase { _, services in
            try await services.approveStage.withdraw(id, by: run.operatorActor)
        }
        return try run.report(["withdrawn": true], "Approval withdrawn.")
    }
}
