// Adds internal notes to submissions, entries and contributors.
import CommandKit
import Domain
import FoundationEssentials
import Operations
import Platform
import Store

enum NoteCommand {
    private enum Arguments {
        static let id = Command.Positional("id", "Submission, entry or contributor id.")
        static let text = Command.Positional("text", "Note text. Use @NAME to mention a teammate.")
    }

    static let entries = [
        CommandEntry(
            "note", "create", summary: "Add an internal note to a submission, entry or contributor.",
            examples: [.init("note create 0197… \"@Ann, may we?\"", "mentions Ann")], options: [CommandRun.json],
            positionals: [Arguments.id, Arguments.text], run: create)
    ]

    private static func create(_ run: CommandRun) async throws -> ExitCode {
        let id: ID<Entry> = try run.id(run.arguments.argument(Arguments.id) ?? "")
        let outcome = try await run.withDatabase { _, services in
            try await services.addNote(
                run.arguments.argument(Arguments.text) ?? "", onAny: id, by: run.operatorActor)
        }
        try run.report(
            json: outcome, outcome.notified == 0 ? "Note added." : "Note added. Mentioned: \(outcome.notified).")
        if let warning = outcome.warning, !run.isJSON { Output.problem(warning) }
        return .ok
    }
}
