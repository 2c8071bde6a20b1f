// Runs a daemon on an existing database.
import CommandKit
import FoundationEssentials
import Platform

enum ServeCommand {
    static let entries = [
        CommandEntry(
            command: Command(
                "serve", summary: "Run a daemon on the database of DATABASE_URL.",
                details: "Migrate the database first (vitrine migrate). Several daemons may serve one database.",
                examples: [.init("serve --port 8081", "another daemon on the same database")],
                options: [
                    .init(
                        "port", .integer(placeholder: "N", in: 0...65535), "Port to listen on.", setting: "listen.port"),
                    .init("host", .text(placeholder: "IP"), "IP address to listen on.", setting: "listen.host"),
                ]),
            run: serve)
    ]

    private static func serve(_ run: CommandRun) async throws -> ExitCode {
        let (settings, log) = try run.daemonSettings()
        _ = DescriptorLimit.raise()
        let url = try await run.databaseURL(settings)
        let rules = try run.rules(settings)
        let check = StartCheck(settings, url: url, log: log)
        try await check.start(run.shutdown)
        if run.shutdown.isRequested { return .ok }
        let daemon = try Daemon(settings, url: url, rules: rules, log: log)
        try daemon.start()
        let notifier = ServiceNotifier(environment: ProcessContext.current.environment)
        notifier.ready()
        await run.shutdown.wait()
        notifier.stopping()
        await daemon.stop()
        try check.finish()
        return .ok
    }
}
