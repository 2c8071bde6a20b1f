// Tests how commands find the URL of a running daemon.
import EventLoop
import Postgres
import Store
import TestBasics
import TestSupport
import Testing

@Suite("URL of a running daemon", .databases)
struct DaemonAddressTests {
    /// A connection with the name that a daemon with this URL gives its connections.
    private func connect(_ url: String, to test: TestDatabase, _ loop: EventLoop) async throws -> PostgresClient {
        let client = PostgresClient(
            configuration: PostgresConfiguration(
                url: test.url, pipelineConnections: 1, poolSize: 1,
                applicationName: DaemonAddress.applicationName(url)),
            loops: [loop])
        client.start()
        _ = try await client.query("select 1")
        return client
    }

    @Test("The daemon that connected last is found, by the role of another daemon, and only while it's connected")
    func found() async throws {
        let test = try await TestDatabase.make()
        let loop = EventLoop(name: "daemon")
        loop.start()
        #expect(try await DaemonAddress.find(test.database) == nil)
        let first = try await connect("http://127.0.0.1:9000", to: test, loop)
        #expect(try await DaemonAddress.find(test.database) == "http://127.0.0.1:9000")
        let second = try await connect("https://cms.example.org", to: test, loop)
        #expect(try await DaemonAddress.find(test.database) == "https://cms.example.org")
        await second.close()
        try await until("the newer address is found") {
            try await DaemonAddress.find(test.database) == "http://127.0.0.1:9000"
        }
        await first.close()
    }

    @Test("A URL of 55 bytes fits into the name of a connection; a longer one is left out instead of truncated")
    func limit() async throws {
        let fits = "https://" + String(repeating: "a", count: 47)
        #expect(DaemonAddress.applicationName(fits) == "vitrine \(fits)")
        #expect(DaemonAddress.applicationName(fits + "a") == "vitrine")
        let test = try await TestDatabase.make()
        let loop = EventLoop(name: "daemon")
        loop.start()
        let client = try await connect(fits, to: test, loop)
        #expect(try await DaemonAddress.find(test.database) == fits)
        await client.close()
    }
}
