// Tests how many connections a client has: as many as it needs, few at rest, and none that commands need.
import EventLoop
import Postgres
import TestBasics
import Testing

@Suite("Number of connections")
struct ConnectionCountTests {
    private func count(_ name: String) async throws -> Int {
        try await TestCluster.shared.administrator().one(
            "select count(*)::int from pg_stat_activity where application_name = \(name)")(0)
    }

    @Test("Connections open under load and close at rest, except for those that are kept", arguments: [0, 1, 2])
    func idle(kept: Int) async throws {
        let name = "count-\(kept)"
        try await PostgresFixture.run(
            loops: 2,
            configure: {
                $0.applicationName = name
                $0.pipelineConnections = 8
                $0.poolSize = 8
                $0.keptConnections = kept
                $0.idleTimeout = .milliseconds(300)
            }
        ) { client, _ in
            for _ in 0..<2 {
                try await until("\(kept) connections are open") { try await count(name) == kept }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<12 {
                        group.addTask { _ = try await client.run("select pg_sleep(0.1)") }
                        group.addTask {
                            try await client.transaction { _ = try await $0.run("select pg_sleep(0.4)") }
                        }
                    }
                    try await until("connections have opened") { try await count(name) >= 6 }
                    try await group.waitForAll()
                }
            }
            try await until("they close again") { try await count(name) == kept }
            #expect(try await client.one("select 1")(0) == 1)
        }
    }

    @Test("A transaction that lasts longer than the idle timeout keeps its connection")
    func lent() async throws {
        try await PostgresFixture.run(configure: { $0.idleTimeout = .milliseconds(50) }) { client, loop in
            let isSame = try await client.transaction { transaction in
                let before: Int = try await transaction.one("select pg_backend_pid()")(0)
                await loop.sleep(for: .milliseconds(300))
                return try await transaction.one("select pg_backend_pid()")(0) == before
            }
            #expect(isSame)
        }
    }

    @Test("A batched statement opens its connections when it is used")
    func batched() async throws {
        let name = "count-batched"
        try await PostgresFixture.run(
            configure: {
                $0.applicationName = name
                $0.keptConnections = 0
                $0.idleTimeout = .milliseconds(300)
            }
        ) { client, _ in
            let double = BatchedStatement<Int, Int>(
                client: client, spread: .together, connections: 2,
                statement: { "select unnest(\($0)::bigint[]) * 2" },
                outputs: { rows, _ in try rows.map { .success(try $0(0)) } })
            for _ in 0..<2 {
                try await until("none is open") { try await count(name) == 0 }
                #expect(try await double(21) == 42)
            }
        }
    }

    @Test("A client that must leave connections to others takes none of the last ones, and says so")
    func reserve() async throws {
        for (reserve, isRefused) in [(1, false), (100_000, true)] {
            try await PostgresFixture.run(
                configure: {
                    $0.reserve = reserve
                    if isRefused { $0.poolWait = .milliseconds(300) }
                }
            ) { client, _ in
                let error = await PostgresFixture.error { try await client.run("select 1") }
                #expect((error != nil) == isRefused)
                if isRefused { #expect(error?.message.contains("left for commands") == true) }
            }
        }
    }
}
