// Connects a daemon to the database with one client per database role.
import CommandKit
import Domain
import EventLoop
import Platform
import Postgres
import Store

struct Clients: Sendable {
    let daemon: PostgresClient
    let reads: ReadClients

    init(_ settings: Settings, url: String, loops: [EventLoop], log: Logger) {
        let diagnosis = DatabaseDiagnosis(log: log)
        var configuration = settings.postgres(
            url: url, role: settings.roles.daemon, pipeline: settings.database.pipeline,
            pool: settings.database.pool)
        configuration.onTrouble = { diagnosis.note($0) }
        // A daemon on any free port does not know its URL yet.
        if settings.listen.port != 0 || settings.origin(of: "public.url") != .fallback {
            configuration.applicationName = DaemonAddress.applicationName(settings.publicURL)
        }
        daemon = PostgresClient(configuration: configuration, loops: loops)
        reads = ReadClients(settings, url: url, loops: loops, diagnosis: diagnosis)
    }

    func start() {
        daemon.start()
        reads.start()
    }

    func close() async {
        await reads.close()
        await daemon.close()
    }
}
