// Lists submissions and entries that are similar to a submission.
import CommandKit
import Domain
import FoundationEssentials
import Platform
import Review
import Store

enum SimilarCommand {
    private enum Arguments {
        static let id = Command.Positional("id", "Submission id.")
    }

    static let entries = [
        CommandEntry(
            command: Command(
                "similar", "list", summary: "List content similar to a submission.", options: [CommandRun.json],
                positionals: [Arguments.id]),
            run: list)
    ]

    private struct Line: Encodable {
        let id: String
        let is_entry: Bool
        let title: String
        let score: Double
        let same_url: Bool
    }

    private static func list(_ run: CommandRun) async throws -> ExitCode {
        let id: ID<Submission> = try run.id(run.arguments.argument(Arguments.id) ?? "")
        let found = try await run.withDatabase { database, services in
            guard let submission = try await database.submissions.find(id) else { throw Failure.missing("submission") }
            return try await services.findSimilar(submission, limit: 20)
        }
        for similar in found {
            let other = similar.row.original
            let text = other.entry?.description ?? other.submission?.description ?? ""
            let score = (similar.score * 100).rounded() / 100
            if run.isJSON {
                try Output.json(
                    Line(
                        id: text, is_entry: other.entry != nil, title: similar.row.title, score: score,
                        same_url: similar.isSameURL))
            } else {
                let same = similar.isSameURL ? "  same URL" : ""
                Output.line("\(text)  \(score)\(same)  \(similar.row.title)")
            }
        }
        return .ok
    }
}
