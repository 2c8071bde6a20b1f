// Imports an exported deployment into an empty database.
import CommandKit
import Domain
import Operations
import Platform
import Store

enum BundleImportCommand {
    private static let file = Command.Positional("file", "File that \"export\" wrote; - for standard input.")

    static let entries = [
        CommandEntry(
            "import", "bundle", summary: "Import an exported deployment into an empty database.",
            details: """
                The database must be new, with nothing but the result of "vitrine migrate". The user of DATABASE_URL must be \
                the one that migrates. The import is all or nothing; an error names the line. Accounts have no passwords (see \
                "vitrine sign-in-link create"), clients have no secrets, and webhooks are paused.
                """,
            examples: [
                .init("import bundle all.ndjson --dry-run", "import, report and roll back"),
                .init("import bundle -", "", from: "zcat all.ndjson.gz"),
            ],
            options: [CommandRun.dryRun, CommandRun.json], positionals: [file], run: bundle)
    ]

    private static func bundle(_ run: CommandRun) async throws -> ExitCode {
        let isDryRun = run.arguments.flag(CommandRun.dryRun)
        let chunks = try FileChunks(run.arguments.argument(Self.file) ?? "-")
        let write = BundleFiles.writer(try MediaLibrary(try run.settings()).files)
        let actor = Actor(kind: .system, name: "import", requestID: run.operatorActor.requestID)
        let report = try await run.withOwner { database in
            try await ImportBundle(database: database)(
                { try chunks.next() }, isDryRun: isDryRun, files: write, by: actor, notify: { Output.note($0) })
        }
        if run.isJSON {
            try Output.json(report)
        } else {
            let would = isDryRun ? "would be " : ""
            for kind in report.kinds { Output.line("\(kind.count) \(kind.name)") }
            Output.line(
                "\(report.records) records \(would)imported, \(report.rows) read rows \(would)created.")
        }
        if !isDryRun, report.kinds.contains(where: { $0.name == "client" && $0.count > 0 }) {
            Output.note(
                "API clients have no secrets. List them with \"vitrine client list\" and rotate each with \"client rotate ID\"."
            )
        }
        return .ok
    }
}
