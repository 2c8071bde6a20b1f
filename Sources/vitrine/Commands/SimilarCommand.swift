// Lists submissions and entries that are similar to a submission.
import CommandKit
import Domain
import FoundationEssentials
import Operations
import Platform
import Store

enum SimilarCommand {
    private enum Arguments {
        static let id = Command.Positional("id", "Submission id.")
    }

    static let entries = [
        CommandEntry(
            "similar", "list", summary: "List content similar to a submission.", options: [CommandRun.json],
            positionals: [Arguments.id], run: list)
    ]

    private static let columns: [Column<Similar>] = [
        .both("id") { $0.row.original.entry?.description ?? $0.row.original.submission?.description ?? "" },
        .json("is_entry") { $0.row.original.entry != nil }, .both("score") { ($0.score * 100).rounded() / 100 },
        .json("same_url") { $0.isSameURL }, .text { $0.isSameURL ? "same URL" : nil },
        .both("title") { $0.row.title },
    ]

    private static func list(_ run: CommandRun) async throws -> ExitCode {
        let id: ID<Submission> = try run.id(run.arguments.argument(Arguments.id) ?? "")
        let found = try await run.withDatabase { database, services in
            guard let submission = try await database.submissions.find(id) else { throw Failure.missing("submission") }
            return try await services.findSimilar(submission, limit: 20)
        }
        return try run.list(found, columns)
    }
}
