// Shows which rows other route settings would change.
import CommandKit
import Domain
import Operations
import Platform
import Store

enum BadgeCommand {
    private enum Arguments {
        static let set = Command.Option(
            "set", .text(placeholder: "KEY=VALUE"), "A setting and its value.", isRepeatable: true)
    }

    static let entries = [
        CommandEntry(
            "badge", "plan", summary: "Show the row changes that other route settings would make.",
            details: """
                Evaluates the badges of all routes with the given settings in place of the published ones. Publish the \
                settings to make the changes.
                """,
            examples: [.init("badge plan --set routes.zoom_max_elevation_m=9", "")],
            options: [Arguments.set, CommandRun.json], run: plan)
    ]

    private static func plan(_ run: CommandRun) async throws -> ExitCode {
        let changes = try run.arguments.texts(Arguments.set).map { text in
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else {
                throw Failure.invalid(FieldErrors("--set", "format", "Enter a setting as KEY=VALUE, not \"\(text)\"."))
            }
            return (key: parts[0], value: parts[1])
        }
        let plan = try await run.withDatabase { _, services in
            try await services.simulateRouteSettings(changes, limit: nil, by: run.operatorActor)
        }
        try run.report(plan.rows)
        run.note(plan.total == 0 ? "No row would change." : "\(plan.total) rows would change. Nothing was changed.")
        return .ok
    }
}
