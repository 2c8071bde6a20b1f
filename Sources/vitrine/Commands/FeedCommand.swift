// Creates and lists feeds.
import CommandKit
import Domain
import Operations
import Platform
import Store

enum FeedCommand {
    private enum Arguments {
        static let title = Command.Option("title", .text(placeholder: "TEXT"), "Title.", isRequired: true)
        static let tier = Command.Option(
            "tier", .choice(["free", "premium"]), "Who may read it in full; free by default.")
        static let order = Command.Option(
            "order", .choice(["newest", "ranked"]), "Order of its items; newest by default.")
        static let summary = Command.Option("summary", .text(placeholder: "TEXT"), "Summary.")
        static let publishOnApproval = Command.Option(
            "publish-on-approval", .flag,
            "Publish items when they are approved (default); --no-publish-on-approval leaves it to editors.")
        static let slug = Command.Positional("slug", "Slug.")
    }

    static let entries = [
        CommandEntry(
            "feed", "create", summary: "Create and publish a feed.",
            examples: [.init("feed create city-guides --title \"City guides\" --tier free", "")],
            options: [
                Arguments.title, Arguments.tier, Arguments.order, Arguments.summary, Arguments.publishOnApproval,
                CommandRun.json,
            ],
            positionals: [Arguments.slug], run: create),
        CommandEntry("feed", "list", summary: "List feeds.", options: [CommandRun.json], run: list),
    ]

    private static func create(_ run: CommandRun) async throws -> ExitCode {
        var fields: [String: JSONValue] = [
            "slug": .string(run.arguments.argument(Arguments.slug) ?? ""),
            "title": .string(run.arguments.text(Arguments.title) ?? ""),
            "tier": .string(run.arguments.text(Arguments.tier) ?? "free"),
        ]
        if let order = run.arguments.text(Arguments.order) { fields["order"] = .string(order) }
        if let summary = run.arguments.text(Arguments.summary) { fields["summary"] = .string(summary) }
        if let isPublished = run.arguments.choice(Arguments.publishOnApproval) {
            fields["publish_on_approval"] = .bool(isPublished)
        }
        let newFields = fields
        let outcome = try await run.withDatabase { _, services in
            try await services.writeEntry.create(
                type: "feed", fields: newFields, note: "Created on the command line", publishTiming: .now,
                by: run.operatorActor)
        }
        return try run.report(outcome)
    }

    private static func list(_ run: CommandRun) async throws -> ExitCode {
        let feeds = try await run.withDatabase { database, _ in try await database.entries.choices(.feed) }
        for feed in feeds {
            try run.report(
                json: feed,
                "\(feed.id)  \(feed.slug)  \(feed.isLive ? "published" : "not published")  \(feed.title)")
        }
        return .ok
    }
}
