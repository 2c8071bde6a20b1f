// Provides a database, an event loop and a client for one test.
import EventLoop
import Postgres
import TestBasics

enum PostgresFixture {
    /// Runs `body` with a client of a new database, on a loop of its own; everything is removed afterwards.
    @discardableResult
    static func run<Value: Sendable>(
        loops count: Int = 1, configure: (inout PostgresConfiguration) -> Void = { _ in },
        _ body: (PostgresClient, EventLoop) async throws -> Value
    ) async throws -> Value {
        let url = try await TestCluster.shared.database()
        return try await run(url: url, loops: count, configure: configure, body)
    }

    /// The same with an existing database, on any server.
    @discardableResult
    static func run<Value: Sendable>(
        url: String, loops count: Int = 1, configure: (inout PostgresConfiguration) -> Void = { _ in },
        _ body: (PostgresClient, EventLoop) async throws -> Value
    ) async throws -> Value {
        var configuration = PostgresConfiguration(url: url, deadline: .seconds(30), lockTimeout: .seconds(30))
        configuration.poolWait = .seconds(10)
        configuration.idleTransactionTimeout = .seconds(60)
        configure(&configuration)
        let loops = (0..<count).map { EventLoop(name: "loop-\($0)") }
        for loop in loops { loop.start() }
        let client = PostgresClient(configuration: configuration, loops: loops)
        client.start()
        do {
            let value = try await body(client, loops[0])
            await end(client, loops)
            return value
        } catch {
            await end(client, loops)
            throw error
        }
    }

    private static func end(_ client: PostgresClient, _ loops: [EventLoop]) async {
        await client.close()
        for loop in loops { loop.stop() }
    }

    /// Waits until `condition` holds; while the server is away, it doesn't.
    static func waits(
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column,
        until condition: () async throws -> Bool
    ) async -> Bool {
        var holds = false
        await until("the condition holds", fileID: fileID, filePath: filePath, line: line, column: column) {
            holds = (try? await condition()) == true
            return holds
        }
        return holds
    }

    /// The PostgreSQL error that `body` throws, or nil.
    static func error(_ body: () async throws -> some Any) async -> PostgresError? {
        do {
            _ = try await body()
            return nil
        } catch {
            return error as? PostgresError
        }
    }
}
