// Does a round of work again and again: when it is told, and at the latest after a while; until it is stopped.
import EventLoop
import Platform
import Store
import Synchronization

final class PollingLoop: Sendable {
    private let database: Database
    private let channel: String
    private let log: Logger
    private let loop: EventLoop
    private let stopping = Mutex(false)
    private let wake = Wakeup()

    /// `channel`: the notifications that there is something to do.
    init(database: Database, channel: String, log: Logger, loop: EventLoop) {
        self.database = database
        self.channel = channel
        self.log = log
        self.loop = loop
    }

    var isStopping: Bool { stopping.withLock { $0 } }

    /// `round` gives after how many milliseconds the next one comes at the latest; one that fails is logged, and the next
    /// comes after `pause`. `ending` is done after the last.
    func start(
        pause: Int, _ round: @escaping @Sendable () async throws -> Int,
        ending: @escaping @Sendable () async -> Void = {}
    ) {
        database.listen(channel, onNotify: { [wake] _ in wake.signal() }, onConnect: { [wake] in wake.signal() })
        loop.spawn { [self] in
            while !isStopping {
                var next = pause
                do {
                    next = try await round()
                } catch {
                    log.warning(
                        "a round of work failed", ["work": .text(channel), "error": .text(String(describing: error))])
                }
                await wait(next)
            }
            await ending()
            wake.end()
        }
    }

    /// Waits until there is something to do, at most so long.
    func wait(_ milliseconds: Int) async { await wake.wait(milliseconds: milliseconds, on: loop) }

    /// Lets the next round come at once.
    func signal() { wake.signal() }

    /// Ends after the round at hand.
    func stop() async {
        stopping.withLock { $0 = true }
        wake.signal()
        await wake.waitUntilEnded()
    }
}
