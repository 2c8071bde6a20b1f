// Carries messages to webhooks, beside the worker so that a slow receiver never holds up a publication.
import Domain
import EventLoop
import Platform
import Store
import Synchronization
import Webhooks

/// One per daemon; any number of daemons share the messages. Each webhook has a task of its own while there is something
/// to send to it, so that a slow one holds up no other.
package final class WebhookDispatcher: Sendable {
    /// Webhooks that are served at once. With the messages at once to each, as many as the client has threads: nothing
    /// that was claimed waits for a thread.
    package static let served = 4

    private let database: Database
    private let deliver: SendWebhookDeliveries
    private let log: Logger
    private let pollMilliseconds: Int
    private let loop: EventLoop
    private let rounds: PollingLoop
    private let serving = Mutex<Set<ID<Webhook>>>([])

    package init(database: Database, deliver: SendWebhookDeliveries, log: Logger, pollMilliseconds: Int, loop: EventLoop) {
        self.database = database
        self.deliver = deliver
        self.log = log
        self.pollMilliseconds = pollMilliseconds
        self.loop = loop
        rounds = PollingLoop(database: database, channel: "vitrine_webhook", log: log, loop: loop)
    }

    package func start() {
        rounds.start(pause: pollMilliseconds) { [self] in
            for webhook in try await database.webhookMessages.due() { serve(webhook) }
            return pollMilliseconds
        } ending: { [self] in
            while !serving.withLock({ $0.isEmpty }) { await rounds.wait(pollMilliseconds) }
        }
    }

    /// Ends after the messages at hand.
    package func stop() async { await rounds.stop() }

    private func serve(_ webhook: ID<Webhook>) {
        let isClaimed = serving.withLock { $0.count < Self.served && $0.insert(webhook).inserted }
        guard isClaimed else { return }
        loop.spawn { [self] in
            do {
                try await deliver(webhook) { self.rounds.isStopping }
            } catch {
                log.warning(
                    "a webhook could not be served",
                    ["webhook": .text(webhook.description), "error": .text(String(describing: error))])
            }
            _ = serving.withLock { $0.remove(webhook) }
            // Another may wait for the place.
            rounds.signal()
        }
    }
}
