// Runs a unit of work repeatedly: on notification if there are any, and at the latest after a pause, until stopped.
import EventLoop
import Platform
import Store
import Synchronization

package final class PollingLoop: Sendable {
    private let database: Database
    private let channel: String?
    private let log: Logger
    private let loop: EventLoop
    private let stopping = Mutex(false)
    private let wake = Wakeup()

    /// `channel`: the NOTIFY channel that announces work; nil if nothing does.
    package init(database: Database, channel: String?, log: Logger, loop: EventLoop) {
        self.database = database
        self.channel = channel
        self.log = log
        self.loop = loop
    }

    package var isStopping: Bool { stopping.withLock { $0 } }

    /// `iteration` returns the longest pause before the next one, in milliseconds; a failed one is logged, and the next runs
    /// after `pause`. `ending` runs after the last.
    package func start(
        pause: Int, _ iteration: @escaping @Sendable () async throws -> Int,
        ending: @escaping @Sendable () async -> Void = {}
    ) {
        if let channel {
            database.listen(channel, onNotify: { [wake] _ in wake.signal() }, onConnect: { [wake] in wake.signal() })
        }
        loop.spawn { [self] in
            while !isStopping {
                var next = pause
                do {
                    next = try await iteration()
                } catch {
                    log.warning(
                        "polling iteration failed",
                        ["channel": .text(channel ?? "none"), "error": .text(String(describing: error))])
                }
                await wait(next)
            }
            await ending()
            wake.end()
        }
    }

    /// Waits for a notification, at most this long.
    package func wait(_ milliseconds: Int) async { await wake.wait(milliseconds: milliseconds, on: loop) }

    /// Starts the next iteration at once.
    package func signal() { wake.signal() }

    /// Returns when the current iteration is finished.
    package func stop() async {
        stopping.withLock { $0 = true }
        wake.signal()
        await wake.waitUntilEnded()
    }
}
