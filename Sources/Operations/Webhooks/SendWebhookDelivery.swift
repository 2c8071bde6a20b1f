// Attempts to send a delivery to its webhook, and disables a webhook that keeps failing.
import Domain
import Fetch
import FoundationEssentials
import Localization
import Platform
import Store

package struct SendWebhookDelivery: Sendable {
    /// Days without a successful delivery after which a webhook is disabled.
    private static let failingDays = 5
    /// Bytes of a response body that are stored.
    private static let responseBytes = 1024

    package let retries: RetrySchedule
    private let database: Database
    private let rules: WebhookRules
    private let client: FetchClient
    private let log: Logger

    package init(
        database: Database, rules: WebhookRules, client: FetchClient, retries: RetrySchedule = .webhookDelivery,
        log: Logger
    ) {
        self.database = database
        self.rules = rules
        self.client = client
        self.retries = retries
        self.log = log
    }

    /// Nil if the webhook was deleted.
    package func attempt(_ message: OutboxMessage) async throws -> SendAttempt? {
        guard let delivery = try await database.webhookDeliveries.find(ID(message.id.uuid)),
            let sealed = try await database.webhooks.secrets(of: delivery.webhook)
        else { return nil }
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
        return SendAttempt(Self.result(of: attempt), pauseSeconds: Self.pause(response), response: attempt)
    }

    private static func result(of attempt: WebhookAttempt) -> SendAttempt.Result {
        if attempt.isDelivered { return .sent }
        let reason = attempt.error ?? tr("Status \(attempt.status ?? 0)", context: "outcome")
        // A 410 means that the receiver is gone: no retry.
        return attempt.status == 410 ? .refused(reason) : .later(reason)
    }

    private func send(_ delivery: WebhookDeliveryRow, _ sealed: WebhookSealedSecrets, at now: Date) async throws
        -> FetchResponse
    {
        if let problem = rules.problem(with: sealed.url) { throw Failure.refused(code: "test", message: problem) }
        let secrets = try rules.open(sealed.secret, sealed.oldSecret)
        let body = Array(delivery.body.utf8)
        let headers = SigningSecret.headers(
            id: delivery.id.description, seconds: Int(now.timeIntervalSince1970), body: body, secrets: secrets)
        return try await client.post(sealed.url, headers: headers, body: body)
    }

    /// Seconds that an overloaded receiver (429 or 503) asks to wait; a day at most.
    private static func pause(_ response: FetchResponse?) -> Int {
        guard let response, response.status == 429 || response.status == 503 else { return 0 }
        return min(response.retryAfter ?? 0, 86_400)
    }

    /// As text that PostgreSQL accepts: without NUL bytes.
    private static func beginning(of body: [UInt8]) -> String {
        String(
            String(decoding: body.prefix(responseBytes).filter { $0 != 0 }, as: UTF8.self).unicodeScalars.prefix(
                responseBytes))
    }

    /// Disables the webhook if its receiver is gone or has failed for days.
    package func afterFailure(_ attempt: SendAttempt, in queue: OutboxQueue) async throws {
        guard case .webhook(let webhook) = queue else { return }
        var reason: String?
        if attempt.response?.status == 410 {
            reason = tr("The receiver responded 410 Gone.")
        } else if try await database.webhookDeliveries.hasFailed(webhook, forDays: Self.failingDays) {
            reason = tr("No delivery succeeded for \(Self.failingDays) days.")
        }
        // Another delivery of the same batch may have disabled it already.
        guard let reason, try await database.webhooks.find(webhook)?.state != .disabled else { return }
        let event = AuditEvent(
            "webhook.disable", on: "webhook", webhook.description, detail: ["reason": .string(reason)])
        let isDisabled = try await database.transaction(by: Actor(kind: .system, name: "schedule"), event) {
            try await $0.webhooks.disable(webhook, because: reason)
        }
        if isDisabled {
            log.error(
                "webhook disabled", ["webhook": .text(webhook.description), "reason": .text(reason)])
        }
    }
}
