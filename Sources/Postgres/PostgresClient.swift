// The PostgreSQL client: single statements, transactions and notifications.
import EventLoop
import Synchronization

/// One client serves all event loops; each loop has its own connections, and a caller stays on its loop.
/// A caller on no loop is served by the first one.
package final class PostgresClient: Queryable, @unchecked Sendable {
    package let configuration: PostgresConfiguration
    let settings: ConnectionSettings
    private let shares: [LoopShare]
    private let listener: Listener
    private let hasStarted = Atomic<Bool>(false)
    private let isClosed = Atomic<Bool>(false)
    private let writers = Mutex<[(loop: EventLoop, close: @Sendable () -> Void)]>([])
    /// Who borrows from the pool of each event loop.
    private let borrowers: [TransactionPool.Borrower]
    /// The client whose connections this one uses; nil for its own.
    private let base: PostgresClient?

    /// The loops must run before the first statement; at least one is required.
    package init(configuration: PostgresConfiguration, loops: [EventLoop]) {
        precondition(!loops.isEmpty, "a PostgreSQL client needs an event loop")
        base = nil
        self.configuration = configuration
        let settings = ConnectionSettings(configuration)
        self.settings = settings
        let pipelineConnections = max(1, configuration.pipelineConnections / loops.count)
        let poolSize = max(1, configuration.poolSize / loops.count)
        let own = configuration.ownPoolSize.map { max(1, $0 / loops.count) } ?? poolSize
        borrowers = loops.map { _ in TransactionPool.Borrower(most: own) }
        shares = loops.enumerated().map { number, loop in
            LoopShare(
                loop: loop, settings: settings, pipelineConnections: pipelineConnections,
                kept: number == 0 ? configuration.keptConnections : 0, poolSize: poolSize)
        }
        listener = Listener(loop: loops[0], settings: settings)
    }

    private init(_ base: PostgresClient, role: String, most: Int) {
        self.base = base
        borrowers = base.shares.map { _ in TransactionPool.Borrower(most: max(1, most / base.shares.count)) }
        var configuration = base.configuration
        configuration.role = role
        self.configuration = configuration
        settings = ConnectionSettings(configuration)
        shares = base.shares
        listener = base.listener
    }

    /// A client that runs its transactions in another role of the same login, on the connections of this one. They close
    /// with this one. Connections of its own would start without plans whenever the role is needed again. It takes at most
    /// `most` of them, divided among the event loops (at least one each).
    package func acting(as role: String, most: Int) -> PostgresClient { PostgresClient(self, role: role, most: most) }

    /// Opens the connections that are kept until `close()`. Statements may be sent immediately.
    package func start() {
        if let base { return base.start() }
        guard !hasStarted.exchange(true, ordering: .acquiringAndReleasing) else { return }
        for share in shares { share.loop.perform { share.pipeline.start() } }
    }

    var loops: [EventLoop] { shares.map(\.loop) }

    private var share: LoopShare { shares[shareIndex] }

    private var shareIndex: Int {
        let current = EventLoop.current
        return shares.firstIndex { $0.loop === current } ?? 0
    }

    // MARK: Single statements

    package func run(_ sql: SQL) async throws -> QueryResult {
        try await run(sql, deadline: configuration.deadline)
    }

    /// Runs one statement: when it returns, it has committed.
    package func run(_ sql: SQL, deadline: Duration) async throws -> QueryResult {
        // Only transactions take the role.
        if base != nil { return try await transaction(deadline: deadline) { try await $0.run(sql) } }
        try CancelUntilCommit.checkCancellation()
        let share = share
        return try await withUnsafeThrowingContinuation { continuation in
            let exchange = Exchange([sql], deadline: deadline) { outcome in
                continuation.resume(with: outcome.single)
            }
            share.loop.perform { share.pipeline.submit(exchange) }
        }
    }

    /// In a transaction of its own, so that no other statement waits behind it.
    package func runLong(_ sql: SQL) async throws -> QueryResult {
        try await transaction { try await $0.runLong(sql) }
    }

    package func query(_ sql: SQL, deadline: Duration) async throws -> [Row] {
        try await run(sql, deadline: deadline).rows
    }

    /// Whether any connection for single statements is up.
    package var isReachable: Bool {
        shares.contains { $0.pipeline.readyCount.load(ordering: .relaxed) > 0 }
    }

    /// Whether PostgreSQL responds now; takes at most the pool wait and the deadline.
    package func ping() async -> Bool {
        do {
            _ = try await run("select 1")
            return true
        } catch {
            return false
        }
    }

    // MARK: Transactions

    /// Runs `body` in a transaction: committed when it returns, rolled back when it throws or its task is canceled. The
    /// request that it belongs to is not canceled any more once it commits (`CancelUntilCommit`).
    ///
    /// After a serialization failure or a deadlock the whole body runs again, at most `retries` times; so it must
    /// have no effect outside its transaction. `deadline` applies to each statement. `snapshot`: of a transaction that
    /// exported it (`pg_export_snapshot`) and has not ended; needs `repeatableRead`.
    @discardableResult
    package func transaction<Value: Sendable>(
        isolation: Transaction.Isolation = .readCommitted, readOnly: Bool = false, snapshot: String? = nil,
        retries: Int = 3, deadline: Duration? = nil, _ body: @Sendable (Transaction) async throws -> Value
    ) async throws -> Value {
        let index = shareIndex
        let share = shares[index]
        var attempt = 0
        while true {
            let connection = try await lend(share, to: borrowers[index])
            let transaction = Transaction(
                connection.value, isolation: isolation, readOnly: readOnly, snapshot: snapshot,
                deadline: deadline ?? configuration.deadline, settings: settings)
            do {
                let value = try await body(transaction)
                try Task.checkCancellation()
                if !readOnly { try CancelUntilCommit.willCommit() }
                try await transaction.commit()
                share.loop.perform { share.pool.release(connection.value) }
                return value
            } catch {
                await transaction.rollBack()
                share.loop.perform { share.pool.release(connection.value) }
                guard attempt < retries, await transaction.mayBeRetried(), !Task.isCancelled else { throw error }
            }
            attempt += 1
            await share.loop.sleep(for: .milliseconds(Int.random(in: 1...(10 << min(attempt, 6)))))
        }
    }

    private func lend(_ share: LoopShare, to borrower: TransactionPool.Borrower) async throws -> Lent {
        try Task.checkCancellation()
        let wait = TransactionPool.Wait(borrower)
        do {
            return try await withTaskCancellationHandler {
                try await withUnsafeThrowingContinuation { continuation in
                    share.loop.perform {
                        share.pool.lend(wait) { outcome in continuation.resume(with: outcome.map(Lent.init)) }
                    }
                }
            } onCancel: {
                wait.markCanceled()
                share.loop.perform { share.pool.cancel(wait) }
            }
        } catch {
            try Task.checkCancellation()
            throw error
        }
    }

    /// How many transactions wait for a connection.
    package func waitingTransactions() async -> Int {
        var count = 0
        for share in shares {
            count += await withUnsafeContinuation { (continuation: UnsafeContinuation<Int, Never>) in
                share.loop.perform { continuation.resume(returning: share.pool.waitingCount) }
            }
        }
        return count
    }

    /// Carries a connection through the caller's task; it is used on its own loop only.
    private struct Lent: @unchecked Sendable {
        let value: PostgresConnection
    }

    // MARK: Notifications

    /// Calls `onNotify` with the payload of every notification on `channel`, on the first loop's thread, and
    /// `onConnect` whenever listening has started (again): earlier notifications are not delivered.
    package func listen(
        _ channel: String, onNotify: @escaping @Sendable (String) -> Void,
        onConnect: @escaping @Sendable () -> Void = {}
    ) {
        shares[0].loop.perform { [self] in listener.add(channel, onNotify: onNotify, onConnect: onConnect) }
    }

    /// Whether the listening connection is up.
    package var isListening: Bool { listener.isListening.load(ordering: .acquiring) }

    // MARK: Ending

    /// Adds a writer that must close with the client; called on the writer's loop.
    func closeWithClient(_ loop: EventLoop, _ close: @escaping @Sendable () -> Void) {
        writers.withLock { $0.append((loop, close)) }
    }

    /// Closes every connection of its own; calls in flight or waiting fail as unavailable. The loops must still run.
    package func close() async {
        beginToClose()
        for share in shares {
            await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
                share.loop.perform { continuation.resume() }
            }
        }
    }

    deinit {
        beginToClose()
    }

    private func beginToClose() {
        // Once only: a stopped loop would retain the work, and with it this client.
        guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        for (loop, close) in writers.withLock({ $0 }) { loop.perform(close) }
        guard base == nil else { return }
        let listener = listener
        shares[0].loop.perform { listener.close() }
        for share in shares { share.loop.perform { share.close() } }
    }
}
