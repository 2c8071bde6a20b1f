// Exports and imports a whole deployment, or a release.
import CommandKit
import Domain
import EventLoop
import FoundationEssentials
import Library
import Platform
import Postgres
import Publishing
import Store

enum BundleCommand {
    private enum Arguments {
        static let file = Command.Option("file", .text(placeholder: "FILE"), "Output file; standard output by default.")
        static let files = Command.Option("files", .flag, "Include image files, as base64.")
        static let number = Command.Positional("number", "Release number.")
        static let title = Command.Option(
            "title", .text(placeholder: "TEXT"), "Title of the release; the file name by default.")
        static let fileArgument = Command.Positional(
            "file", "File that \"release export\" wrote, or a folder; - for standard input.")
    }

    static let entries = [
        CommandEntry(
            command: Command(
                "export", summary: "Export the whole deployment as lines of JSON.",
                details: """
                    One record per line, from one snapshot, after a header with the version of the format. Derived data (read \
                    tables, counts) is left out and computed again by "import bundle". Never exported: passwords and secrets \
                    of accounts, clients and webhooks, sessions, preview links, tasks, webhook deliveries, and the audit trail.
                    """,
                examples: [
                    .init("export --file all.ndjson", ""),
                    .init("export --files | gzip > all.ndjson.gz", "with image files"),
                ],
                options: [
                    Arguments.file, Arguments.files,
                ]),
            run: export),
        CommandEntry(
            command: Command(
                "release", "export", summary: "Export the contents of a release for another deployment.",
                details: "Exports the entries of the release and their images. Import them with \"release import\".",
                examples: [.init("release export 12 --file spring.ndjson", "from test to production")],
                options: [Arguments.file],
                positionals: [Arguments.number]),
            run: exportRelease),
        CommandEntry(
            command: Command(
                "release", "import", summary: "Import an exported release as an open release.",
                details: """
                    Compare first: --dry-run shows each field that would change. The import writes new versions of the entries \
                    under their original ids and adds them to an open release, to be approved and published like any other. \
                    Unchanged entries are left out. A folder has JSON files with entries and the images that these name.
                    """,
                examples: [
                    .init("release import spring.ndjson --dry-run", "compare"),
                    .init("release import spring.ndjson --title Spring", ""),
                    .init("release import spring/ --publish", "a folder, published now"),
                ],
                options: [
                    Arguments.title, CommandRun.publish, CommandRun.approve, CommandRun.dryRun, CommandRun.json,
                ],
                positionals: [Arguments.fileArgument]),
            run: importRelease),
        CommandEntry(
            command: Command(
                "import", "bundle", summary: "Import an exported deployment into an empty database.",
                details: """
                    The database must be new, with nothing but the result of "vitrine migrate". The user of DATABASE_URL must be \
                    the one that migrates. The import is all or nothing; an error names the line. Accounts have no passwords (see \
                    "vitrine sign-in-link create"), clients have no secrets, and webhooks are paused.
                    """,
                examples: [
                    .init("import bundle all.ndjson --dry-run", "import, report and roll back"),
                    .init("zcat all.ndjson.gz | vitrine import bundle -", ""),
                ],
                options: [CommandRun.dryRun, CommandRun.json],
                positionals: [Arguments.fileArgument.with(summary: "File that \"export\" wrote; - for standard input.")]
            ),
            run: bundle),
    ]

    /// Reads image files from the media store of the database.
    private static func reader(_ run: CommandRun, _ database: Database) async throws -> ExportBundle.FileReader {
        let files = try await files(run, database)
        return { text in
            guard let path = MediaPath(text) else { return nil }
            return try await files.bytes(path)
        }
    }

    private static func files(
        _ run: CommandRun, _ database: Database, mayWrite: Bool = false
    ) async throws -> any MediaFiles {
        let files = try MediaLibrary(try run.settings()).files
        let store = VerifyMediaStore(database.identities, files: files)
        if mayWrite { try await store.beforeWriting() } else { try await store() }
        return files
    }

    /// Writes image files to a media store.
    private static func writer(_ files: any MediaFiles) -> ImportBundle.FileWriter {
        { file in
            guard let path = MediaPath(file.path) else { return }
            try await files.put(file.bytes, at: path)
        }
    }

