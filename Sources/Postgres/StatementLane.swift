// The connections that gathered statements go over, and the inputs that wait for them.
import EventLoop

/// Used on its loop's thread only.
final class StatementLane<Input: Sendable, Output: Sendable>: @unchecked Sendable {
    private struct Waiting {
        let input: Input
        let continuation: UnsafeContinuation<Output, any Error>
        let limit: Int64
    }

    /// From this many waiting inputs on (>=) a second statement is sent beside one that is on its way; fewer soon go together.
    private let crowd = 16

    /// Inputs that may wait; more are refused at once.
    private let queueLimit = 8192

    let loop: EventLoop
    private let configuration: PostgresConfiguration
    private let work: GatheredWork<Input, Output>
    private let keepers: [ConnectionKeeper]
    private var waiting = LoopQueue<Waiting>()
    private var waitTimer: TimerQueue.Token?
    private var isClosed = false

    init(loop: EventLoop, settings: ConnectionSettings, connections: Int, work: GatheredWork<Input, Output>) {
        self.loop = loop
        self.work = work
        configuration = settings.configuration
        keepers = (0..<connections).map { _ in ConnectionKeeper(loop: loop, settings: settings) }
    }

    func start() {
        guard !isClosed else { return }
        for keeper in keepers { keeper.start() }
        loop.addTurnHook { [weak self] in
            self?.sendWaiting()
            return false
        }
    }

    func add(_ input: Input, _ continuation: UnsafeContinuation<Output, any Error>) {
        if isClosed {
            continuation.resume(throwing: PostgresError.unavailable("the database client was closed"))
        } else if waiting.count >= queueLimit {
            continuation.resume(throwing: PostgresError.unavailable("too many requests wait for PostgreSQL"))
        } else {
            let limit = TimerQueue.now() + configuration.poolWait.wholeMilliseconds
            waiting.append(Waiting(input: input, continuation: continuation, limit: limit))
        }
    }

    /// At the end of a turn: all inputs that the turn brought go together.
    private func sendWaiting() {
        guard !waiting.isEmpty else { return }
        let isBusy = keepers.contains { ($0.connection?.inFlightCount ?? 0) > 0 }
        guard !isBusy || waiting.count >= crowd else { return watchWaiting() }
        for keeper in keepers {
            guard let connection = keeper.connection, connection.inFlightCount == 0 else { continue }
            var batch: [Waiting] = []
            while batch.count < work.limit, let next = waiting.popFirst() { batch.append(next) }
            send(batch, on: connection)
            if waiting.isEmpty { return }
        }
        watchWaiting()
    }

    private func send(_ batch: [Waiting], on connection: PostgresConnection) {
        // A closure, for a key path of a generic type would be made anew each time.
        let inputs = batch.map { $0.input }
        connection.send(
            Exchange([work.statement(inputs)], deadline: configuration.deadline) { [self] outcome in
                if case .failure(let error) = outcome, batch.count > 1, !error.isUnavailable {
                    // The whole statement was undone: find the bad ones by sending each by itself.
                    for single in batch { send([single], on: connection) }
                    return
                }
                for (waiting, result) in zip(batch, work.results(outcome, inputs)) {
                    waiting.continuation.resume(with: result)
                }
            })
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
            first.continuation.resume(throwing: PostgresError.noConnection(keepers))
        }
        watchWaiting()
    }

    func close() {
        isClosed = true
        for keeper in keepers { keeper.stop() }
        if let waitTimer { loop.cancel(waitTimer) }
        for next in waiting.removeAll() {
            next.continuation.resume(throwing: PostgresError.unavailable("the database client was closed"))
        }
    }
}
