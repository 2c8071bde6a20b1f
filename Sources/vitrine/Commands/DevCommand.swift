// Runs a daemon with its own database and demo content for trials and development.
import Admin
import CommandKit
import Domain
import EventLoop
import FoundationEssentials
import Glibc
import Markup
import Packs
import Platform
import Postgres
import Store

enum DevCommand {
    private enum Arguments {
        static let empty = Command.Option("empty", .flag, "Load no demo content.")
    }

    static let entries = [
        CommandEntry(
            "dev", summary: "Run a daemon with its own database for trials and development.",
            details: """
                Starts a private PostgreSQL in the data folder (or uses DATABASE_URL), migrates it, loads demo content
                into an empty database, serves, and prints its URLs. Ctrl-C stops everything; the data is kept for the
                next start.
                """,
            examples: [
                .init("dev", "http://127.0.0.1:8080"), .init("dev --port 9000 --empty --json", "for scripts"),
            ],
            options: [
                ServeCommand.port,
                .init("data", .text(placeholder: "DIR"), "Folder of the database files.", setting: "data.dir"),
                Arguments.empty,
                .init("json", .flag, "First print one line of JSON with URLs and credentials."),
            ],
            run: serve),
        CommandEntry(
            "dev", "sanitize", summary: "Sanitize HTML as intake does, one JSON document per line.",
            details: "Reads {\"html\"} or {\"markdown\"} lines from standard input and writes {\"html\"} lines.",
            options: [.init("jsonl", .flag, "One JSON document per line (the only format).")], run: sanitize),
        CommandEntry(
            "dev", "feed-parse", summary: "Parse feed documents as import does, one JSON document per line.",
            details:
                "Reads {\"base64\",\"content_type\",\"url\"} lines and writes {\"title\",\"entries\",\"error\"} lines.",
            options: [.init("jsonl", .flag, "One JSON document per line (the only format).")], run: parseFeeds),
        CommandEntry(
            "dev", "read-tables", summary: "Describe the read tables of the database in Markdown.",
            details: "For docs/reference/read-tables.md; see scripts/read_tables.py.",
            run: { run in
                let roles = try run.settings().roles
                return try await describe(run) { try await ReadContract.read($0, roles: roles).markdown }
            }),
        CommandEntry(
            "dev", "projections", summary: "Describe the projections of the database in Markdown.",
            details: "For docs/reference/projections.md; see scripts/read_tables.py.",
            run: { try await describe($0, ProjectionReference.read) }),
        CommandEntry(
            "dev", "permissions", summary: "Describe who may change which tables of the database in Markdown.",
            details: "For docs/reference/permissions.md; see scripts/read_tables.py.",
            run: { try await describe($0, AccessReference.read) }),
        CommandEntry(
            "dev", "messages", summary: "List the texts of templates, help, content types and constraints as JSON.",
            details: "For the catalogs of translations; see scripts/messages.py.",
            run: { run in
                try Output.json(TranslatableText.all(try run.settings(), try run.rules(run.settings())))
                return .ok
            }),
        CommandEntry(
            "dev", "admin-endpoints", summary: "Describe the pages and forms of the admin in Markdown.",
            details: "For docs/reference/admin.md.",
            run: { _ in
                Output.line(String(AdminSite.reference(PackSet(RegisteredPacks.all)).dropLast()))
                return .ok
            }),
    ]

    private struct Announcement: Encodable {
        let url: String
        let sign_in_url: String
        let database_url: String
        /// What commands on this database need.
        let environment: [String: String]
        let client: DevelopmentClient
    }

    private static func serve(_ run: CommandRun) async throws -> ExitCode {
        let clock = Stopwatch()
        let settings = try run.settings(environment: "development")
        let log = Logger(
            level: settings.log.level == .info ? .warning : settings.log.level, format: settings.log.format)
        let report: @Sendable (String) -> Void = { Output.note($0) }
        _ = DescriptorLimit.raise()
        let loop = EventLoop(name: "dev")
        loop.start()
        let cluster = settings.database.url == nil ? DevelopmentCluster(settings) : nil
        let url: String
        if let cluster {
            url = try await cluster.start(on: loop, isCanceled: { run.shutdown.isRequested }, progress: report)
        } else {
            url = try await run.databaseURL(settings)
        }
        // A second Ctrl-C leaves without waiting; the server stops on its own then, too.
        if let cluster { run.shutdown.onImmediateExit { cluster.cluster.requestStop() } }
        let result: Result<Void, any Error>
        do {
            result = .success(try await serve(run, settings, url: url, loop, log, clock, report))
        } catch {
            result = .failure(error)
        }
        await cluster?.cluster.stop { report("\($0) Press Ctrl-C to leave; it finishes on its own.") }
        try result.get()
        return .ok
    }

