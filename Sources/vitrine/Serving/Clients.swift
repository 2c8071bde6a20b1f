// The connections of one daemon: one client for each database role that it acts as.
import Domain
import EventLoop
import Platform
import Postgres
import Store

struct Clients: Sendable {
    let daemon: PostgresClient
    let guest: PostgresClient
    let reader: PostgresClient
    let delivery: PostgresClient

    init(_ settings: Settings, url: String, loops: [EventLoop], log: Logger) {
        let roles = Self.roles(settings)
        let trouble = DatabaseTrouble(log: log)
        func client(_ role: String, pipeline: Int, pool: Int) -> PostgresClient {
            var configuration = Self.configuration(settings, url: url, role: role, pipeline: pipeline, pool: pool)
            configuration.onTrouble = { trouble.note($0) }
            return PostgresClient(configuration: configuration, loops: loops)
        }
        daemon = client(roles.daemon, pipeline: settings.database.pipeline, pool: settings.database.pool)
        guest = client(roles.guest, pipeline: 2, pool: 1)
        reader = client(roles.reader, pipeline: 2, pool: 1)
        delivery = client(roles.delivery, pipeline: 1, pool: 1)
    }

    func start() {
        for client in [daemon, guest, reader, delivery] { client.start() }
    }

    func close() async {
        for client in [guest, reader, delivery, daemon] { await client.close() }
    }

    static func roles(_ settings: Settings) -> Roles {
        // The configuration refuses a prefix that makes no role names.
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
