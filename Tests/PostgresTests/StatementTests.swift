// Tests that single statements share connections without affecting each other.
import EventLoop
import Postgres
import TestBasics
import Testing

@Suite("Single statements")
struct StatementTests {
    @Test("A failing statement fails only its own caller", arguments: [true, false])
    func independence(prepare: Bool) async throws {
        try await PostgresFixture.run(configure: {
            $0.prepare = prepare
            $0.pipelineConnections = 1
        }) { client, loop in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<200 {
                    group.addTask(executorPreference: loop) {
                        if number % 5 == 0 {
                            let error = await PostgresFixture.error {
                                try await client.query("select 1 / \(number % 5)::int")
                            }
                            #expect(error?.sqlState == "22012")
                        } else if number % 7 == 0 {
                            let error = await PostgresFixture.error {
                                try await client.query("select nonsense from nowhere")
                            }
                            #expect(error?.sqlState == "42P01")
                        } else {
                            let next = try await client.one("select \(number)::int + 1")(0) as Int
                            #expect(next == number + 1)
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test("A caller on a loop gets its result on that loop, and other callers get theirs too")
    func loops() async throws {
        try await PostgresFixture.run(loops: 2) { client, loop in
            let stayed = try await Task(executorPreference: loop) {
                _ = try await client.query("select 1")
                return loop.isCurrent
            }.value
            #expect(stayed)
            #expect(try await client.one("select 1")(0) == 1)
        }
    }

    @Test("Errors contain the names from the schema")
    func errorFields() async throws {
        try await PostgresFixture.run { client, _ in
            try await client.execute("create table place (name text constraint place_name_given check (name <> ''))")
            let error = await PostgresFixture.error { try await client.execute("insert into place values (\(""))") }
            #expect(error?.sqlState == "23514")
            #expect(error?.constraint == "place_name_given")
            #expect(error?.table == "place")
            #expect(error?.schema == "public")
            #expect(error?.isRetryable == false)
            #expect(error?.isUnavailable == false)
        }
    }

    @Test("The number of affected rows is returned with the result")
    func affected() async throws {
        try await PostgresFixture.run { client, _ in
            #expect(try await client.execute("create table n (v int)") == 0)
            #expect(try await client.execute("insert into n select generate_series(1, 5)") == 5)
            #expect(try await client.execute("update n set v = v where v > \(3)::int") == 2)
            let result = try await client.run("delete from n where v = 1 returning v")
            #expect(result.affected == 1 && result.rows.count == 1 && result.tag == "DELETE 1")
            #expect(try await client.first("select v from n where v = 0") == nil)
            let error = await PostgresFixture.error { try await client.one("select v from n where v = 0") }
            #expect(error?.sqlState == "P0002")
        }
    }

    @Test("A prepared statement whose result type changed, or that the server lost, is prepared again")
    func stalePlans() async throws {
        try await PostgresFixture.run(configure: { $0.pipelineConnections = 1 }) { client, _ in
            try await client.execute("create table t (a int)")
            #expect(try await client.query("select * from t").isEmpty)
            try await client.execute("alter table t alter a type text")
            try await client.execute("insert into t values ('x')")
            #expect(try await client.one("select * from t")("a") == "x")
            try await client.execute("deallocate all")
            #expect(try await client.one("select * from t")("a") == "x")
            #expect(try await client.one("select * from t")("a") == "x")
            // Inside a transaction the whole transaction is retried.
            try await client.transaction { _ = try await $0.query("select a from t") }
            try await client.execute("alter table t alter a type bytea using a::bytea")
            for _ in 0..<3 {
                let value = try await client.transaction { try await $0.one("select a from t")("a") as [UInt8] }
                #expect(value == [120])
            }
        }
    }

    @Test("A statement or transaction whose function was dropped during its execution is sent again")
    func droppedFunctions() async throws {
        try await PostgresFixture.run(configure: { $0.pipelineConnections = 1 }) { client, _ in
            try await client.execute("create sequence calls")
            try await client.execute(
                """
                create function fails_once() returns bigint language plpgsql as $$ begin
                    if nextval('calls') % 2 = 1 then
                        raise exception using errcode = 'XX000', message = 'cache lookup failed for function 1';
                    end if;
                    return currval('calls');
                end $$
                """)
            #expect(try await client.one("select fails_once()")(0) == 2)
            let inside = try await client.transaction { try await $0.one("select fails_once()")(0) as Int }
            #expect(inside == 4)
            let other = await PostgresFixture.error {
                try await client.query("do $$ begin raise exception using errcode = 'XX000', message = 'other'; end $$")
            }
            #expect(other?.sqlState == "XX000")
        }
    }

    @Test("The server keeps no more prepared statements than the cache holds")
    func cacheLimit() async throws {
        try await PostgresFixture.run(configure: { $0.pipelineConnections = 1 }) { client, _ in
            for number in 0..<620 { try await client.execute("select \(raw: String(number))") }
            let left = try await client.one("select count(*) from pg_prepared_statements")(0) as Int
            #expect(left <= 501)
            #expect(left > 400)
        }
    }

    @Test("The configured role is used, however it is spelled")
    func role() async throws {
        let role = "odd \"role\" \(UInt32.random(in: 0 ... .max))"
        try await PostgresFixture.run { client, _ in
            try await client.execute("create role \(raw: SQLName.quoted(role))")
        }
        try await PostgresFixture.run(configure: { $0.role = role }) { client, _ in
            #expect(try await client.one("select current_user")(0) == role)
            let inside = try await client.transaction { try await $0.one("select current_user")(0) as String }
            #expect(inside == role)
        }
    }

    @Test("What acts as another role uses the same connection, which has its own role again afterwards")
    func otherRole() async throws {
        let (own, other) = ("own_\(UInt32.random(in: 0 ... .max))", "other_\(UInt32.random(in: 0 ... .max))")
        try await PostgresFixture.run { client, _ in
            for name in [own, other] { try await client.execute("create role \(raw: name)") }
        }
        try await PostgresFixture.run(
            configure: {
                $0.role = own
                $0.poolSize = 1
            }
        ) { client, _ in
            func session(of client: PostgresClient) async throws -> (user: String, backend: Int) {
                try await client.transaction { transaction in
                    let row = try await transaction.one("select current_user::text, pg_backend_pid()")
                    return (user: try row(0), backend: try row(1))
                }
            }
            let acting = client.acting(as: other, most: 1)
            let first = try await session(of: client)
            let second = try await session(of: acting)
            #expect(first.user == own && second.user == other && first.backend == second.backend)
            let alone: String = try await acting.one("select current_user::text")(0)
            #expect(alone == other)
            let error = await PostgresFixture.error { try await acting.query("select 1 / 0") }
            #expect(error?.sqlState == "22012")
            await acting.close()
            let last = try await session(of: client)
            #expect(last.user == own && last.backend == first.backend)
        }
    }

    @Test("Clients of one pool leave each other their part of it")
    func parts() async throws {
        try await PostgresFixture.run(
            configure: {
                ($0.poolSize, $0.ownPoolSize) = (2, 1)
                $0.poolWait = .milliseconds(200)
            }
        ) { client, _ in
            // A connection that opens takes longer than this pool waits.
            await until("a connection is there") { (try? await client.transaction { _ in }) != nil }
            let acting = client.acting(as: "pg_monitor", most: 1)
            for (first, second) in [(client, acting), (acting, client)] {
                try await first.transaction { _ in
                    await until("a second connection is there") { (try? await second.transaction { _ in }) != nil }
                    let refused = await PostgresFixture.error { try await first.transaction { _ in } }
                    #expect(refused?.kind == .unavailable)
                }
            }
        }
    }

    @Test("R15: a statement past its deadline fails at once, is canceled, and the next one works")
    func deadline() async throws {
        try await PostgresFixture.run(configure: { $0.pipelineConnections = 1 }) { client, _ in
            #expect(await client.ping())
            let error = await PostgresFixture.error {
                try await client.query("select pg_sleep(600) as napping", deadline: .milliseconds(100))
            }
            #expect(error?.kind == .deadline)
            #expect(error?.isUnavailable == true)
            let next = try await client.one("select 1")(0) as Int
            #expect(next == 1)
            let isStopped = await PostgresFixture.waits {
                try await client.one(
                    """
                    select count(*) from pg_stat_activity where datname = current_database()
                    and query like '%napping%' and pid <> pg_backend_pid() and state = 'active'
                    """)(0) == 0
            }
            #expect(isStopped)
        }
    }

    @Test("R14: every session has the configured limits, and long statements the long one")
    func limits() async throws {
        try await PostgresFixture.run {
            $0.deadline = .milliseconds(8000)
            $0.longDeadline = .milliseconds(80_000)
            $0.lockTimeout = .milliseconds(1234)
            $0.idleTransactionTimeout = .milliseconds(2345)
        } _: { client, _ in
            let limits: SQL = """
                select current_setting('statement_timeout'), current_setting('lock_timeout'),
                    current_setting('idle_in_transaction_session_timeout')
                """
            func read(_ row: Row?) throws -> [String] {
                let row = try #require(row)
                return try (0..<3).map { try row($0) }
            }
            let usual = ["7s", "1234ms", "2345ms"]
            let single = try read(await client.first(limits))
            #expect(single == usual)
            let long = try read(await client.runLong(limits).rows.first)
            #expect(long == ["70s", "1234ms", "2345ms"])
            let afterwards = try read(await client.transaction { try await $0.first(limits) })
            #expect(afterwards == usual)
        }
    }

    @Test("R14: the server cancels a statement before our deadline, and the connection is kept")
    func serverEndsFirst() async throws {
        try await PostgresFixture.run {
            $0.deadline = .milliseconds(1600 * Patience.factor)
            $0.pipelineConnections = 1
        } _: { client, _ in
            let session = try await client.one("select pg_backend_pid()")(0) as Int32
            let error = await PostgresFixture.error { try await client.query("select pg_sleep(600)") }
            #expect(error?.sqlState == "57014" && error?.isUnavailable == true)
            #expect(try await client.one("select pg_backend_pid()")(0) == session)
        }
    }

    @Test("A long statement may exceed the normal deadline, alone and in a transaction")
    func longStatement() async throws {
        try await PostgresFixture.run(configure: { $0.deadline = .milliseconds(400 * Patience.factor) }) { client, _ in
            let seconds = 0.5 * Double(Patience.factor)
            let nap: SQL = "select from pg_sleep(\(seconds))"
            #expect(try await client.runLong(nap).rows.count == 1)
            let rested = try await client.transaction { try await $0.runLong(nap).rows.count }
            #expect(rested == 1)
            try await client.run(script: "select pg_sleep(\(seconds))")
        }
    }

    @Test("F8: a lock that is not free in time is reported as unavailable, and the connection is kept")
    func lockTimeout() async throws {
        try await PostgresFixture.run(configure: { $0.lockTimeout = .milliseconds(50) }) { client, _ in
            try await client.execute("create table held (id int)")
            try await client.transaction { holder in
                try await holder.execute("lock table held in access exclusive mode")
                let session = Shared<Int32>(0)
                let error = await PostgresFixture.error {
                    try await client.transaction { waiting in
                        let pid = try await waiting.one("select pg_backend_pid()")(0) as Int32
                        session.withLock { $0 = pid }
                        try await waiting.execute("select * from held")
                    }
                }
                #expect(error?.sqlState == "55P03" && error?.isUnavailable == true)
                let next = try await client.transaction { try await $0.one("select pg_backend_pid()")(0) as Int32 }
                #expect(session.withLock { $0 } == next)
            }
            #expect(try await client.query("select * from held").isEmpty)
        }
    }

    @Test("R14: an idle transaction is ended by the server, and its locks are released")
    func idleTransaction() async throws {
        try await PostgresFixture.run(configure: { $0.idleTransactionTimeout = .milliseconds(50) }) { client, _ in
            try await client.execute("create table held as select 1 as id")
            let error = await PostgresFixture.error {
                try await client.transaction { idle in
                    try await idle.execute("update held set id = 2")
                    #expect(try await client.execute("update held set id = 3") == 1)
                    try await idle.execute("update held set id = 4")
                }
            }
            #expect(error?.isUnavailable == true)
            #expect(try await client.one("select id from held")(0) == 3)
        }
    }

    @Test("F9: the server's own statement timeout counts as a deadline")
    func statementTimeout() async throws {
        try await PostgresFixture.run { client, _ in
            let error = await PostgresFixture.error {
                try await client.transaction { tx in
                    try await tx.execute("set local statement_timeout = '30ms'")
                    try await tx.execute("select pg_sleep(600)")
                }
            }
            #expect(error?.kind == .deadline)
            #expect(error?.sqlState == "57014")
        }
    }

    @Test("Large statements and results pass through full socket buffers")
    func large() async throws {
        try await PostgresFixture.run(configure: { $0.pipelineConnections = 1 }) { client, loop in
            let text = String(repeating: "0123456789", count: 400_000)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask(executorPreference: loop) {
                        let back = try await client.one("select \(text)::text")(0) as String
                        #expect(back == text)
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}
