// Sends the messages of the outbox, apart from the worker so that a slow receiver never delays a publication.
import Domain
import EventLoop
import Platform
import Store
import Synchronization

/// One per daemon; any number of daemons share the messages. Each queue with due messages has its own task, so that a
/// slow server delays no other.
package final class OutboxDispatcher: BackgroundLoop {
    /// Webhooks served concurrently; mails have their own place. Times the concurrent messages of each, this is the
    /// client's number of threads, so that no claimed message waits for a thread.
    package static let webhooks = 4

    private let database: Database
    private let send: SendOutbox
    private let log: Logger
    private let pollMilliseconds: Int
    private let loop: EventLoop
    private let polling: PollingLoop
    private let serving = Mutex<Set<OutboxQueue>>([])

    package init(database: Database, send: SendOutbox, log: Logger, pollMilliseconds: Int, loop: EventLoop) {
        self.database = database
        self.send = send
        self.log = log
        self.pollMilliseconds = pollMilliseconds
        self.loop = loop
        polling = PollingLoop(database: database, channel: "vitrine_outbox", log: log, loop: loop)
    }

    package func start() {
        polling.start(pause: pollMilliseconds) { [self] in
            for queue in try await database.outbox.due() where send.sender(of: queue) != nil { serve(queue) }
            return pollMilliseconds
        } ending: { [self] in
            while !serving.withLock({ $0.isEmpty }) { await polling.wait(pollMilliseconds) }
        }
    }

    /// Returns when the current messages are finished.
    package func stop() async { await polling.stop() }

    private func serve(_ queue: OutboxQueue) {
        let isClaimed = serving.withLock { serving in
            let isFull = queue != .mail && serving.count { $0 != .mail } >= Self.webhooks
            return !isFull && serving.insert(queue).inserted
        }
        guard isClaimed else { return }
        loop.spawn { [self] in
            var isDone = false
            do {
                try await send(queue) { self.polling.isStopping }
                isDone = true
            } catch {
                log.warning(
                    "outbox failed", ["queue": .text("\(queue)"), "error": .text(String(describing: error))])
            }
            _ = serving.withLock { $0.remove(queue) }
            // Another webhook may be waiting for its turn. After an error the next poll is early enough.
            if isDone || polling.isStopping { polling.signal() }
        }
    }
}
