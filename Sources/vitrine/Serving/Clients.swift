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
    /// With logins of their own they have connections of their own, or else those of `daemon`.
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
        let urls: [Actor.Authority: Secret?] = [
            .signIn: settings.database.signInURL, .schedule: settings.database.scheduleURL,
            // `vitrine dev` creates its account and content; the login of a deployment can't act as the operator.
            .operator: nil,
        ]
        // At least one of each loop, for each.
        configuration.poolSize = max(configuration.poolSize, loops.count)
        let share = max(2, loops.count, configuration.poolSize / 4)
        configuration.ownPoolSize = configuration.poolSize
        let (own, shared) = (configuration, urls.filter { $0.value == nil && $0.key != .operator }.count)
        configuration.poolSize += share * shared
        let daemon = PostgresClient(configuration: configuration, loops: loops)
        self.daemon = daemon
        others = Dictionary(
            uniqueKeysWithValues: urls.map { authority, url in
                let role = settings.roles.name(of: authority)
                guard let url else { return (authority, daemon.acting(as: role, most: share)) }
                var other = own
                other.url = url.reveal()
                other.role = role
                other.poolSize = share
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
