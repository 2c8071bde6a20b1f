// Tests that a pooler that shares server sessions is refused before anything leaks, with a real PgBouncer.
import EventLoop
import Postgres
import TestBasics
import Testing

@Suite("Pooler")
struct PoolerTests {
    private static func configure(_ configuration: inout PostgresConfiguration) {
        configuration.poolWait = .milliseconds(500 * Patience.factor)
        configuration.role = "pooler_role"
    }

    private func withPooler(_ body: (PgBouncer, String) async throws -> Void) async throws {
        let url = try await TestCluster.shared.database()
        _ = try? await TestCluster.shared.administrator().execute("create role pooler_role")
        let pooler = try PgBouncer(to: url)
        defer { pooler.remove() }
        try await body(pooler, url)
    }

    /// Who a plain client of the pooler is, asked as often as there may be server sessions.
    private func users(_ url: String) async throws -> Set<String> {
        var users: Set<String> = []
        for _ in 0..<5 {
            try await PostgresFixture.run(
                url: url, configure: { $0.pipelineConnections = 1 },
                { client, _ in
                    users.insert(try await client.one("select current_user::text")(0))
                })
        }
        return users
    }

    @Test(
        "In transaction and statement mode every connection is refused with the reason, and no role leaks",
        arguments: ["transaction", "statement"], [true, false])
    func shared(mode: String, prepare: Bool) async throws {
        try await withPooler { pooler, _ in
            try await pooler.run(mode) { url in
                try await PostgresFixture.run(
                    url: url,
                    configure: {
                        Self.configure(&$0)
                        $0.prepare = prepare
                    },
                    { client, _ in
                        let single = await PostgresFixture.error { try await client.run("select 1") }
                        let transaction = await PostgresFixture.error {
                            try await client.transaction { try await $0.one("select 1")(0) as Int }
                        }
                        #expect(single?.kind == .unavailable && transaction?.kind == .unavailable)
                        if mode == "transaction" {
                            #expect(single?.isMisconfigured == true && transaction?.isMisconfigured == true)
                            #expect(single?.message.contains("Set its pool_mode to session") == true)
                        } else {
                            #expect(single?.message.contains("pooler") == true)
                        }
                    })
            }
            // The same server sessions, now one for each client.
            #expect(try await pooler.run("session") { try await users($0) } == ["postgres"])
        }
    }

    @Test("In session mode everything works, also with as few server sessions as connections, and after a restart")
    func session() async throws {
        try await withPooler { pooler, _ in
            let configure: (inout PostgresConfiguration) -> Void = {
                Self.configure(&$0)
                $0.poolWait = .seconds(20)
                $0.pipelineConnections = 2
                $0.poolSize = 2
            }
            try await PostgresFixture.run(url: pooler.url, configure: configure) { client, _ in
                for _ in 0..<2 {
                    try await pooler.run("session", poolSize: 5) { _ in
                        #expect(
                            await PostgresFixture.waits {
                                try await client.one("select current_user::text")(0) == "pooler_role"
                            })
                        let user: String = try await client.transaction {
                            try await $0.one("select current_user::text")(0)
                        }
                        #expect(user == "pooler_role")
                    }
                }
            }
        }
    }

    @Test("A pooler that comes back in transaction mode is refused on reconnection")
    func changed() async throws {
        try await withPooler { pooler, _ in
            try await PostgresFixture.run(url: pooler.url, configure: Self.configure) { client, _ in
                try await pooler.run("session") { _ in
                    #expect(await PostgresFixture.waits { try await client.one("select 1")(0) == 1 })
                }
                try await pooler.run("transaction") { _ in
                    #expect(
                        await PostgresFixture.waits {
                            await PostgresFixture.error { try await client.run("select 1") }?.isMisconfigured == true
                        })
                }
            }
        }
    }

    @Test("A pooler that switches to transaction mode under open connections is noticed, and no role leaks at any time")
    func switched() async throws {
        try await withPooler { pooler, _ in
            let configure: (inout PostgresConfiguration) -> Void = {
                Self.configure(&$0)
                $0.poolWait = .seconds(20)
                $0.pipelineConnections = 2
                $0.keptConnections = 2
                // It must be noticed without a statement, too.
                $0.poolerInterval = .milliseconds(200)
            }
            try await pooler.run("session", poolSize: 6) { url in
                try await PostgresFixture.run(url: url, configure: configure) { client, _ in
                    let user: String = try await client.one("select current_user::text")(0)
                    let inTransaction: String = try await client.transaction {
                        try await $0.one("select current_user::text")(0)
                    }
                    #expect(user == "pooler_role" && inTransaction == "pooler_role")
                    #expect(client.isReachable)
                    pooler.reload("transaction", poolSize: 6)
                    await until("the connections are closed") { !client.isReachable }
                    #expect(try await pooler.psql("select current_user") == "postgres")
                    let error = await PostgresFixture.error { try await client.run("select 1", deadline: .seconds(1)) }
                    #expect(error?.isMisconfigured == true)
                }
            }
        }
    }

    @Test("Statements that run on a shared session have the role for themselves, and end the connection")
    func sharedStatements() async throws {
        try await withPooler { pooler, _ in
            try await pooler.run("session", poolSize: 3) { url in
                try await PostgresFixture.run(url: url, configure: Self.configure) { client, _ in
                    #expect(await PostgresFixture.waits { try await client.one("select 1")(0) == 1 })
                    pooler.reload("transaction", poolSize: 3)
                    await until("a statement is refused") {
                        // Takes the server session that the client had.
                        async let other = pooler.psql("select current_user from pg_sleep(0.2)")
                        let user: String? = try? await client.one("select current_user::text from pg_sleep(0.1)")(0)
                        #expect(user == nil || user == "pooler_role")
                        let otherUser = try? await other
                        #expect(otherUser == "postgres")
                        return user == nil
                    }
                }
            }
        }
    }

    @Test("A direct connection needs no second one")
    func direct() async throws {
        let url = try await TestCluster.shared.database()
        try await PostgresFixture.run(url: url, configure: { $0.pipelineConnections = 1 }) { client, _ in
            let count: Int = try await client.one(
                "select count(*) from pg_stat_activity where datname = current_database()")(0)
            #expect(count == 1)
        }
    }
}
