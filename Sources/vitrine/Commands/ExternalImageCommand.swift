// Lists external images of approved content and fetches failed ones again.
import CommandKit
import Domain
import Operations
import Platform
import Store

enum ExternalImageCommand {
    private enum Arguments {
        static let state = Command.Option(
            "state", .choice(["waiting", "stored", "failed", "external"]), "Only this state.")
        static let limit = Command.Option(
            "limit", .integer(placeholder: "N", in: 1...1000), "Maximum number; 100 by default.")
        static let id = Command.Positional("id", "External image id.")
    }

    static let entries = [
        CommandEntry(
            "external-image", "list", summary: "List external images of approved content, newest first.",
            details: """
                The daemon fetches them into the media library and publishes the entries with the stored images. An image
                stays external if its server or the configuration refuses.
                """,
            options: [Arguments.state, Arguments.limit, CommandRun.json], run: list),
        CommandEntry(
            "external-image", "retry", summary: "Fetch a failed external image again.", options: [CommandRun.json],
            positionals: [Arguments.id], run: retry),
    ]

    private static let columns: [Column<ExternalImageRow>] = [
        .both("id") { $0.id }, .both("state") { $0.state }, .both("url") { $0.url }, .both("title") { $0.title },
        .both("last_error") { $0.lastError }, .json("source") { $0.source }, .json("attempts") { $0.attempts },
        .json("media") { $0.media }, .json("entry") { $0.entry },
    ]

    private static func list(_ run: CommandRun) async throws -> ExitCode {
        let (state, limit) = (run.arguments.text(Arguments.state), run.arguments.integer(Arguments.limit) ?? 100)
        let budget = try run.settings().media.fetch.budgetBytes
        let (page, used) = try await run.withDatabase { database, _ in
            (
                try await database.externalImages.page(state: state, cursor: nil, limit: limit),
                try await database.externalImages.usedBytes()
            )
        }
        try run.list(page.items, columns)
        if used >= budget { Output.note("The budget is used up. Increase media.fetch_budget_mb to fetch more.") }
        if page.next != nil { Output.note("More images match. Increase --limit to list them.") }
        return .ok
    }

    private static func retry(_ run: CommandRun) async throws -> ExitCode {
        let id: ID<ExternalImage> = try run.id(run.arguments.argument(Arguments.id) ?? "")
        try await run.withDatabase { _, services in
            try await services.retryExternalImage(id, by: run.operatorActor)
        }
        return try run.report(["queued": id], "The daemon will fetch the image again.")
    }
}
