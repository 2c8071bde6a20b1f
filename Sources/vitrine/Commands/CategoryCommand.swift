// Categories from the command line: add and list.
import Domain
import Editorial
import Platform
import Store

enum CategoryCommand {
    static let entries = [
        CommandEntry(
            command: Command(
                "category", "add", summary: "Makes a category in one of the two groups and publishes it.",
                details: "It shows in the app as soon as something live is in it.",
                options: [
                    .init("group", .integer(placeholder: "1|2", in: 1...2), "Its group.", isRequired: true),
                    .init("slug", .text(placeholder: "SLUG"), "Its address; made from the title unless said."),
                    .init("position", .integer(placeholder: "N", in: 0...1_000_000), "Where it stands in its group."),
                    CommandRun.json,
                ],
                positionals: [.init("title", "Its name.")]),
            run: add),
        CommandEntry(
            command: Command("category", "list", summary: "Lists the categories.", options: [CommandRun.json]),
            run: list),
    ]

    private static func add(_ run: CommandRun) async throws -> ExitCode {
        let group = run.arguments.integer("group") == 1 ? SeedEntry.topicGroup : SeedEntry.placeGroup
        var fields: [String: JSONValue] = [
            "title": .string(run.arguments.argument("title") ?? ""), "group": .string(group.description),
        ]
        if let slug = run.arguments.text("slug") { fields["slug"] = .string(slug) }
        if let position = run.arguments.integer("position") { fields["position"] = .int(Int64(position)) }
        let wanted = fields
        let actor = run.operatorActor
        let outcome = try await run.withDatabase { database, rules in
            try await WriteEntry(database: database, rules: rules).create(
                type: "category", fields: wanted, note: "made on the command line", goLive: .now, by: actor)
        }
        try run.tell(outcome)
        return .ok
    }

    private static func list(_ run: CommandRun) async throws -> ExitCode {
        let categories = try await run.withDatabase { database, _ in try await database.entries.choices(.category) }
        for category in categories {
            if run.isJSON {
                try Output.json(category)
            } else {
                Output.line("\(category.id)  \(category.slug)  \(category.title)")
            }
        }
        return .ok
    }
}