    private static func export(_ run: CommandRun) async throws -> ExitCode {
        let output = try FileOutput(run.arguments.text(Arguments.file))
        let withFiles = run.arguments.flag(Arguments.files)
        let report = try await run.withDatabase { database, services in
            try await services.exportBundle(
                files: withFiles ? try await reader(run, database) : nil, notify: { Output.note($0) },
                write: { try output.write($0) })
        }
        try output.finish()
        Output.note("\(report.records) records exported.")
        for path in report.missing { Output.problem("File \(path) is missing. See \"vitrine media verify\".") }
        return report.missing.isEmpty ? .ok : .partial
    }

    private static func exportRelease(_ run: CommandRun) async throws -> ExitCode {
        guard let number = Int64(run.arguments.argument(Arguments.number) ?? "") else {
            throw Failure.invalid(FieldErrors("number", "format", "Enter a release number."))
        }
        let output = try FileOutput(run.arguments.text(Arguments.file))
        let count = try await run.withDatabase { database, services in
            try await services.exportRelease(
                number, files: try await reader(run, database), write: { try output.write($0) })
        }
        try output.finish()
        Output.note("\(count) entries exported.")
        return .ok
    }

    private static func importRelease(_ run: CommandRun) async throws -> ExitCode {
        let path = run.arguments.argument(Arguments.fileArgument) ?? "-"
        let folder = ContentFolder(path)
        let chunks = try folder == nil ? FileChunks.rereadable(path) : nil
        let title = run.arguments.text(Arguments.title) ?? path.split(separator: "/").last.map(String.init) ?? path
        let isDryRun = run.arguments.flag(CommandRun.dryRun)
        let publishTiming = try run.publishTiming(otherwise: .draft)
        let actor = run.operatorActor
        let report = try await run.withDatabase { database, services in
            if let folder {
                return try await services.importRelease(
                    folder, title: title, isDryRun: isDryRun, publishTiming: publishTiming,
                    images: { try await services.ingestImage($0, name: $1, alt: $2, by: actor).media.id }, by: actor)
            }
            return try await services.importRelease(
                {
                    try chunks?.rewind()
                    return { try chunks?.next() }
                }, title: title, isDryRun: isDryRun, publishTiming: publishTiming,
                inspect: { try await services.library.processor.size(of: $0) },
                files: writer(try await files(run, database, mayWrite: true)), by: actor)
        }
        if run.isJSON {
            try Output.json(report)
            return .ok
        }
        for entry in report.entries {
            Output.line("\(entry.state)  \(entry.type)  \(entry.title)")
            for field in entry.fields {
                Output.line("    \(field.label): \(field.old ?? "nothing") -> \(field.new ?? "nothing")")
            }
        }
        if let number = report.release {
            Output.note("Added to release \(number). See \"vitrine release plan \(number)\".")
        } else if let number = report.publication {
            Output.note("Publication \(number).")
        } else {
            Output.note(isDryRun ? "Nothing was changed." : "Nothing differs. No release was created.")
        }
        return .ok
    }

    private static func bundle(_ run: CommandRun) async throws -> ExitCode {
        let isDryRun = run.arguments.flag(CommandRun.dryRun)
        let chunks = try FileChunks(run.arguments.argument(Arguments.fileArgument) ?? "-")
        let write = writer(try MediaLibrary(try run.settings()).files)
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

extension ContentFolder {
    /// The folder at this path; nil if there is none.
    init?(_ path: String) {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return nil }
        let files = FolderFiles(path)
        self.init(documents: names.filter { $0.hasSuffix(".json") }) { try files.bytes($0) }
    }
}

extension CommandRun {
    /// Opens the database as the user of `DATABASE_URL`, who may act as the owner.
    func withOwner<Value: Sendable>(_ body: @Sendable (OwnerDatabase) async throws -> Value) async throws -> Value {
        let settings = try settings()
        let loop = EventLoop(name: "owner")
        loop.start()
        defer { loop.stop() }
        let client = PostgresClient(
            configuration: settings.postgres(
                url: try await databaseURL(settings), role: nil, pipeline: 1, pool: 1,
                deadline: .seconds(3600)),
            loops: [loop])
        client.start()
        do {
            // Reports an unavailable database with its cause.
            try await Database(client: client, packs: .none).connect()
            let value = try await body(
                OwnerDatabase(
                    client: client, roles: settings.roles, packs: try settings.enabledPacks()))
            await client.close()
            return value
        } catch {
            await client.close()
            throw error
        }
    }
}
