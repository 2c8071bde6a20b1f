// The connections for batched statements, and the calls that wait for them.
import EventLoop

/// Used on its loop's thread only.
final class PipelinePool: @unchecked Sendable {
    /// From this many waiting calls on (>=) a second statement is sent while one is in flight; fewer wait and share the
    /// next.
    private let crowd = 16

    /// The most calls that may wait; more are refused immediately.
    private let queueLimit = 8192

    let loop: EventLoop
    private let deadline: Duration
    private let work: BatchedWork
    private let keepers: [ReconnectingConnection]
    private let waiting: WaitQueue<BatchedCall>

    init(loop: EventLoop, settings: ConnectionSettings, connections: Int, work: BatchedWork) {
        self.loop = loop
        self.work = work
        deadline = settings.configuration.deadline
        keepers = (0..<connections).map { _ in
            ReconnectingConnection(loop: loop, settings: settings, isTemporary: true)
        }
        waiting = WaitQueue(
            loop: loop, wait: settings.configuration.poolWait, limit: queueLimit, noun: "requests", keepers: keepers
        ) { $0.fail($1) }
    }

    func start() {
        guard !waiting.isClosed else { return }
        loop.addTurnHook { [weak self] in
            self?.sendWaiting()
            return false
        }
    }

    func add(_ call: BatchedCall) { waiting.append(call) }

    /// At the end of a loop turn: sends all calls of that turn together.
    private func sendWaiting() {
        guard !waiting.isEmpty else { return }
        let isBusy = keepers.contains { ($0.connection?.inFlightCount ?? 0) > 0 }
        guard !isBusy || waiting.count >= crowd else { return waiting.watch() }
        for keeper in keepers {
            guard let connection = keeper.connection, connection.inFlightCount == 0 else { continue }
            keeper.use()
            var batch: [BatchedCall] = []
            while batch.count < work.limit, let next = waiting.popFirst() { batch.append(next) }
            send(batch, on: connection)
            if waiting.isEmpty { return }
        }
        // One more at a time, when none is free for waiting callers.
        keepers.openAnother()
        waiting.watch()
    }

    private func send(_ batch: [BatchedCall], on connection: PostgresConnection) {
        connection.send(
            Exchange([work.statement(batch)], deadline: deadline) { [self] outcome in
                if case .failure(let error) = outcome, batch.count > 1, !error.isUnavailable {
                    // The whole statement was rolled back: find the bad inputs by sending each alone.
                    for single in batch { send([single], on: connection) }
                    return
                }
                // Send the next statement before resuming callers, so that PostgreSQL works meanwhile. Waiting calls
                // survive a lost connection.
                if case .success = outcome { sendWaiting() }
                work.resume(outcome, batch)
            })
    }

    func close() { waiting.close() }
}
