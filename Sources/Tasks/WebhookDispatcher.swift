// Sends webhook deliveries, apart from the worker so that a slow receiver never delays a publication.
import Domain
import EventLoop
import Platform
import Store
import Synchronization
import Webhooks

/// One per daemon; any number of daemons share the deliveries. Each webhook with due deliveries has its own task, so that a
/// slow one delays no other.
package final class WebhookDispatcher: Sendable {
    /// Webhooks served concurrently. Times the concurrent deliveries to each, this is the client's number of threads, so
    /// that no claimed delivery waits for a thread.
    package static let concurrency = 4

    private let database: Database
    private let deliver: SendWebhookDeliveries
    private let log: Logger
    private let pollMilliseconds: Int
    private let loop: EventLoop
    private let polling: PollingLoop
    private let serving = Mutex<Set<ID<Webhook>>>([])

    package init(
        database: Database, deliver: SendWebhookDeliveries, log: Logger, pollMilliseconds: Int, loop: EventLoop
    ) {
        self.database = database
        self.deliver = deliver
        self.log = log
        self.pollMilliseconds = pollMilliseconds
        self.loop = loop
        polling = PollingLoop(database: database, channel: "vitrine_webhook", log: log, loop: loop)
    }

    package func start() {
        polling.start(pause: pollMilliseconds) { [self] in
            for webhook in try await database.webhookDeliveries.due() { serve(webhook) }
            return pollMilliseconds
        } ending: { [self] in
            while !serving.withLock({ $0.isEmpty }) { await polling.wait(pollMilliseconds) }
        }
    }

    /// Returns when the current deliveries are finished.
    package func stop() async { await polling.stop() }

    private func serve(_ webhook: ID<Webhook>) {
        let isClaimed = serving.withLock { $0.count < Self.concurrency && $0.insert(webhook).inserted }
        guard isClaimed else { return }
        loop.spawn { [self] in
            do {
                try await deliver(webhook) { self.polling.isStopping }
            } catch {
                log.warning(
                    "webhook deliveries failed",
                    ["webhook": .text(webhook.description), "error": .text(String(describing: error))])
            }
            _ = serving.withLock { $0.remove(webhook) }
            // Another webhook may be waiting for a slot.
            polling.signal()
        }
    }
}
