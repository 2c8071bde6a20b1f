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
    private let kept: Int
    private let keepers: [ReconnectingConnection]
    private let waiting: WaitQueue<Exchange>
    /// Connections that are ready, for readers on any thread.
    let readyCount = Atomic<Int>(0)

    /// The first `kept` connections stay open.
    init(loop: EventLoop, settings: ConnectionSettings, connections: Int, kept: Int) {
        self.loop = loop
        self.kept = kept
        keepers = (0..<connections).map {
            ReconnectingConnection(loop: loop, settings: settings, isTemporary: $0 >= kept)
        }
        waiting = WaitQueue(
            loop: loop, wait: settings.configuration.poolWait, limit: PipelineGroup.queueLimit, noun: "statements",
            keepers: keepers
        ) { $0.finish(.failure($1)) }
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
        waiting.append(exchange, deadline: exchange.deadline)
    }

    private func sendWaiting() {
        guard !waiting.isEmpty else { return }
        var isBusy = false
        while let keeper = leastBusy(), let connection = keeper.connection, let next = waiting.popFirst() {
            keeper.use()
            isBusy = isBusy || connection.inFlightCount > 0
            connection.send(next, flush: false)
            if waiting.isEmpty { break }
        }
        // One more at a time, while statements wait behind others.
        if isBusy || !waiting.isEmpty { keepers.openAnother() }
        for keeper in keepers { keeper.connection?.flush() }
        waiting.watch()
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

    func close() { waiting.close() }
}
