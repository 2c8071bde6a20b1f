// Shows the configuration and the source of each value.
import Platform

enum ConfigCommand {
    static let entries = [
        CommandEntry(
            command: Command(
                "config", "show", summary: "Show the effective configuration.",
                options: [.init("origin", .flag, "Show the source of each value."), CommandRun.json]),
            run: show)
    ]

    private struct Line: Encodable {
        let key: String
        let value: String
        let origin: String
    }

    private static func show(_ run: CommandRun) async throws -> ExitCode {
        for entry in try run.settings().entries {
            if run.isJSON {
                try Output.json(Line(key: entry.key, value: entry.value, origin: String(describing: entry.origin)))
            } else {
                let origin = run.arguments.flag("origin") ? "  (\(entry.origin))" : ""
                Output.line("\(entry.key) = \(entry.value)\(origin)")
            }
        }
        return .ok
    }
}
