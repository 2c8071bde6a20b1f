// Connects the delivery API to the read tables with one client per reader role.
import CommandKit
import EventLoop
import Platform
import Postgres
import Store

struct ReadClients: Sendable {
    private let guest: PostgresClient
    private let reader: PostgresClient
    private let delivery: PostgresClient
    /// As many connections as searches run at once: none waits behind another. All on one loop, so that none is left idle.
    private let searches: (guest: PostgresClient, reader: PostgresClient)

    init(_ settings: Settings, url: String, loops: [EventLoop], diagnosis: DatabaseDiagnosis) {
        let roles = settings.roles
        func client(_ role: String, pipeline: Int, deadline: Duration? = nil, loops: [EventLoop]) -> PostgresClient {
            var configuration = settings.postgres(
                url: url, role: role, pipeline: pipeline, pool: 1, deadline: deadline)
            configuration.onTrouble = { diagnosis.note($0) }
            configuration.reserve = PostgresConfiguration.reservedForCommands
            configuration.keptConnections = 0
            return PostgresClient(configuration: configuration, loops: loops)
        }
        guest = client(roles.guest, pipeline: 2, loops: loops)
        reader = client(roles.reader, pipeline: 2, loops: loops)
        delivery = client(roles.delivery, pipeline: 1, loops: loops)
        let limits = settings.limits
        func search(_ role: String) -> PostgresClient {
            client(role, pipeline: limits.searches, deadline: limits.searchDeadline, loops: [loops[0]])
        }
        searches = (search(roles.guest), search(roles.reader))
    }

    private var all: [PostgresClient] { [guest, reader, delivery, searches.guest, searches.reader] }

    func start() {
        for client in all { client.start() }
    }

    func close() async {
        for client in all { await client.close() }
    }

    /// The read tables. `listens` must be false for a standby, which does not support LISTEN.
    func database(packs: PackSet, listens: Bool) -> ReadDatabase {
        ReadDatabase(
            guest: guest, reader: reader, delivery: delivery, searches: searches, packs: packs, listens: listens)
    }
}
