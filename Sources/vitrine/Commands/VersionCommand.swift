// Shows the versions of the program, its schema and its build.
import CommandKit
import Packs
import Platform
import Store

enum VersionCommand {
    static let entries = [
        CommandEntry(
            "version", summary: "Show the versions of the program, schema and build.", options: [CommandRun.json],
            run: show)
    ]

    private static func show(_ run: CommandRun) async throws -> ExitCode {
        // The number of migrations that the schema of this program consists of.
        let schema = PackSet(RegisteredPacks.all).migrationNames.count
        return try run.report(
            ["version": Program.version, "schema": schema, "swift": swift, "build": build, "platform": platform],
            """
            vitrine \(Program.version)
            schema: \(schema) migrations
            Swift: \(swift), \(build) build, \(platform)
            """)
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
