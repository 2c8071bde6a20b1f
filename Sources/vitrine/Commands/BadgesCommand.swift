// Badges from the command line: what other settings would change.
import Domain
import Platform
import Publishing
import Store

enum BadgesCommand {
    static let entries = [
        CommandEntry(
            command: Command(
                "badges", "evaluate",
                summary: "Shows which rows other settings of routes would change; changes nothing.",
                details: """
                    The badges of all routes are worked out anew by the rules, with the numbers given here in the place of the \
                    published ones. To change them, publish the setting.
                    """,
                examples: [.init("badges evaluate --dry-run --set routes.zoom_max_elevation_m=9", "")],
                options: [
                    .init(
                        "set", .text(placeholder: "KEY=VALUE"), "A setting as it would be; can be given again.",
                        isRepeatable: true),
                    CommandRun.dryRun, CommandRun.json,
                ]),
            run: evaluate)
    ]

    private static func evaluate(_ run: CommandRun) async throws -> ExitCode {
        guard run.arguments.flag("dry-run") else {
            throw Failure.invalid(
                FieldErrors(
                    "--dry-run", "required",
                    "Badges are worked out with every publication; only a dry run can be asked for."))
        }
        let changes = try run.arguments.texts("set").map { text in
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else {
                throw Failure.invalid(FieldErrors("--set", "format", "Write a setting as key=value, not \"\(text)\"."))
            }
            return (key: parts[0], value: parts[1])
        }
        let actor = run.operatorActor
        let plan = try await run.withDatabase { database, _ in
            try await TryRouteSettings(database: database)(changes, limit: nil, by: actor)
        }
        try run.notify(plan.rows)
        if !run.isJSON {
            Output.note(
                plan.total == 0 ? "No row would change." : "\(plan.total) rows would change; nothing was changed.")
        }
        return .ok
    }
}
