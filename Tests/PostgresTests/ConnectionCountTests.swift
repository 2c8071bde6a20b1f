// Tests how many connections a client has: as many as it needs, few at rest, and none that commands need.
import EventLoop
import Glibc
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
                if isRefused { #expect(error?.message.contains("reserved for commands") == true) }
            }
        }
    }

    /// Runs `body` with a server of its own: on the shared one other tests open connections.
    private func withServer(_ body: (String) async throws -> Void) async throws {
        var template = Array("/tmp/vitrine-count-XXXXXX".utf8CString)
        mkdtemp(&template)
        chmod(template, 0o755)
        let folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        let cluster = PrivateCluster(dataDirectory: folder + "/data", durable: false)
        defer {
            cluster.stopImmediately()
            system("rm -rf \(folder)")
        }
        try await body(try await cluster.start())
    }

    /// Limits the connections to the kept ones.
    private func keepOnly(_ count: Int, _ configuration: inout PostgresConfiguration) {
        (configuration.pipelineConnections, configuration.keptConnections) = (max(1, count), count)
    }

    @Test("Sessions of other roles count, of which a login without privileges sees little; the last free one is taken")
    func otherRoles() async throws {
        try await withServer { url in
            try await PostgresFixture.run(url: url, configure: { keepOnly(1, &$0) }) { administrator, _ in
                for role in ["first_login", "second_login"] {
                    try await administrator.execute("create role \(raw: role) login")
                }
                func sessions(_ role: String) async throws -> Int {
                    try await administrator.one(
                        "select count(*) from pg_stat_activity where usename = \(role)")(0)
                }
                try await PostgresFixture.run(url: url + "&user=first_login", configure: { keepOnly(3, &$0) }) { _, _ in
                    try await until("the first login is connected") { try await sessions("first_login") == 3 }
                    // Those of the first login and of the administrator are taken.
                    let free: Int = try await administrator.one(
                        """
                        select current_setting('max_connections')::int - 4
                            - current_setting('superuser_reserved_connections')::int
                            - coalesce(current_setting('reserved_connections', true)::int, 0)
                        """)(0)
                    for (reserve, isRefused) in [(free - 1, false), (free, true)] {
                        try await until("the second login has ended") { try await sessions("second_login") == 0 }
                        let message = try await refusal(url + "&user=second_login", reserve: reserve)
                        #expect(message?.contains("reserved for commands") == (isRefused ? true : nil))
                    }
                }
            }
        }
    }

    /// Why a client with one connection can't have it.
    private func refusal(_ url: String, reserve: Int) async throws -> String? {
        try await PostgresFixture.run(
            url: url,
            configure: {
                keepOnly(0, &$0)
                $0.reserve = reserve
                $0.poolWait = .seconds(2 * Patience.factor)
            }
        ) { client, _ in
            await PostgresFixture.error { try await client.run("select 1") }?.message
        }
    }
}
