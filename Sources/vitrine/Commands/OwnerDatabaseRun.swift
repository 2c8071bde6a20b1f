// Opens the database for commands that only its owner may run.
import CommandKit
import EventLoop
import Platform
import Postgres
import Store

extension CommandRun {
    /// Opens the database as the user of `DATABASE_URL`, who may act as the owner.
    func withOwner<Value: Sendable>(_ body: @Sendable (OwnerDatabase) async throws -> Value) async throws -> Value {
        let settings = try settings()
        let loop = EventLoop(name: "owner")
        loop.start()
        defer { loop.stop() }
        let client = PostgresClient(
            configuration: settings.postgres(
                url: try await databaseURL(settings), role: nil, pipeline: 1, pool: 1,
                deadline: .seconds(3600)),
            loops: [loop])
        client.start()
        do {
            // Reports an unavailable database with its cause.
            try await Database(client: client, packs: .none).connect()
            let value = try await body(
                OwnerDatabase(
                    client: client, roles: settings.roles, packs: try settings.enabledPacks()))
            await client.close()
            return value
        } catch {
            await client.close()
            throw error
        }
    }
}
