// Writes the heartbeat by which replicas measure their lag, apart from the worker so that no task delays it.
import EventLoop
import Platform
import Store

/// One per daemon; with several daemons the heartbeat is written more often.
package final class HeartbeatLoop: BackgroundLoop {
    private static let pauseMilliseconds = 5000

    private let database: Database
    private let polling: PollingLoop

    package init(database: Database, log: Logger, loop: EventLoop) {
        self.database = database
        polling = PollingLoop(database: database, channel: nil, log: log, loop: loop)
    }

    package func start() {
        polling.start(pause: Self.pauseMilliseconds) { [database] in
            try await database.heartbeat.beat()
            return Self.pauseMilliseconds
        }
    }

    /// Returns when the current statement is finished.
    package func stop() async { await polling.stop() }
}
