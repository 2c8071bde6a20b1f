// Tests that transactions commit completely, roll back completely, and are retried when that may help.
import EventLoop
import Postgres
import TestBasics
import Testing

@Suite("Transactions")
struct TransactionTests {
    private struct Stop: Error {}

    private func counting(_ client: PostgresClient) async throws {
        try await client.execute("create table counter (id int primary key, n int not null)")
        try await client.execute("insert into counter values (1, 0), (2, 0)")
    }

    private func sum(_ client: PostgresClient) async throws -> Int {
        try await client.one("select sum(n)::int from counter")(0)
    }

    @Test("The effects of the body are kept when it returns and undone when it throws")
    func commitAndRollBack() async throws {
        try await PostgresFixture.run { client, _ in
            try await counting(client)
            let value = try await client.transaction { tx in
                try await tx.execute("update counter set n = 5 where id = 1")
                return try await tx.one("select n from counter where id = 1")(0) as Int
            }
            #expect(value == 5)
            await #expect(throws: Stop.self) {
                try await client.transaction { tx in
                    try await tx.execute("update counter set n = 7")
                    throw Stop()
                }
            }
            #expect(try await sum(client) == 5)
            try await client.transaction { _ in }
        }
    }

    @Test("A body whose task was canceled is rolled back, even when it returns")
    func cancellation() async throws {
        try await PostgresFixture.run { client, _ in
            try await counting(client)
            let task = Task {
                try await client.transaction { tx in
                    try await tx.execute("update counter set n = 1")
                    withUnsafeCurrentTask { $0?.cancel() }
                }
            }
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(try await sum(client) == 0)
            try await client.transaction { try await $0.execute("update counter set n = 1") }
            #expect(try await sum(client) == 2)
        }
    }

    @Test("S47: a transaction whose task is canceled while it waits for a connection stops waiting at once")
    func canceledWait() async throws {
        try await PostgresFixture.run(configure: { $0.poolSize = 1 }) { client, _ in
            try await counting(client)
            let gate = AsyncStream.makeStream(of: Void.self)
            let lent = AsyncStream.makeStream(of: Void.self)
            let holder = Task {
                try await client.transaction { tx in
                    try await tx.execute("update counter set n = 1 where id = 1")
                    lent.continuation.finish()
                    for await _ in gate.stream {}
                }
            }
            for await _ in lent.stream {}
            let tasks = (0..<8).map { _ in
                Task {
                    try await client.transaction { try await $0.execute("update counter set n = n + 10 where id = 2") }
                }
            }
            await until("all wait") { await client.waitingTransactions() == 8 }
            for task in tasks.dropFirst() { task.cancel() }
            await until("one waits") { await client.waitingTransactions() == 1 }
            for task in tasks.dropFirst() { await #expect(throws: CancellationError.self) { try await task.value } }
            gate.continuation.finish()
            try await holder.value
            #expect(try await tasks[0].value == 1)
            #expect(try await sum(client) == 11)
        }
    }

    @Test("S47: a request is canceled before its first transaction commits, or not at all")
    func canceledRequest() async throws {
        try await PostgresFixture.run { client, _ in
            try await counting(client)
            for (cancelsAt, expected) in [(1, 0), (2, 2)] {
                let changes = CancelUntilCommit()
                let turn = AsyncStream.makeStream(of: Int.self)
                let next = AsyncStream.makeStream(of: Void.self)
                let task = Task {
                    await CancelUntilCommit.$current.withValue(changes) {
                        for number in 1...2 {
                            let done: Void? = try? await client.transaction { tx in
                                try await tx.execute("update counter set n = 1 where id = \(number)")
                                turn.continuation.yield(number)
                                if number == cancelsAt { for await _ in next.stream {} }
                            }
                            if done == nil { break }
                        }
                        turn.continuation.finish()
                    }
                }
                for await number in turn.stream where number == cancelsAt {
                    changes.cancel(task)
                    next.continuation.finish()
                }
                await task.value
                #expect(try await sum(client) == expected)
            }
        }
    }

    @Test("An error that the body ignored fails the commit")
    func swallowedError() async throws {
        try await PostgresFixture.run { client, _ in
            try await counting(client)
            let error = await PostgresFixture.error {
                try await client.transaction { tx in
                    try await tx.execute("update counter set n = 1")
                    _ = try? await tx.execute("insert into counter values (1, 1)")
                }
            }
            #expect(error?.sqlState == "23505")
            #expect(try await sum(client) == 0)
        }
    }

    @Test("A batch returns a result for each statement; its first error ends it")
    func batch() async throws {
        try await PostgresFixture.run { client, _ in
            try await counting(client)
            let counts = try await client.transaction { tx in
                try await tx.batch(["update counter set n = 1", "select n from counter", "select \(7)::int"])
                    .map(\.rows.count)
            }
            #expect(counts == [0, 2, 1])
            let error = await PostgresFixture.error {
                try await client.transaction { tx in
                    try await tx.batch(["update counter set n = 9", "select 1/0", "update counter set n = 10"])
                }
            }
            #expect(error?.sqlState == "22012")
            #expect(try await sum(client) == 2)
        }
    }

    @Test("Deferred statements run in order before the next statement, and at the latest with the commit")
    func later() async throws {
        try await PostgresFixture.run { client, _ in
            try await counting(client)
            let seen = try await client.transaction { tx in
                try await tx.runLater("update counter set n = 3 where id = 1")
                try await tx.runLater("update counter set n = n + 1 where id = 1")
                let seen = try await tx.one("select n from counter where id = 1")(0) as Int
                try await tx.runLater("update counter set n = 10 where id = 2")
                return seen
            }
            #expect(seen == 4)
            #expect(try await sum(client) == 14)
            // Deferred statements alone make a transaction too.
            try await client.transaction { try await $0.runLater("update counter set n = 1") }
            #expect(try await sum(client) == 2)
            // Outside of a transaction it runs at once.
            try await client.runLater("update counter set n = 2")
            #expect(try await sum(client) == 4)
        }
    }

    @Test("The error of a deferred statement is thrown by the next statement or the commit, and undoes everything")
    func laterFails() async throws {
        try await PostgresFixture.run { client, _ in
            try await counting(client)
            let atCommit = await PostgresFixture.error {
                try await client.transaction { tx in
                    try await tx.execute("update counter set n = 9")
                    try await tx.runLater("insert into counter values (1, 1)")
                }
            }
            #expect(atCommit?.sqlState == "23505")
            let atNext = await PostgresFixture.error {
                try await client.transaction { tx in
                    try await tx.runLater("insert into counter values (1, 1)")
                    _ = try await tx.query("select 1")
                    Issue.record("the statement after it must not answer")
                }
            }
            #expect(atNext?.sqlState == "23505")
            await #expect(throws: Stop.self) {
                try await client.transaction { tx in
                    try await tx.execute("update counter set n = 9")
                    try await tx.runLater("update counter set n = 8")
                    throw Stop()
                }
            }
            #expect(try await sum(client) == 0)
            try await client.transaction { try await $0.execute("update counter set n = 1") }
            #expect(try await sum(client) == 2)
        }
    }

    @Test("Isolation and read-only mode reach the server")
    func modes() async throws {
        try await PostgresFixture.run { client, _ in
            try await counting(client)
            let level = try await client.transaction(isolation: .serializable, readOnly: true) { tx in
                try await tx.one("show transaction_isolation")(0) as String
            }
            #expect(level == "serializable")
            let error = await PostgresFixture.error {
                try await client.transaction(readOnly: true) { try await $0.execute("update counter set n = 1") }
            }
            #expect(error?.sqlState == "25006")
            #expect(error?.kind == .server)
            #expect(error?.isUnavailable == true)
        }
    }

    @Test("R17: a serialization failure reruns the whole body, whatever the body did with the error")
    func serializationFailure() async throws {
        try await PostgresFixture.run { client, _ in
            try await counting(client)
            let tries = Shared(0)
            try await client.transaction(isolation: .repeatableRead) { tx in
                let number = tries.withLock { tries in
                    tries += 1
                    return tries
                }
                let seen = try await tx.one("select n from counter where id = 1")(0) as Int
                if number <= 2 { try await client.execute("update counter set n = n + 1 where id = 1") }
                do {
                    try await tx.execute("update counter set n = \(seen + 10)::int where id = 1")
                } catch {
                    throw Stop()
                }
            }
            #expect(tries.withLock { $0 } == 3)
            #expect(try await sum(client) == 12)
        }
    }

    @Test("R17: retries end after the given number")
    func boundedRetries() async throws {
        try await PostgresFixture.run { client, _ in
            try await counting(client)
            let tries = Shared(0)
            let error = await PostgresFixture.error {
                try await client.transaction(isolation: .repeatableRead, retries: 2) { tx in
                    tries.withLock { $0 += 1 }
                    _ = try await tx.query("select 1")
                    try await client.execute("update counter set n = n + 1 where id = 1")
                    try await tx.execute("update counter set n = 0 where id = 1")
                }
            }
            #expect(error?.sqlState == "40001")
            #expect(tries.withLock { $0 } == 3)
        }
    }

    @Test("R17: two transactions that deadlock both succeed")
    func deadlock() async throws {
        try await PostgresFixture.run { client, _ in
            try await counting(client)
            let tries = Shared(0)
            let holders = Shared(0)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (first, second) in [(1, 2), (2, 1)] {
                    group.addTask {
                        try await client.transaction { tx in
                            tries.withLock { $0 += 1 }
                            try await tx.execute("set local deadlock_timeout = '50ms'")
                            try await tx.execute("update counter set n = n + 1 where id = \(first)::int")
                            holders.withLock { $0 += 1 }
                            _ = await PostgresFixture.waits { holders.withLock { $0 } >= 2 }
                            try await tx.execute("update counter set n = n + 1 where id = \(second)::int")
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(tries.withLock { $0 } >= 3)
            #expect(try await sum(client) == 4)
        }
    }

    @Test("R13: with all connections in use, callers wait a limited time, and then the pool recovers")
    func exhaustion() async throws {
        try await PostgresFixture.run(configure: {
            $0.poolSize = 2
            $0.poolWait = .milliseconds(800 * Patience.factor)
        }) { client, _ in
            let mayEnd = Shared(false)
            let inside = Shared(0)
            let holders = (0..<2).map { _ in
                Task {
                    try await client.transaction { tx in
                        try await tx.execute("select 1")
                        inside.withLock { $0 += 1 }
                        _ = await PostgresFixture.waits { mayEnd.withLock { $0 } }
                    }
                }
            }
            #expect(await PostgresFixture.waits { inside.withLock { $0 } == 2 })
            let error = await PostgresFixture.error { try await client.transaction { try await $0.query("select 1") } }
            #expect(error?.kind == .unavailable)
            // Sixteen may wait for each connection, and no more.
            let failures = await withTaskGroup(of: PostgresError?.self) { group in
                for _ in 0..<40 {
                    group.addTask {
                        await PostgresFixture.error { try await client.transaction { try await $0.query("select 1") } }
                    }
                }
                return await group.reduce(into: [PostgresError?]()) { $0.append($1) }
            }
            #expect(failures.allSatisfy { $0?.kind == .unavailable })
            #expect(failures.count { $0?.message.contains("too many") == true } == 8)
            mayEnd.withLock { $0 = true }
            for holder in holders { try await holder.value }
            #expect(try await client.transaction { try await $0.one("select 1")(0) as Int } == 1)
        }
    }

    @Test("A waiting caller gets the connection that another returns")
    func waiting() async throws {
        try await PostgresFixture.run(configure: { $0.poolSize = 1 }) { client, loop in
            try await counting(client)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<16 {
                    group.addTask(executorPreference: loop) {
                        _ = try await client.transaction { try await $0.execute("update counter set n = n + 1") }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await sum(client) == 32)
        }
    }

    @Test("R15: a deadline inside a transaction ends it and releases its locks")
    func deadline() async throws {
        try await PostgresFixture.run { client, _ in
            try await counting(client)
            let error = await PostgresFixture.error {
                try await client.transaction(deadline: .milliseconds(100)) { tx in
                    try await tx.execute("update counter set n = 1")
                    try await tx.execute("select pg_sleep(600)")
                }
            }
            #expect(error?.kind == .deadline)
            #expect(try await client.execute("update counter set n = 3") == 2)
            #expect(try await client.transaction { try await $0.execute("update counter set n = 4") } == 2)
        }
    }

    @Test("A transaction that outlives its body rejects further use")
    func escaped() async throws {
        try await PostgresFixture.run { client, _ in
            let escaped = try await client.transaction { $0 }
            let error = await PostgresFixture.error { try await escaped.query("select 1") }
            #expect(error?.sqlState == "25P01")
        }
    }
}
