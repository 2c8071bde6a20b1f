// Runs only the delivery API.
import CommandKit
import FoundationEssentials
import Platform

enum DeliverCommand {
    static let entries = [
        CommandEntry(
            "deliver", summary: "Run only the delivery API on the database of DATABASE_URL.",
            details:
                "Needs a login that may use only the reader, guest and delivery roles. The database may be a standby: "
                + "readers are served while the primary and the daemons are down.",
            examples: [.init("deliver --port 8081", "serve apps from a separate process")],
            options: ServeCommand.listenOptions, run: deliver)
    ]

    private static func deliver(_ run: CommandRun) async throws -> ExitCode {
        let (loaded, log) = try run.daemonSettings()
        _ = DescriptorLimit.raise()
        let (settings, listening) = try run.listen(loaded)
        let process = try DeliveryProcess(
            settings, url: try await run.databaseURL(settings), rules: try run.rules(settings), log: log)
        try process.start(on: listening)
        do {
            try await process.verifyKey()
        } catch {
            await process.stop()
            throw error
        }
        let notifier = ServiceNotifier(environment: ProcessContext.current.environment)
        notifier.ready()
        await run.shutdown.wait()
        notifier.stopping()
        await process.stop()
        return .ok
    }
}
