// Lends connections of one event loop to transactions.
import EventLoop
import Synchronization

/// Opens connections as they are needed, up to its size, and closes them when they are idle for long; then callers wait in order,
/// for a bounded time and in a bounded queue. Used on its loop's thread only.
final class TransactionPool {
    typealias Outcome = Result<PostgresConnection, PostgresError>

    /// A caller that waits for a connection.
    final class Wait: Sendable {
        fileprivate let isCanceled = Atomic<Bool>(false)

        /// Call before `TransactionPool.cancel`, from any thread.
        func markCanceled() { isCanceled.store(true, ordering: .releasing) }
    }

    /// Callers that may wait for each connection; more are refused at once.
    private static let waitersPerConnection = 16

    private let loop: EventLoop
    private let wait: Duration
    private let keepers: [ReconnectingConnection]
    private var idle: [PostgresConnection] = []
    private var waiting = LoopQueue<(wait: Wait, limit: Int64, completion: (Outcome) -> Void)>()
    private var waitTimer: TimerQueue.Token?
    private var isClosed = false

    init(loop: EventLoop, settings: ConnectionSettings, size: Int) {
        self.loop = loop
        wait = settings.configuration.poolWait
        keepers = (0..<size).map { _ in
            ReconnectingConnection(loop: loop, settings: settings, isTemporary: true)
        }
        for keeper in keepers {
            keeper.onReady = { [unowned self] in release($0) }
            keeper.onLost = { [unowned self] in idle.removeAll { !$0.isReady } }
        }
    }

    /// Hands out a connection that is idle, or the reason why there is none.
    func lend(_ caller: Wait, _ completion: @escaping (Outcome) -> Void) {
        if caller.isCanceled.load(ordering: .acquiring) {
            completion(.failure(Self.canceled))
        } else if isClosed {
            completion(.failure(.unavailable("the database client was closed")))
        } else if let connection = idle.popLast() {
            lend(connection, completion)
        } else if waiting.count >= keepers.count * TransactionPool.waitersPerConnection {
            completion(.failure(.unavailable("too many transactions wait for a connection to PostgreSQL")))
        } else {
            waiting.append((caller, TimerQueue.now() + wait.wholeMilliseconds, completion))
            for keeper in keepers where keeper.isRunning && keeper.connection == nil { keeper.use() }
            keepers.first { !$0.isRunning }?.start()
            watchWaiting()
        }
    }

    private static let canceled = PostgresError.unavailable("the caller no longer waits for a connection")

    /// Ends the wait of a caller; nothing if it does not wait.
    func cancel(_ caller: Wait) {
        waiting.removeFirst { $0.wait === caller }?.completion(.failure(Self.canceled))
    }

    /// How many callers wait.
    var waitingCount: Int { waiting.count }

    private func lend(_ connection: PostgresConnection, _ completion: (Outcome) -> Void) {
        keeper(of: connection)?.isLent = true
        completion(.success(connection))
    }

    /// Takes a connection back; one that is in a transaction, or in an unknown state, is replaced.
    func release(_ connection: PostgresConnection) {
        let keeper = keeper(of: connection)
        keeper?.isLent = false
        keeper?.use()
        guard connection.isIdle else {
            connection.abandon(.unavailable("the connection was left inside a transaction"))
            return
        }
        if let next = waiting.popFirst() {
            lend(connection, next.completion)
        } else {
            idle.append(connection)
        }
    }

    private func keeper(of connection: PostgresConnection) -> ReconnectingConnection? {
        keepers.first { $0.connection === connection }
    }

    private func watchWaiting() {
        guard waitTimer == nil, let first = waiting.first else { return }
        waitTimer = loop.schedule(at: first.limit) { [weak self] in self?.dropLate() }
    }

    private func dropLate() {
        waitTimer = nil
        let now = TimerQueue.now()
        while let first = waiting.first, first.limit <= now {
            _ = waiting.popFirst()
            first.completion(.failure(.noConnection(keepers)))
        }
        watchWaiting()
    }

    func close() {
        isClosed = true
        for keeper in keepers { keeper.stop() }
        if let waitTimer { loop.cancel(waitTimer) }
        for next in waiting.removeAll() {
            next.completion(.failure(.unavailable("the database client was closed")))
        }
    }
}
