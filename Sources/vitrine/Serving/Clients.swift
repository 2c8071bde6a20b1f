// Connects a daemon to the database with one client per database role.
import CommandKit
import Domain
import EventLoop
import Operations
import Platform
import Postgres
import Store

struct Clients: Sendable {
    let daemon: PostgresClient
    /// Their connections are opened when they are needed.
    let others: [Actor.Authority: PostgresClient]
    let reads: ReadClients

    init(_ settings: Settings, url: String, loops: [EventLoop], log: Logger) {
        let diagnosis = DatabaseDiagnosis(log: log)
        var configuration = settings.postgres(
            url: url, role: settings.roles.daemon, pipeline: settings.database.pipeline,
            pool: settings.database.pool)
        configuration.onTrouble = { diagnosis.note($0) }
        configuration.reserve = PostgresConfiguration.reservedForCommands
        configuration.applicationName = DaemonAddress.applicationName(settings.publicURL)
        daemon = PostgresClient(configuration: configuration, loops: loops)
        let urls: [Actor.Authority: Secret?] = [
            .signIn: settings.database.signInURL, .schedule: settings.database.scheduleURL,
            // `vitrine dev` creates its account and content; the login of a deployment can't act as the operator.
            .operator: nil,
        ]
        others = Dictionary(
            uniqueKeysWithValues: urls.map { authority, ownURL in
                var other = configuration
                other.url = ownURL?.reveal() ?? url
                other.role = settings.roles.name(of: authority)
                other.poolSize = max(2, configuration.poolSize / 4)
                other.keptConnections = 0
                return (authority, PostgresClient(configuration: other, loops: loops))
            })
        reads = ReadClients(settings, url: url, loops: loops, diagnosis: diagnosis)
    }

    func database(packs: PackSet, _ library: MediaLibrary) -> Database {
        Database(client: daemon, others: others, packs: packs, mediaFileSize: library.fileSize)
    }

    func start() {
        daemon.start()
        reads.start()
    }

    func close() async {
        await reads.close()
        for other in others.values { await other.close() }
        await daemon.close()
    }
}
