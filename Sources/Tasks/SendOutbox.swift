// Sends the due messages of a queue, a few at a time, and records what became of each attempt.
import Domain
import Operations
import Platform
import Store

/// Sends the messages of one kind.
package protocol OutboxSender: Sendable {
    var retries: RetrySchedule { get }
    /// Nil if the message must not be sent anymore.
    func attempt(_ message: OutboxMessage) async throws -> SendAttempt?
    /// Runs after a failed attempt was recorded.
    func afterFailure(_ attempt: SendAttempt, in queue: OutboxQueue) async throws
}

extension SendWebhookDelivery: OutboxSender {}

extension SendMail: OutboxSender {
    package func afterFailure(_ attempt: SendAttempt, in queue: OutboxQueue) {}
}

package struct SendOutbox: Sendable {
    /// Messages of one queue that are sent concurrently; deliveries to one webhook are about different entries.
    package static let concurrency = 4
    /// Batches after which the dispatcher moves on to the next queue.
    private static let batches = 25
    private static let actor = Actor(kind: .system, name: "schedule")

    private let database: Database
    private let mail: (any OutboxSender)?
    private let webhooks: (any OutboxSender)?
    private let finished: FinishedTasks
    private let log: Logger

    /// Without a sender, messages of its kind stay queued.
    package init(
        database: Database, mail: SendMail?, webhooks: SendWebhookDelivery?,
        finished: FinishedTasks = FinishedTasks(), log: Logger
    ) {
        self.database = database
        self.mail = mail
        self.webhooks = webhooks
        self.finished = finished
        self.log = log
    }

    func sender(of queue: OutboxQueue) -> (any OutboxSender)? { queue == .mail ? mail : webhooks }

    /// `isStopping` ends it between batches.
    package func callAsFunction(
        _ queue: OutboxQueue, unless isStopping: @Sendable () -> Bool = { false }
    ) async throws {
        guard let sender = sender(of: queue) else { return }
        for _ in 0..<Self.batches where !isStopping() {
            let (messages, isLast) = try await database.outbox.claim(queue, limit: Self.concurrency)
            if isLast { return }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for message in messages { group.addTask { try await send(message, by: sender) } }
                try await group.waitForAll()
            }
        }
    }

    private func send(_ message: OutboxMessage, by sender: any OutboxSender) async throws {
        guard let attempt = try await sender.attempt(message) else { return }
        var delay: Double?
        if case .later = attempt.result {
            delay = sender.retries.delay(
                after: message.attempts, chance: Double.random(in: 0...1), atLeast: attempt.pauseSeconds)
        }
        let retryAfter = delay
        try await database.work(as: Self.actor) {
            try await $0.outbox.finish(message, attempt, retryAfter: retryAfter)
        }
        switch attempt.result {
        case .canceled: finished.add(message.queue.kind, .canceled)
        case .sent:
            finished.add(message.queue.kind, .done)
            // A publication can have thousands of deliveries; the webhook's page shows them.
            log.log(
                message.queue == .mail ? .info : .debug, "\(message.name) sent", ["id": .text(message.id.description)])
        case .refused(let reason), .later(let reason):
            if delay == nil { finished.add(message.queue.kind, .failed) }
            log.log(
                delay == nil ? .error : .warning,
                delay == nil ? "\(message.name) failed" : "\(message.name) not sent, will be retried",
                ["id": .text(message.id.description), "attempt": .integer(message.attempts), "reason": .text(reason)])
            try await sender.afterFailure(attempt, in: message.queue)
        }
    }
}

extension OutboxMessage {
    fileprivate var name: String { queue == .mail ? "mail" : "webhook delivery" }
}
