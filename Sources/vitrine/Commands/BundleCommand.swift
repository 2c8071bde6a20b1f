// Everything of a deployment out into a file, and into an empty database.
import Domain
import EventLoop
import Library
import Platform
import Postgres
import Publishing
import Store

enum BundleCommand {
    static let entries = [
        CommandEntry(
            command: Command(
                "export", summary: "Writes everything as lines of JSON, for another deployment or to keep.",
                details: """
                    One record a line, from one moment, after a header with the version of the format. What is made from the truth \
                    (read tables, counts) is left out, and made anew by "import bundle". Left out for good: passwords and secrets \
                    of accounts, clients and webhooks, sessions, preview links, jobs, what webhooks were told, and the audit trail.
                    """,
                examples: [
                    .init("export --file all.ndjson", ""),
                    .init("export --files | gzip > all.ndjson.gz", "with images"),
                ],
                options: [
                    .init("file", .text(placeholder: "FILE"), "Where to; standard output unless said."),
                    .init("files", .flag, "Put the images' files in too, as base64."),
                ]),
            run: export),
        CommandEntry(
            command: Command(
                "release", "export", summary: "Writes what a release holds, for another deployment.",
                details:
                    "The entries as the release shows them and the images that they show. Bring it in with \"release import\".",
                examples: [.init("release export 12 --file spring.ndjson", "from test to production")],
                options: [.init("file", .text(placeholder: "FILE"), "Where to; standard output unless said.")],
                positionals: [.init("number", "The release's number.")]),
            run: exportRelease),
        CommandEntry(
            command: Command(
                "release", "import", summary: "Brings in what \"release export\" wrote, as an open release.",
                details: """
                    First compare: --dry-run tells field by field what would be another here. Then the entries are written as new \
                    versions under the ids that they have there, and held by a release, which is approved and published like any \
                    other. What is the same here already is left out.
                    """,
                examples: [
                    .init("release import spring.ndjson --dry-run", "compare"),
                    .init("release import spring.ndjson --title Spring", ""),
                ],
                options: [
                    .init("title", .text(placeholder: "TEXT"), "The release's title; the file's name unless said."),
                    .init("approve", .flag, "Approve the new versions, on your word."), CommandRun.dryRun,
                    CommandRun.json,
                ],
                positionals: [.init("file", "What \"release export\" wrote; - is standard input.")]),
            run: importRelease),
        CommandEntry(
            command: Command(
                "import", "bundle", summary: "Brings what \"export\" wrote into an empty database.",
                details: """
                    The database must be new: "vitrine migrate" made it, and nothing else is in it. DATABASE_URL must be the user that \
                    migrates. All of it or nothing: the first line that cannot be taken is named. Accounts come without passwords (see \
                    "account link"), clients without secrets, webhooks paused.
                    """,
                examples: [
                    .init("import bundle all.ndjson --dry-run", "do everything, tell, and undo it"),
                    .init("zcat all.ndjson.gz | vitrine import bundle -", ""),
                ],
                options: [CommandRun.dryRun, CommandRun.json],
                positionals: [.init("file", "What \"export\" wrote; - is standard input.")]),
            run: bundle),
    ]

    /// Gives images' files from the media store of this deployment.
    private static func reader(_ run: CommandRun) throws -> ExportBundle.FileReader {
        let files = try MediaLibrary(try run.settings()).files
        return { text in
            guard let path = MediaPath(text) else { return nil }
            return try await files.bytes(path)
        }
    }

    /// Keeps them there.
    private static func keeper(_ run: CommandRun) throws -> ImportBundle.FileWriter {
        let files = try MediaLibrary(try run.settings()).files
        return { file in
            guard let path = MediaPath(file.path) else { return }
            try await files.put(file.bytes, at: path)
        }
    }

    private static func export(_ run: CommandRun) async throws -> ExitCode {
        let output = try FileOutput(run.arguments.text("file"))
        let read = try reader(run)
        let withFiles = run.arguments.flag("files")
        let report = try await run.withDatabase { database, _ in
            try await ExportBundle(database: database)(
                files: withFiles ? read : nil, notify: { Output.note($0) }, write: { try output.write($0) })
        }
        try output.finish()
        Output.note("\(report.records) records.")
        for path in report.missing { Output.problem("The file \(path) is not there; see \"media check\".") }
        return report.missing.isEmpty ? .ok : .partial
    }

    private static func exportRelease(_ run: CommandRun) async throws -> ExitCode {
        guard let number = Int64(run.arguments.argument("number") ?? "") else {
            throw Failure.invalid(FieldErrors("number", "format", "Give the number of a release."))
        }
        let output = try FileOutput(run.arguments.text("file"))
        let read = try reader(run)
        let count = try await run.withDatabase { database, _ in
            try await ExportRelease(database: database)(number, files: read, write: { try output.write($0) })
        }
        try output.finish()
        Output.note("\(count) entries.")
        return .ok
    }

    private static func importRelease(_ run: CommandRun) async throws -> ExitCode {
        let path = run.arguments.argument("file") ?? "-"
        let pieces = try FilePieces(path)
        let keep = try keeper(run)
        let title = run.arguments.text("title") ?? path.split(separator: "/").last.map(String.init) ?? path
        let (isTry, isApproved) = (run.arguments.flag("dry-run"), run.arguments.flag("approve"))
        let actor = run.operatorActor
        let report = try await run.withDatabase { database, rules in
            try await ImportRelease(database: database, rules: rules)(
                { try pieces.next() }, title: title, isTry: isTry, isApproved: isApproved, files: keep, by: actor)
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
            Output.note("Release \(number) holds them; see \"release plan \(number)\".")
        } else {
            Output.note(isTry ? "Nothing was changed." : "Nothing differs; no release was made.")
        }
        return .ok
    }

    private static func bundle(_ run: CommandRun) async throws -> ExitCode {
        let isTry = run.arguments.flag("dry-run")
        let pieces = try FilePieces(run.arguments.argument("file") ?? "-")
        let keep = try keeper(run)
        let actor = Actor(kind: .system, name: "import", requestID: run.operatorActor.requestID)
        let report = try await run.withOwner { database in
            try await ImportBundle(database: database)(
                { try pieces.next() }, isTry: isTry, files: keep, by: actor, notify: { Output.note($0) })
        }
        if run.isJSON {
            try Output.json(report)
        } else {
            let would = isTry ? "would be " : ""
            for kind in report.kinds { Output.line("\(kind.count) \(kind.name)") }
            Output.line(
                "\(report.records) records \(would)imported, \(report.rows) rows of the read tables \(would)made.")
        }
        if !isTry, report.kinds.contains(where: { $0.name == "client" && $0.count > 0 }) {
            Output.note(
                "API clients keep their ids and came without secrets: \"client list\" names them, \"client renew ID\" gives each a new one."
            )
        }
        return .ok
    }
}

extension CommandRun {
    /// Opens the database as the user of `DATABASE_URL`, who may action as the owner.
    func withOwner<Value: Sendable>(_ body: @Sendable (OwnerDatabase) async throws -> Value) async throws -> Value {
        let settings = try settings()
        let loop = EventLoop(name: "owner")
        loop.start()
        let client = PostgresClient(
            configuration: Clients.configuration(
                settings, url: try await databaseURL(settings), role: nil, pipeline: 1, pool: 1,
                deadline: .seconds(3600)),
            loops: [loop])
        client.start()
        do {
            let value = try await body(OwnerDatabase(client: client, roles: Clients.roles(settings)))
            await client.close()
            return value
        } catch {
            await client.close()
            throw error
        }
    }
}
