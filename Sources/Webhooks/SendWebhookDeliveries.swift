// Sends the due deliveries of a webhook, a few at a time.
import Domain
import Fetch
import FoundationEssentials
import Localization
import Platform
import Store

package struct SendWebhookDeliveries: Sendable {
    /// Concurrent deliveries to one webhook; they are about different entries.
    package static let concurrency = 4
    /// Days without a successful delivery after which a webhook is disabled.
    private static let failingDays = 5
    /// Batches after which the worker moves on to the next webhook.
    private static let batches = 25
    /// Bytes of a response body that are stored.
    private static let responseBytes = 1024

    private let database: Database
    private let rules: WebhookRules
    private let client: FetchClient
    private let retries: WebhookRetries
    private let log: Logger

    package init(
        database: Database, rules: WebhookRules, client: FetchClient, retries: WebhookRetries = .standard, log: Logger
    ) {
        self.database = database
        self.rules = rules
        self.client = client
        self.retries = retries
        self.log = log
    }

    /// `isStopping` ends it between batches.
    package func callAsFunction(_ webhook: ID<Webhook>, unless isStopping: @Sendable () -> Bool) async throws {
        for _ in 0..<Self.batches where !isStopping() {
            let (deliveries, isLast) = try await database.work(as: Self.actor) {
                try await $0.webhookDeliveries.claim(of: webhook, limit: Self.concurrency)
            }
            guard !isLast, let sealed = try await database.webhooks.secrets(of: webhook) else { return }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for delivery in deliveries { group.addTask { try await deliver(delivery, sealed) } }
                try await group.waitForAll()
            }
        }
    }

    private static let actor = Actor(kind: .system, name: "schedule")

    private func deliver(_ delivery: WebhookDeliveryRow, _ sealed: WebhookSealedSecrets) async throws {
        let started = Date()
        let clock = Stopwatch()
        var response: FetchResponse?
        var problem: String?
        do {
            response = try await send(delivery, sealed, at: started)
        } catch {
            problem = (error as? Failure)?.sentence ?? String(describing: error)
        }
        let status = response?.status
        let attempt = WebhookAttempt(
            startedAt: started, durationMilliseconds: clock.milliseconds, status: status,
            response: Self.beginning(of: response?.body ?? []), error: problem,
            isDelivered: status.map { (200...299).contains($0) } ?? false)
        try await record(attempt, of: delivery, hold: Self.hold(response))
        if !attempt.isDelivered { try await disableIfNeeded(delivery.webhook, status) }
    }

    private func send(_ delivery: WebhookDeliveryRow, _ sealed: WebhookSealedSecrets, at now: Date) async throws
        -> FetchResponse
    {
        if let problem = rules.problem(with: sealed.url) { throw Failure.refused(code: "test", message: problem) }
        let secrets = try rules.open(sealed.secret, sealed.oldSecret)
        let body = Array(delivery.body.utf8)
        let headers = WebhookSecret.headers(
            id: delivery.id.description, seconds: Int(now.timeIntervalSince1970), body: body, secrets: secrets)
        return try await client.post(sealed.url, headers: headers, body: body)
    }

    /// Seconds that an overloaded receiver (429 or 503) asks to wait; a day at most.
    private static func hold(_ response: FetchResponse?) -> Int? {
        guard let response, response.status == 429 || response.status == 503 else { return nil }
        return response.retryAfter.map { min($0, 86_400) }
    }

    /// As text that PostgreSQL accepts: without NUL bytes.
    private static func beginning(of body: [UInt8]) -> String {
        String(
            String(decoding: body.prefix(responseBytes).filter { $0 != 0 }, as: UTF8.self).unicodeScalars.prefix(
                responseBytes))
    }

    private func record(_ attempt: WebhookAttempt, of delivery: WebhookDeliveryRow, hold: Int?) async throws {
        var delay = retries.delay(after: delivery.attempts, chance: Double.random(in: 0...1))
        // A 410 means that the receiver is gone: no retry.
        if attempt.status == 410 { delay = nil }
        if let known = delay, let hold { delay = max(known, Double(hold)) }
        let retryAfter = attempt.isDelivered ? nil : delay
        try await database.work(as: Self.actor) { transaction in
            try await transaction.webhookDeliveries.finish(delivery.id, attempt, retryAfter: retryAfter)
            try await transaction.webhookDeliveries.backOff(
                delivery.webhook, isDelivered: attempt.isDelivered, pauseSeconds: hold)
        }
        if attempt.isDelivered { return }
        log.warning(
            retryAfter == nil
                ? "webhook delivery failed, no attempts left" : "webhook delivery failed, will be retried",
            [
                "webhook": .text(delivery.webhook.description), "delivery": .text(delivery.id.description),
                "attempt": .integer(delivery.attempts), "status": .integer(attempt.status ?? 0),
                "error": .text(attempt.error ?? ""),
            ])
    }

    private func disableIfNeeded(_ webhook: ID<Webhook>, _ status: Int?) async throws {
        var reason: String?
        if status == 410 {
            reason = tr("The receiver responded 410 Gone.")
        } else if try await database.webhookDeliveries.hasFailed(webhook, forDays: Self.failingDays) {
            reason = tr("No delivery succeeded for \(Self.failingDays) days.")
        }
        // Another delivery of the same batch may have disabled it already.
        guard let reason, try await database.webhooks.find(webhook)?.state != .disabled else { return }
        let event = AuditEvent(
            "webhook.disable", on: "webhook", webhook.description, detail: ["reason": .string(reason)])
        let isDisabled = try await database.transaction(by: Self.actor, event) {
            try await $0.webhooks.disable(webhook, because: reason)
        }
        if isDisabled {
            log.error(
                "webhook disabled", ["webhook": .text(webhook.description), "reason": .text(reason)])
        }
    }
}
