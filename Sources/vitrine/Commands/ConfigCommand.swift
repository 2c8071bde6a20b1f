// Shows the configuration and the source of each value.
import CommandKit
import Platform

enum ConfigCommand {
    private enum Arguments {
        static let origin = Command.Option("origin", .flag, "Show the source of each value.")
    }

    static let entries = [
        CommandEntry(
            "config", "show", summary: "Show the effective configuration.",
            details: """
                With --origin, also the paths that were found for folders that come with the program, and after the
                values the folders that were searched for Config and Templates, in this order.
                """,
            options: [Arguments.origin, CommandRun.json], run: show)
    ]

    private static func show(_ run: CommandRun) async throws -> ExitCode {
        let showsOrigin = run.arguments.flag(Arguments.origin)
        for entry in try run.settings().entries {
            let origin = showsOrigin ? "  (\(entry.origin)\(entry.path.map { ": \($0)" } ?? ""))" : ""
            try run.report(
                [
                    "key": entry.key, "value": entry.value, "origin": String(describing: entry.origin),
                    "path": entry.path,
                ], "\(entry.key) = \(entry.value)\(origin)")
        }
        if showsOrigin {
            run.note("Config and Templates are searched in: \(ProgramLocation.current.folders.joined(separator: ", "))")
        }
        return .ok
    }
}
