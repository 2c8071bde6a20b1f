// Feeds from the command line: add and list.
import Domain
import Editorial
import Platform
import Store

enum FeedCommand {
    static let entries = [
        CommandEntry(
            command: Command(
                "feed", "add", summary: "Makes a feed and publishes it.",
                examples: [.init("feed add city-guides --title \"City guides\" --tier free", "")],
                options: [
                    .init("title", .text(placeholder: "TEXT"), "Its name.", isRequired: true),
                    .init("tier", .choice(["free", "premium"]), "Who may read it in full; free unless said."),
                    .init("order", .choice(["newest", "ranked"]), "How its items stand; newest unless said."),
                    .init("summary", .text(placeholder: "TEXT"), "What it is about."),
                    .init(
                        "live-on-approval", .flag,
                        "Approved items go live at once (the default); --no-… asks an editor."),
                    CommandRun.json,
                ],
                positionals: [.init("slug", "Its address.")]),
            run: add),
        CommandEntry(
            command: Command("feed", "list", summary: "Lists the feeds.", options: [CommandRun.json]), run: list),
    ]

    private static func add(_ run: CommandRun) async throws -> ExitCode {
        var fields: [String: JSONValue] = [
            "slug": .string(run.arguments.argument("slug") ?? ""), "title": .string(run.arguments.text("title") ?? ""),
            "tier": .string(run.arguments.text("tier") ?? "free"),
        ]
        if let order = run.arguments.text("order") { fields["order"] = .string(order) }
        if let summary = run.arguments.text("summary") { fields["summary"] = .string(summary) }
        if let live = run.arguments.choice("live-on-approval") { fields["publish_on_approval"] = .bool(live) }
        let wanted = fields
        let actor = run.operatorActor
        let outcome = try await run.withDatabase { database, rules in
            try await WriteEntry(database: database, rules: rules).create(
                type: "feed", fields: wanted, note: "made on the command line", publishTiming: .now, by: actor)
        }
        try run.notify(outcome)
        return .ok
    }

    private static func list(_ run: CommandRun) async throws -> ExitCode {
        let feeds = try await run.withDatabase { database, _ in try await database.entries.choices(.feed) }
        for feed in feeds {
            if run.isJSON {
                try Output.json(feed)
            } else {
                Output.line("\(feed.id)  \(feed.slug)  \(feed.isLive ? "live" : "not live")  \(feed.title)")
            }
        }
        return .ok
    }
}
