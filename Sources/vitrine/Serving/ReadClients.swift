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

    init(_ settings: Settings, url: String, loops: [EventLoop], diagnosis: DatabaseDiagnosis) {
        let roles = settings.roles
        func client(_ role: String, pipeline: Int) -> PostgresClient {
            var configuration = settings.postgres(url: url, role: role, pipeline: pipeline, pool: 1)
            configuration.onTrouble = { diagnosis.note($0) }
            return PostgresClient(configuration: configuration, loops: loops)
        }
        guest = client(roles.guest, pipeline: 2)
        reader = client(roles.reader, pipeline: 2)
        delivery = client(roles.delivery, pipeline: 1)
    }

    func start() {
        for client in [guest, reader, delivery] { client.start() }
    }

    func close() async {
        for client in [guest, reader, delivery] { await client.close() }
    }

    /// The read tables. `listens` must be false for a standby, which does not support LISTEN.
    func database(packs: PackSet, listens: Bool) -> ReadDatabase {
        ReadDatabase(guest: guest, reader: reader, delivery: delivery, packs: packs, listens: listens)
    }
}
