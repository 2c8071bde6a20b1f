// Connects a daemon to the database with one client per database role.
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
        var configuration = Self.configuration(
            settings, url: url, role: Self.roles(settings).daemon, pipeline: settings.database.pipeline,
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

    static func roles(_ settings: Settings) -> Roles {
        // The configuration rejects prefixes that are invalid in role names.
        Roles(prefix: settings.database.rolePrefix) ?? Roles.standard
    }

    static func configuration(
        _ settings: Settings, url: String, role: String?, pipeline: Int, pool: Int, deadline: Duration? = nil
    ) -> PostgresConfiguration {
        PostgresConfiguration(
            url: url, pipelineConnections: pipeline, poolSize: pool, poolWait: settings.database.poolWait,
            deadline: deadline ?? settings.database.deadline,
            longDeadline: max(deadline ?? .zero, settings.database.publicationDeadline),
            lockTimeout: settings.database.lockTimeout,
            idleTransactionTimeout: settings.database.idleTransactionTimeout,
            prepare: settings.database.prepare, applicationName: "vitrine", role: role)
    }
}
