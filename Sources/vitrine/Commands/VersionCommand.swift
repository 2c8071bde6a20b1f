// Shows the versions of the program, its schema and its build.
import CommandKit
import Packs
import Platform
import Store

enum VersionCommand {
    static let entries = [
        CommandEntry(
            command: Command(
                "version", summary: "Show the versions of the program, schema and build.", options: [CommandRun.json]),
            run: show)
    ]

    private struct Line: Encodable {
        let version: String
        /// The number of migrations that the schema of this program consists of.
        let schema: Int
        let swift: String
        let build: String
        let platform: String
    }

    private static func show(_ run: CommandRun) async throws -> ExitCode {
        let line = Line(
            version: Program.version, schema: PackSet(RegisteredPacks.all).migrationNames.count, swift: swift,
            build: build,
            platform: platform)
        if run.isJSON {
            try Output.json(line)
        } else {
            Output.line("vitrine \(line.version)")
            Output.line("schema: \(line.schema) migrations")
            Output.line("Swift: \(line.swift), \(line.build) build, \(line.platform)")
        }
        return .ok
    }

    /// The compiler's language version; the exact patch release is not known to a program.
    private static var swift: String {
        #if compiler(>=6.5)
            "6.5 or later"
        #elseif compiler(>=6.4)
            "6.4"
        #elseif compiler(>=6.3)
            "6.3"
        #else
            "6.2"
        #endif
    }

    private static var build: String {
        #if DEBUG
            "debug"
        #else
            "release"
        #endif
    }

    private static var platform: String {
        #if arch(x86_64)
            "linux-x86_64"
        #elseif arch(arm64)
            "linux-arm64"
        #else
            "linux"
        #endif
    }
}