    /// Serves from a running database until a shutdown is requested.
    private static func serve(
        _ run: CommandRun, _ loaded: Settings, url: String, _ loop: EventLoop, _ log: Logger, _ clock: Stopwatch,
        _ report: @Sendable @escaping (String) -> Void
    ) async throws {
        let rules = try run.rules(loaded)
        try await migrate(loaded, url: url, rules, loop, report)
        let (settings, listening) = try run.listen(loaded, environment: "development")
        let check = StartCheck(settings, url: url, log: log)
        try await check.start(on: listening, run.shutdown)
        let daemon = try Daemon(settings, url: url, rules: rules, log: log)
        try daemon.start(on: listening)
        let setup = DevelopmentSetup(services: daemon.services, settings: settings)
        if !run.arguments.flag(Arguments.empty) { try await setup.loadDemo(report) }
        let client = try await setup.client()
        let signIn = try await setup.signInURL()
        if run.isJSON {
            try Output.json(
                Announcement(
                    url: settings.publicURL, sign_in_url: signIn, database_url: url,
                    environment: try environment(settings, url: url), client: client))
        } else {
            Output.line(greeting(settings.publicURL, signIn, client, milliseconds: clock.milliseconds))
        }
        ServiceNotifier(environment: ProcessContext.current.environment).ready()
        await run.shutdown.wait()
        report("Stopping.")
        await daemon.stop()
        try check.finish()
    }

    /// The configuration of this daemon that commands can't find by themselves.
    private static func environment(_ settings: Settings, url: String) throws -> [String: String] {
        let packs = try settings.enabledPacks().names
        return [
            "DATABASE_URL": url, "VITRINE_DATA_DIR": settings.directories.data,
            "VITRINE_ENVIRONMENT": settings.environment.rawValue,
            "VITRINE_PACKS": packs.isEmpty ? "none" : packs.joined(separator: " "),
            "VITRINE_PUBLIC_URL": settings.publicURL,
        ]
    }

    private static func migrate(
        _ settings: Settings, url: String, _ rules: ContentRules, _ loop: EventLoop,
        _ report: @Sendable @escaping (String) -> Void
    ) async throws {
        let client = PostgresClient(
            configuration: settings.postgres(url: url, role: nil, pipeline: 1, pool: 1, deadline: .seconds(600)),
            loops: [loop])
        client.start()
        // Reports an unavailable database with its cause.
        try await Database(client: client, packs: .none).connect()
        try await Schema(
            client: client, roles: settings.roles, packs: try settings.enabledPacks()
        ).migrate(
            types: rules.types, version: Program.version
        ) { report("Applying \($0).") }
        await client.close()
    }

    private static func greeting(_ url: String, _ signIn: String, _ client: DevelopmentClient, milliseconds: Int)
        -> String
    {
        """

        Vitrine is running (started in \(milliseconds) ms). Press Ctrl-C to stop; the data is kept.

          Sign in (one-time link, expires in 15 minutes):
            \(signIn)

          Send a submission:
            curl -u \(client.id):\(client.secret) -H 'Content-Type: application/json' \(url)/v1/submissions \\
              -d '{"type":"article","contributor":"reader-1","fields":{"title":"Hello","body":"<p>My first submission.</p>"}}'

          Approve it in the browser, then read it:
            curl -u \(client.id):\(client.secret) \(url)/v1/items

        """
    }

    private struct HTMLLine: Codable {
        var html: String?
        var markdown: String?
    }

    private static func sanitize(_ run: CommandRun) async throws -> ExitCode {
        var number = 0
        try StandardInput.lines { line in
            number += 1
            guard let input = try? JSONDecoder().decode(HTMLLine.self, from: Data(line)) else {
                throw Failure.invalid(
                    FieldErrors("line \(number)", "format", "Enter {\"html\": \"...\"} or {\"markdown\": \"...\"}."))
            }
            let html =
                if let source = input.markdown { try? Markdown.html(source).html } else {
                    try? HTMLSanitizer.sanitize(input.html ?? "")
                }
            try Output.json(HTMLLine(html: html ?? ""))
        }
        return .ok
    }

    /// Prints a description of the database without its last line break.
    private static func describe(
        _ run: CommandRun, _ text: @Sendable (Database) async throws -> String
    ) async throws -> ExitCode {
        Output.line(String(try await run.withDatabase { database, _ in try await text(database) }.dropLast()))
        return .ok
    }

    private static func parseFeeds(_ run: CommandRun) async throws -> ExitCode {
        try StandardInput.lines { line in try Output.json(FeedParseLine.parse(line)) }
        return .ok
    }
}
