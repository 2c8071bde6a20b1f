// What a command works with: its arguments, the configuration, and a database when it asks for one.
import Domain
import EventLoop
import FoundationEssentials
import Glibc
import Intake
import Platform
import Postgres
import Store

struct CommandEntry: Sendable {
    let command: Command
    let run: @Sendable (CommandRun) async throws -> ExitCode
}

struct CommandRun: Sendable {
    let arguments: ParsedArguments
    let shutdown: Shutdown

    var isJSON: Bool { arguments.flag("json") }

    /// Who actions from the command line, for the audit trail.
    var operatorActor: Actor {
        let user =
            ProcessInfo.processInfo.environment["SUDO_USER"] ?? ProcessInfo.processInfo.environment["USER"]
            ?? "operator"
        return Actor(kind: .operator, name: "operator", requestID: "cli-\(user.prefix(60))")
    }

    /// The configuration; `port` is the one that was really taken, `environment` what the place is unless it is said.
    func settings(port: Int? = nil, environment: String? = nil) throws -> Settings {
        var flags = arguments.settings
        if let port { flags["listen.port"] = String(port) }
        var variables = ProcessInfo.processInfo.environment
        if let environment, variables["VITRINE_ENVIRONMENT"] == nil { variables["VITRINE_ENVIRONMENT"] = environment }
        return try Settings.load(flags: flags, environment: variables)
    }

    func rules(_ settings: Settings) throws -> ContentRules {
        ContentRules(types: try ContentTypes(folder: settings.directories.contentTypes))
    }

    /// `DATABASE_URL`, or the private cluster of a `vitrine dev` that runs on the same data folder.
    func databaseURL(_ settings: Settings) async throws -> String {
        if let url = settings.database.url?.reveal() { return url }
        if let url = await DevelopmentCluster(settings).runningURL() { return url }
        throw Failure.invalid(
            FieldErrors("DATABASE_URL", "required", "Set DATABASE_URL, or start \"vitrine dev\" beside this command."))
    }

    /// Opens the database as the daemon's role for the time of `body`.
    func withDatabase<Value: Sendable>(
        _ body: @Sendable (Database, ContentRules) async throws -> Value
    ) async throws -> Value {
        let settings = try settings()
        let rules = try rules(settings)
        let loop = EventLoop(name: "command")
        loop.start()
        let client = PostgresClient(
            configuration: Clients.configuration(
                settings, url: try await databaseURL(settings), role: Clients.roles(settings).daemon, pipeline: 1,
                pool: 8,
                deadline: .seconds(3600)),
            loops: [loop])
        client.start()
        let database = Database(client: client)
        do {
            let value = try await body(database, rules)
            await database.close()
            return value
        } catch {
            await database.close()
            throw error
        }
    }

    /// The content of a file, or of standard input for `-`.
    func read(_ path: String) throws -> [UInt8] {
        if path == "-" { return StandardInput.all() }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Failure.missing("file: \(path) cannot be read")
        }
        return [UInt8](data)
    }

    /// When what a command makes goes live: `--at` with `--zone`, else now.
    func publishTiming() throws -> PublishTiming {
        guard let time = arguments.text("at") else { return .now }
        return try PublishTiming(parsing: time, zone: arguments.text("zone"), pointer: "--at")
    }

    /// Options that many commands share.
    static let json = Command.Option("json", .flag, "Print JSON instead of sentences.")
    static let dryRun = Command.Option("dry-run", .flag, "Say what would be done, and do nothing.")
    static let at = Command.Option(
        "at", .text(placeholder: "TIME"), "Go live at this time: 2026-11-20T18:00 with --zone, or with an offset or Z.")
    static let zone = Command.Option(
        "zone", .text(placeholder: "ZONE"), "IANA time zone of --at, such as Europe/London.")
}
