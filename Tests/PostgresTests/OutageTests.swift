// Tests what callers see during an outage of PostgreSQL, and that everything recovers by itself.
import EventLoop
import Glibc
import Postgres
import TestBasics
import Testing

@Suite("Outages")
struct OutageTests {
    private static func temporaryFolder() -> String {
        var template = Array("/tmp/vitrine-outage-XXXXXX".utf8CString)
        mkdtemp(&template)
        chmod(template, 0o755)
        return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Runs load during `fault`, which gets the number of statements that have succeeded. Returns the errors that callers
    /// saw, except those marked unavailable.
    private func otherErrors(
        _ client: PostgresClient, _ loop: EventLoop, during fault: (Shared<Int>) async throws -> Void
    ) async throws -> (others: [String], unavailable: Int, hasRecovered: Bool) {
        let others = Shared<[String]>([])
        let unavailable = Shared(0)
        let succeeded = Shared(0)
        let mayEnd = Shared(false)
        let load = (0..<24).map { number in
            Task(executorPreference: loop) {
                while !mayEnd.withLock({ $0 }) {
                    do {
                        if number % 3 == 0 {
                            try await client.transaction { tx in
                                try await tx.execute("update load set n = n + 1 where id = \(number)::int")
                            }
                        } else {
                            #expect(try await client.one("select \(number)::int")(0) == number)
                        }
                        succeeded.withLock { $0 += 1 }
                    } catch let error as PostgresError where error.kind == .unavailable {
                        unavailable.withLock { $0 += 1 }
                        await loop.sleep(for: .milliseconds(5))
                    } catch {
                        others.withLock { $0.append("\(error)") }
                    }
                }
            }
        }
        try await fault(succeeded)
        let hasRecovered = await PostgresFixture.waits {
            try await client.transaction { try await $0.one("select 1")(0) as Int } == 1
        }
        mayEnd.withLock { $0 = true }
        for task in load { await task.value }
        return (others.withLock { $0 }, unavailable.withLock { $0 }, hasRecovered)
    }

    private func makeTable(_ client: PostgresClient) async throws {
        try await client.execute("create table load (id int primary key, n int not null)")
        try await client.execute("insert into load select generate_series(0, 23), 0")
    }

    @Test("R8: an immediate restart under load causes only unavailable errors, and then everything works again")
    func restart() async throws {
        let folder = Self.temporaryFolder()
        let cluster = PrivateCluster(dataDirectory: folder + "/data", durable: false)
        let url = try await cluster.start()
        try await PostgresFixture.run(url: url) { client, loop in
            try await makeTable(client)
            // The cluster isn't durable: an immediate stop loses what was committed just before.
            try await client.execute("checkpoint")
            let notified = Shared<[String]>([])
            let connects = Shared(0)
            client.listen("news") { payload in
                notified.withLock { $0.append(payload) }
            } onConnect: {
                connects.withLock { $0 += 1 }
            }
            #expect(await PostgresFixture.waits { client.isListening })
            let outcome = try await otherErrors(client, loop) { (succeeded: Shared<Int>) async throws in
                #expect(await PostgresFixture.waits { succeeded.withLock { $0 } > 100 })
                cluster.stopImmediately()
                #expect(await PostgresFixture.waits { !client.isReachable && !client.isListening })
                #expect(try await cluster.start() == url)
            }
            #expect(outcome.others == [])
            #expect(outcome.unavailable > 0)
            #expect(outcome.hasRecovered)
            // Listening recovers too, and reports it.
            #expect(await PostgresFixture.waits { client.isListening && connects.withLock { $0 } == 2 })
            try await client.execute("select pg_notify('news', 'after')")
            #expect(await PostgresFixture.waits { notified.withLock { $0 } == ["after"] })
        }
        await cluster.stop()
        system("rm -rf \(folder)")
    }

    @Test("F4: ending all sessions under load causes only unavailable errors, ten times")
    func terminate() async throws {
        let administrator = try await TestCluster.shared.administrator()
        try await PostgresFixture.run { client, loop in
            try await makeTable(client)
            let database = try await client.one("select current_database()")(0) as String
            let outcome = try await otherErrors(client, loop) { (succeeded: Shared<Int>) async throws in
                for _ in 0..<10 {
                    let before = succeeded.withLock { $0 }
                    try await administrator.execute(
                        "select pg_terminate_backend(pid) from pg_stat_activity where datname = \(database)")
                    #expect(await PostgresFixture.waits { succeeded.withLock { $0 } > before + 100 })
                }
            }
            #expect(outcome.others == [])
            #expect(outcome.unavailable > 0)
            #expect(outcome.hasRecovered)
        }
    }

    @Test("R13: statements to an unreachable server fail as unavailable after the pool timeout")
    func absent() async throws {
        let nowhere = "postgresql://postgres@/postgres?host=%2Ftmp%2Fvitrine-nowhere"
        try await PostgresFixture.run(url: nowhere, configure: { $0.poolWait = .milliseconds(100) }) { client, _ in
            for _ in 0..<3 {
                let single = await PostgresFixture.error { try await client.query("select 1") }
                #expect(single?.kind == .unavailable)
                let whole = await PostgresFixture.error {
                    try await client.transaction { try await $0.query("select 1") }
                }
                #expect(whole?.kind == .unavailable)
            }
            #expect(!client.isReachable)
            #expect(await !client.ping())
        }
        for url in ["postgresql://nobody@[", "host=no-such-host.invalid", "bad url"] {
            try await PostgresFixture.run(url: url, configure: { $0.poolWait = .milliseconds(100) }) { client, _ in
                #expect(await PostgresFixture.error { try await client.query("select 1") }?.kind == .unavailable)
            }
        }
    }

    @Test("F6: sessions that no longer respond are dropped at the deadline and replaced")
    func halfOpen() async throws {
        // On a separate server: a frozen session would also block everyone who creates a database.
        let folder = Self.temporaryFolder()
        let cluster = PrivateCluster(dataDirectory: folder + "/data", durable: false)
        let url = try await cluster.start()
        try await PostgresFixture.run(url: url, configure: { $0.deadline = .milliseconds(300 * Patience.factor) }) {
            client, _ in
            #expect(await PostgresFixture.waits { await client.ping() })
            let frozen = try await client.query(
                "select pid from pg_stat_activity where backend_type = 'client backend'"
            ).map { try $0(0) as Int32 }
            for pid in frozen { kill(pid, SIGSTOP) }
            let errors = await withTaskGroup(of: PostgresError?.self) { group in
                for _ in 0..<8 { group.addTask { await PostgresFixture.error { try await client.query("select 1") } } }
                return await group.reduce(into: [PostgresError?]()) { $0.append($1) }
            }
            #expect(errors.contains { $0?.kind == .deadline })
            #expect(errors.allSatisfy { $0 == nil || $0?.isUnavailable == true })
            #expect(await PostgresFixture.waits { await client.ping() })
            for pid in frozen { kill(pid, SIGCONT) }
        }
        await cluster.stop()
        system("rm -rf \(folder)")
    }

    @Test("F7: a server without a free connection counts as unavailable, and is used again once it has one")
    func tooManyConnections() async throws {
        let url = try await TestCluster.shared.database()
        let administrator = try await TestCluster.shared.administrator()
        let role = "crowd_\(UInt32.random(in: 0 ... .max))"
        try await administrator.execute("create role \(raw: role) login connection limit 0")
        let crowded = url + "&user=\(role)"
        try await PostgresFixture.run(url: crowded, configure: { $0.poolWait = .milliseconds(100) }) { client, _ in
            let error = await PostgresFixture.error { try await client.query("select 1") }
            #expect(error?.kind == .unavailable)
            // As soon as an attempt has failed, callers get the reason.
            let isExplained = await PostgresFixture.waits {
                let error = await PostgresFixture.error { try await client.query("select 1") }
                return error?.message.contains("too many connections") == true
            }
            #expect(isExplained)
            try await administrator.execute("alter role \(raw: role) connection limit -1")
            #expect(await PostgresFixture.waits { await client.ping() })
        }
    }

    @Test("The monitor of the database gets the reason of a failure, and nothing about a client that is closed")
    func trouble() async throws {
        let heard = Shared<[PostgresError]>([])
        try await PostgresFixture.run {
            $0.onTrouble = { error in heard.withLock { $0.append(error) } }
        } _: { client, _ in
            #expect(await client.ping())
            #expect(await PostgresFixture.error { try await client.query("select nonsense") } != nil)
            #expect(heard.withLock { $0.isEmpty })
            let readOnly: SQL = "create table forbidden (id int)"
            _ = await PostgresFixture.error {
                try await client.transaction(readOnly: true) { try await $0.execute(readOnly) }
            }
            #expect(heard.withLock { $0.map(\.sqlState) } == ["25006"])
            #expect(
                await PostgresFixture.error { try await client.query("select pg_terminate_backend(pg_backend_pid())") }
                    != nil)
        }
        #expect(heard.withLock { $0.contains { $0.sqlState == "57P01" || $0.message.contains("terminat") } })
        #expect(!heard.withLock { $0.contains { $0.message.contains("was closed") } })
    }

    @Test("R35: a closed client rejects everything and leaves no session, not even one that is executing")
    func closed() async throws {
        let administrator = try await TestCluster.shared.administrator()
        try await PostgresFixture.run { client, _ in
            let database = try await client.one("select current_database()")(0) as String
            let sleeper = Task {
                await PostgresFixture.error {
                    try await client.transaction { try await $0.query("select pg_sleep(600)") }
                }
            }
            _ = await PostgresFixture.waits {
                try await administrator.one(
                    "select count(*) from pg_stat_activity where query like '%pg_sleep(600)%' and datname = \(database)"
                )(0) == 1
            }
            await client.close()
            #expect(await sleeper.value?.kind == .unavailable)
            #expect(await PostgresFixture.error { try await client.query("select 1") }?.kind == .unavailable)
            let isGone = await PostgresFixture.waits {
                try await administrator.one("select count(*) from pg_stat_activity where datname = \(database)")(0) == 0
            }
            #expect(isGone)
        }
    }
}
