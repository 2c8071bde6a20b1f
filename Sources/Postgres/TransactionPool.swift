// Lends connections of one event loop to transactions.
import EventLoop
import Synchronization

/// Opens connections as they are needed, up to its size, and closes them when they are idle for long; then callers wait in order,
/// for a bounded time and in a bounded queue. Used on its loop's thread only.
final class TransactionPool {
    typealias Outcome = Result<PostgresConnection, PostgresError>

    /// A client whose transactions take connections; used on the loop's thread only.
    final class Borrower: @unchecked Sendable {
        private let most: Int
        var lent = 0

        /// `most`: how many connections it may have at once.
        init(most: Int) { self.most = most }

        fileprivate var mayBorrow: Bool { lent < most }
    }

    /// A caller that waits for a connection.
    final class Wait: Sendable {
        fileprivate let borrower: Borrower
        fileprivate let isCanceled = Atomic<Bool>(false)

        init(_ borrower: Borrower) { self.borrower = borrower }

        /// Call before `TransactionPool.cancel`, from any thread.
        func markCanceled() { isCanceled.store(true, ordering: .releasing) }
    }

    /// Callers that may wait for each connection; more are refused at once.
    private static let waitersPerConnection = 16

    private let keepers: [ReconnectingConnection]
    private var idle: [PostgresConnection] = []
    private let waiting: WaitQueue<(wait: Wait, completion: (Outcome) -> Void)>

    init(loop: EventLoop, settings: ConnectionSettings, size: Int) {
        keepers = (0..<size).map { _ in
            ReconnectingConnection(loop: loop, settings: settings, isTemporary: true)
        }
        waiting = WaitQueue(
            loop: loop, wait: settings.configuration.poolWait, limit: size * TransactionPool.waitersPerConnection,
            noun: "transactions", keepers: keepers
        ) { $0.completion(.failure($1)) }
        for keeper in keepers {
            keeper.onReady = { [unowned self] in release($0) }
            keeper.onLost = { [unowned self] in idle.removeAll { !$0.isReady } }
        }
    }

    /// Hands out a connection that is idle, or the reason why there is none.
    func lend(_ caller: Wait, _ completion: @escaping (Outcome) -> Void) {
        if caller.isCanceled.load(ordering: .acquiring) {
            completion(.failure(Self.canceled))
        } else if caller.borrower.mayBorrow, let connection = idle.popLast() {
            lend(connection, to: caller.borrower, completion)
        } else if waiting.append((caller, completion)) {
            if caller.borrower.mayBorrow {
                for keeper in keepers where keeper.isRunning && keeper.connection == nil { keeper.use() }
                keepers.first { !$0.isRunning }?.start()
            }
            waiting.watch()
        }
    }

    private static let canceled = PostgresError.unavailable("the caller no longer waits for a connection")

    /// Ends the wait of a caller; nothing if it does not wait.
    func cancel(_ caller: Wait) {
        waiting.removeFirst { $0.wait === caller }?.completion(.failure(Self.canceled))
    }

    /// How many callers wait.
    var waitingCount: Int { waiting.count }

    private func lend(_ connection: PostgresConnection, to borrower: Borrower, _ completion: (Outcome) -> Void) {
        keeper(of: connection)?.borrower = borrower
        completion(.success(connection))
    }

    /// Takes a connection back; one that is in a transaction, or in an unknown state, is replaced.
    func release(_ connection: PostgresConnection) {
        let keeper = keeper(of: connection)
        keeper?.borrower = nil
        keeper?.use()
        guard connection.isIdle else {
            connection.abandon(.unavailable("the connection was left inside a transaction"))
            return
        }
        if let next = waiting.removeFirst(where: { $0.wait.borrower.mayBorrow }) {
            lend(connection, to: next.wait.borrower, next.completion)
        } else {
            idle.append(connection)
        }
    }

    private func keeper(of connection: PostgresConnection) -> ReconnectingConnection? {
        keepers.first { $0.connection === connection }
    }

    func close() { waiting.close() }
}
