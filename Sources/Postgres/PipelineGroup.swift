// Spreads single statements over the pipeline connections of one event loop.
import EventLoop
import Synchronization

/// Statements gather during a turn of the loop and leave at its end. Used on its loop's thread only.
final class PipelineGroup {
    /// Statements in flight on one connection; more wait here, so that a slow one holds up few others.
    private static let depth = 64
    /// Statements that may wait; more are refused at once.
    private static let queueLimit = 4096

    private let loop: EventLoop
    private let settings: ConnectionSettings
    private let kept: Int
    private let keepers: [ReconnectingConnection]
    private var waiting = LoopQueue<(exchange: Exchange, limit: Int64)>()
    private var waitTimer: TimerQueue.Token?
    private var isClosed = false
    /// Connections that are ready, for readers on any thread.
    let readyCount = Atomic<Int>(0)

    /// The first `kept` connections stay open.
    init(loop: EventLoop, settings: ConnectionSettings, connections: Int, kept: Int) {
        self.loop = loop
        self.settings = settings
        self.kept = kept
        keepers = (0..<connections).map {
            ReconnectingConnection(loop: loop, settings: settings, isTemporary: $0 >= kept)
        }
    }

    func start() {
        for keeper in keepers {
            keeper.onReady = { [unowned self] _ in readyCount.wrappingAdd(1, ordering: .relaxed) }
            keeper.onLost = { [unowned self] in readyCount.wrappingSubtract(1, ordering: .relaxed) }
        }
        for keeper in keepers.prefix(kept) { keeper.start() }
        loop.addTurnHook { [weak self] in
            self?.sendWaiting()
            return false
        }
    }

    /// Queues a statement for the end of the loop's turn.
    func submit(_ exchange: Exchange) {
        if isClosed {
            exchange.finish(.failure(.unavailable("the database client was closed")))
        } else if waiting.count >= PipelineGroup.queueLimit {
            exchange.finish(.failure(.unavailable("too many statements wait for a connection to PostgreSQL")))
        } else {
            let wait = TimerQueue.now() + settings.configuration.poolWait.wholeMilliseconds
            waiting.append((exchange, min(wait, exchange.deadline)))
        }
    }

    private func sendWaiting() {
        guard !waiting.isEmpty else { return }
        var isBusy = false
        while let keeper = leastBusy(), let connection = keeper.connection, let next = waiting.popFirst() {
            keeper.use()
            isBusy = isBusy || connection.inFlightCount > 0
            connection.send(next.exchange, flush: false)
            if waiting.isEmpty { break }
        }
        // One more at a time, while statements wait behind others.
        if isBusy || !waiting.isEmpty { keepers.openAnother() }
        for keeper in keepers { keeper.connection?.flush() }
        if !waiting.isEmpty { watchWaiting() }
    }

    private func leastBusy() -> ReconnectingConnection? {
        var best: ReconnectingConnection?
        var fewest = PipelineGroup.depth
        for keeper in keepers {
            if let connection = keeper.connection, connection.inFlightCount < fewest {
                best = keeper
                fewest = connection.inFlightCount
            }
        }
        return best
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
            first.exchange.finish(.failure(.noConnection(keepers)))
        }
        watchWaiting()
    }

    func close() {
        isClosed = true
        for keeper in keepers { keeper.stop() }
        if let waitTimer { loop.cancel(waitTimer) }
        for next in waiting.removeAll() {
            next.exchange.finish(.failure(.unavailable("the database client was closed")))
        }
    }
}
