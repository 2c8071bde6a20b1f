// Tests that batched writes are committed before they are acknowledged, and fail one by one.
import EventLoop
import Postgres
import TestBasics
import Testing

@Suite("Batched writes")
struct BatchedStatementTests {
    private struct NotWritten: Error {}

    /// The sizes of the batches that became statements.
    private final class Sizes: Sendable {
        private let sizes = Shared<[Int]>([])
        func add(_ size: Int) { sizes.withLock { $0.append(size) } }
        var all: [Int] { sizes.withLock { $0 } }
    }

    /// Writes numbers into a table that rejects negative ones, and returns each caller its number.
    private func writer(_ client: PostgresClient, _ sizes: Sizes, limit: Int = 256) -> BatchedStatement<Int, Int> {
        BatchedStatement(
            client: client, spread: .together, connections: 2, limit: limit,
            statement: { inputs in
                sizes.add(inputs.count)
                return "insert into number (n) select * from unnest(\(inputs)::bigint[]) returning n"
            },
            outputs: { rows, inputs in
                let written = Set(try rows.map { try $0("n") as Int })
                return inputs.map { written.contains($0) ? .success($0) : .failure(NotWritten()) }
            })
    }

    private func makeTable(_ client: PostgresClient) async throws {
        try await client.execute("create table number (n bigint primary key constraint number_positive check (n >= 0))")
    }

    @Test("R1: every acknowledged input is committed; many callers share statements within the limit")
    func gathering() async throws {
        try await PostgresFixture.run { client, loop in
            try await makeTable(client)
            let sizes = Sizes()
            let writer = writer(client, sizes, limit: 50)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<400 {
                    group.addTask(executorPreference: loop) {
                        let written = try await writer(number)
                        #expect(written == number)
                        #expect(try await client.first("select 1 from number where n = \(number)") != nil)
                    }
                }
                try await group.waitForAll()
            }
            #expect(sizes.all.reduce(0, +) == 400)
            #expect(sizes.all.max() == 50)
        }
    }

    @Test("A single caller gets a statement of its own each time")
    func lone() async throws {
        try await PostgresFixture.run(loops: 2) { client, _ in
            try await makeTable(client)
            let sizes = Sizes()
            let writer = writer(client, sizes)
            for number in 0..<5 { #expect(try await writer(number) == number) }
            #expect(sizes.all == [1, 1, 1, 1, 1])
        }
    }

    @Test("One invalid row fails only its own caller")
    func badRow() async throws {
        try await PostgresFixture.run { client, loop in
            try await makeTable(client)
            let sizes = Sizes()
            let writer = writer(client, sizes)
            await withTaskGroup(of: Void.self) { group in
                for number in -1..<100 {
                    group.addTask(executorPreference: loop) {
                        let error = await PostgresFixture.error { try await writer(number) }
                        #expect(error?.constraint == (number < 0 ? "number_positive" : nil))
                    }
                }
            }
            #expect(try await client.one("select count(*) from number")(0) == 100)
            #expect(sizes.all.max() ?? 0 > 1)
        }
    }

    @Test("R1: a lost connection fails its inputs as unavailable, and nothing acknowledged is missing")
    func lostConnection() async throws {
        let administrator = try await TestCluster.shared.administrator()
        try await PostgresFixture.run { client, loop in
            try await makeTable(client)
            let writer = writer(client, Sizes())
            let database = try await client.one("select current_database()")(0) as String
            let acknowledged = Shared<[Int]>([])
            let others = Shared<[String]>([])
            let next = Shared(0)
            let mayEnd = Shared(false)
            let load = (0..<32).map { _ in
                Task(executorPreference: loop) {
                    while !mayEnd.withLock({ $0 }) {
                        let number = next.withLock { next in
                            next += 1
                            return next
                        }
                        do {
                            _ = try await writer(number)
                            acknowledged.withLock { $0.append(number) }
                        } catch let error as PostgresError where error.kind == .unavailable {
                            await loop.sleep(for: .milliseconds(2))
                        } catch {
                            others.withLock { $0.append("\(error)") }
                        }
                    }
                }
            }
            for _ in 0..<5 {
                let before = acknowledged.withLock { $0.count }
                #expect(await PostgresFixture.waits { acknowledged.withLock { $0.count } > before + 20 })
                try await administrator.execute(
                    "select pg_terminate_backend(pid) from pg_stat_activity where datname = \(database)")
            }
            let before = acknowledged.withLock { $0.count }
            #expect(await PostgresFixture.waits { acknowledged.withLock { $0.count } > before + 100 })
            mayEnd.withLock { $0 = true }
            for task in load { await task.value }
            let numbers = acknowledged.withLock { $0 }
            let missing = try await client.one(
                "select count(*) from unnest(\(numbers)::bigint[]) a where not exists (select from number where n = a)")
            #expect(try missing(0) == 0)
            #expect(others.withLock { $0 } == [])
        }
    }

    @Test("Inputs still waiting when a connection is lost are written over the next one")
    func waitingOutlivesConnection() async throws {
        let administrator = try await TestCluster.shared.administrator()
        try await PostgresFixture.run { client, loop in
            try await makeTable(client)
            let writer = writer(client, Sizes())
            let database = try await client.one("select current_database()")(0) as String
            let blocked: SQL =
                "from pg_stat_activity where datname = \(database) and wait_event_type = 'Lock' and query like 'insert into number%'"
            let waiting = try await client.transaction { transaction in
                try await transaction.execute("lock table number in exclusive mode")
                let first = Task(executorPreference: loop) { await PostgresFixture.error { try await writer(1) } }
                let isSent = await PostgresFixture.waits {
                    try await administrator.first("select 1 \(blocked)") != nil
                }
                #expect(isSent)
                let waiting = (2...5).map { number in
                    Task(executorPreference: loop) { await PostgresFixture.error { try await writer(number) } }
                }
                // Begins after they wait.
                await Task(executorPreference: loop) {}.value
                try await administrator.execute("select pg_terminate_backend(pid) \(blocked)")
                #expect(await first.value?.kind == .unavailable)
                return waiting
            }
            for task in waiting { #expect(await task.value == nil) }
            #expect(try await client.one("select count(*) from number")(0) == 4)
        }
    }
}
