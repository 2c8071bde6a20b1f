// Shows the configuration, and where each value comes from.
import Platform

enum ConfigCommand {
    static let entries = [
        CommandEntry(
            command: Command(
                "config", "show", summary: "Shows the configuration that a daemon would run with.",
                options: [.init("origin", .flag, "Say where each value comes from."), CommandRun.json]),
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
