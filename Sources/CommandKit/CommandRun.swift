// Gives a command its arguments, the configuration, and a database on request.
import Domain
import EventLoop
import FoundationEssentials
import Glibc
import Operations
import Platform
import Postgres
import Store
import Synchronization

package struct CommandEntry: Sendable {
    package let command: Command
    package let run: @Sendable (CommandRun) async throws -> ExitCode

    package init(
        _ path: String..., summary: String, details: String = "", examples: [Command.Example] = [],
        options: [Command.Option] = [], positionals: [Command.Positional] = [],
        run: @escaping @Sendable (CommandRun) async throws -> ExitCode
    ) {
        var command = Command(
            summary: summary, details: details, examples: examples, options: options, positionals: positionals)
        command.path = path
        self.command = command
        self.run = run
    }
}

package struct CommandRun: Sendable {
    package let arguments: ParsedArguments
    package let shutdown: Shutdown
    /// All packs of this program.
    package let packs: [Pack]

    package init(arguments: ParsedArguments, shutdown: Shutdown, packs: [Pack]) {
        self.arguments = arguments
        self.shutdown = shutdown
        self.packs = packs
    }

    package var isJSON: Bool { arguments.flag(Self.json) }

    /// The actor of the command line, for the audit trail.
    package var operatorActor: Actor {
        let variables = ProcessContext.current.environment
        let user = variables["SUDO_USER"] ?? variables["USER"] ?? "operator"
        return Actor(kind: .operator, name: "operator", requestID: "cli-\(user.prefix(60))")
    }

    private static let hasWarned = Atomic<Bool>(false)

    /// The configuration; the first call prints warnings, such as misspelt variables. `port` is the port that the server
    /// listens on, `environment` the default environment.
    package func settings(port: Int? = nil, environment: String? = nil) throws -> Settings {
        let settings = try load(port: port, environment: environment)
        if !Self.hasWarned.exchange(true, ordering: .relaxed) {
            for warning in settings.warnings { Output.problem(warning) }
        }
        return settings
    }

    /// The configuration of a daemon, and its log, which gets the warnings. From now on SIGHUP is logged: tools send it to
    /// daemons to reload them, and after an end without an error nothing starts it again.
    package func daemonSettings() throws -> (Settings, Logger) {
        let settings = try load()
        let log = Logger(level: settings.log.level, format: settings.log.format)
        for warning in settings.warnings { log.warning("configuration", ["warning": .text(warning)]) }
        _ = Self.hasWarned.exchange(true, ordering: .relaxed)
        shutdown.onHangUp { log.info("SIGHUP was ignored; restart the daemon to change its configuration") }
        return (settings, log)
    }

    private func load(port: Int? = nil, environment: String? = nil) throws -> Settings {
        var flags = arguments.settings
        if let port { flags["listen.port"] = String(port) }
        var variables = ProcessContext.current.environment
        if let environment, variables["VITRINE_ENVIRONMENT"] == nil { variables["VITRINE_ENVIRONMENT"] = environment }
        return try Settings.load(flags: flags, environment: variables)
    }

    package func rules(_ settings: Settings) throws -> ContentRules {
        let packs = try settings.enabledPacks(of: self.packs)
        return ContentRules(
            types: try ContentTypes(folder: settings.directories.contentTypes, packs: packs),
            catalogs: try packs.parts(PackCommands.self).lazy.compactMap(\.catalogs).first?(settings))
    }

    /// `DATABASE_URL`, or the private cluster of a `vitrine dev` that runs in the same data folder.
    package func databaseURL(_ settings: Settings) async throws -> String {
        if let url = settings.database.url?.reveal() { return url }
        if let url = await DevelopmentCluster(settings).runningURL() { return url }
        throw Failure.invalid(
            FieldErrors("DATABASE_URL", "required", "Set DATABASE_URL, or start \"vitrine dev\" first."))
    }

    /// Opens the database with the daemon's role, runs `body` with it and the actions of the product, and closes it.
    package func withDatabase<Value: Sendable>(
        _ body: @Sendable (Database, Services) async throws -> Value
    ) async throws -> Value {
        let settings = try settings()
        let rules = try rules(settings)
        let loop = EventLoop(name: "command")
        loop.start()
        defer { loop.stop() }
        var configuration = settings.postgres(
            url: try await databaseURL(settings), role: settings.roles.operator, pipeline: 1, pool: 8,
            deadline: .seconds(3600))
        let trouble = Mutex<PostgresError?>(nil)
        configuration.onTrouble = { error in trouble.withLock { $0 = error } }
        let client = PostgresClient(configuration: configuration, loops: [loop])
        client.start()
        let library = try MediaLibrary(settings)
        let database = Database(
            client: client, packs: try settings.enabledPacks(of: packs), mediaFileSize: library.fileSize)
        let services = Services(database: database, content: rules, library: library, settings: settings)
        do {
            try await requireRole(settings, database)
            let reopened = ReopenedReleases()
            // Also of a command that fails after some of its changes.
            defer { for message in reopened.messages { Output.note(message) } }
            let value = try await ReopenedReleases.$current.withValue(reopened) { try await body(database, services) }
            await database.close()
            return value
        } catch {
            await database.close()
            // What is unavailable in the middle of a command is said as to everybody, without the cause.
            guard case Failure.unavailable(let message, nil) = error, let cause = trouble.withLock({ $0 }) else {
                throw error
            }
            throw Failure.unavailable(message, cause: DatabaseAdvice.sentence(for: cause))
        }
    }

    /// Explains a refused role.
    private func requireRole(_ settings: Settings, _ database: Database) async throws {
        do {
            try await database.connect()
        } catch let error as PostgresError where error.sqlState == "42501" {
            throw Failure.refused(
                code: "role",
                message: "Commands act as the operator, and the login of DATABASE_URL may not use "
                    + "\(settings.roles.operator). Use one that may, such as the owner's.")
        }
    }

    /// The contents of a file, or of standard input for `-`.
    package func read(_ path: String) throws -> [UInt8] {
        if path == "-" { return StandardInput.all() }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Failure.unreadable(path)
        }
        return [UInt8](data)
    }

    /// When a change is published: at `--at` in `--zone`, else now.
    package func publishTiming(otherwise: PublishTiming = .now) throws -> PublishTiming {
        if let number = arguments.shared(Self.release).flatMap({ Int64($0) }) { return .release(number) }
        if let time = arguments.shared(Self.at) {
            return try PublishTiming(parsing: time, zone: arguments.text(Self.zone), pointer: "--at")
        }
        let flags = [(Self.publish, PublishTiming.now), (Self.approve, .approveOnly), (Self.draft, .draft)]
        return flags.first { arguments.shared($0.0) == "true" }?.1 ?? otherwise
    }

    // MARK: Options of many commands

    package static let json = Command.Option("json", .flag, "Print JSON.")
    package static let dryRun = Command.Option("dry-run", .flag, "Show the changes without making them.")
    package static let at = Command.Option(
        "at", .text(placeholder: "TIME"), "Publish at this time: 2026-11-20T18:00 with --zone, or with an offset.")
    package static let zone = Command.Option(
        "zone", .text(placeholder: "ZONE"), "IANA time zone of a time without an offset, such as Europe/London.")
    package static let release = Command.Option(
        "release", .integer(placeholder: "N", in: 1...Int(Int32.max)), "Add the change to this release.")
    package static let publish = Command.Option("publish", .flag, "Approve and publish now.")
    package static let approve = Command.Option("approve", .flag, "Approve without publishing.")
    package static let draft = Command.Option("draft", .flag, "Save as draft.")
}
