// Runs a daemon on an existing database.
import CommandKit
import FoundationEssentials
import HTTP
import Platform

enum ServeCommand {
    static let port = Command.Option(
        "port", .integer(placeholder: "N", in: 0...65535), "Port to listen on.", setting: "listen.port")
    static let listenOptions = [
        port, Command.Option("host", .text(placeholder: "IP"), "IP address to listen on.", setting: "listen.host"),
    ]

    static let entries = [
        CommandEntry(
            "serve", summary: "Run a daemon on the database of DATABASE_URL.",
            details: "Migrate the database first (vitrine migrate). Several daemons may serve one database.",
            examples: [.init("serve --port 8081", "another daemon on the same database")],
            options: listenOptions, run: serve)
    ]

    private static func serve(_ run: CommandRun) async throws -> ExitCode {
        let (loaded, log) = try run.daemonSettings()
        _ = DescriptorLimit.raise()
        let rules = try run.rules(loaded)
        let (settings, listening) = try run.listen(loaded)
        let url = try await run.databaseURL(settings)
        let notifier = ServiceNotifier(environment: ProcessContext.current.environment)
        let check = StartCheck(settings, url: url, log: log)
        try await check.start(on: listening, run.shutdown) {
            notifier.ready()
            notifier.status("Waiting for the database; /readyz says why.")
        }
        if run.shutdown.isRequested { return .ok }
        let daemon = try Daemon(settings, url: url, rules: rules, log: log)
        try daemon.start(on: listening)
        notifier.ready()
        notifier.status("Serving \(settings.publicURL)")
        await run.shutdown.wait()
        notifier.stopping()
        await daemon.stop()
        try check.finish()
        return .ok
    }
}

extension CommandRun {
    /// Listens as configured, and gives the configuration with the port: that of a daemon on any free port is in its URLs.
    func listen(_ settings: Settings, environment: String? = nil) throws -> (Settings, ListeningSocket) {
        let listening = try ListeningSocket(host: settings.listen.host, port: settings.listen.port)
        if settings.listen.port == listening.port { return (settings, listening) }
        return (try self.settings(port: listening.port, environment: environment), listening)
    }
}
