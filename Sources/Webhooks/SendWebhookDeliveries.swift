// Sends what a webhook is to be told, a few messages at a time, until nothing more can be sent to it now.
import Domain
import Fetch
import FoundationEssentials
import Platform
import Store

package struct SendWebhookDeliveries: Sendable {
    /// Messages that are sent to one webhook at the same time; they are about different entries.
    package static let atOnce = 4
    /// A webhook that answered nothing well for so long is disabled.
    private static let failingDays = 5
    /// After so many the place is given to the next webhook.
    private static let batchs = 25
    /// As much of an answer as the log keeps.
    private static let answerBytes = 1024

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

    /// `isStopping` ends it between two batches.
    package func callAsFunction(_ webhook: ID<Webhook>, unless isStopping: @Sendable () -> Bool) async throws {
        for _ in 0..<Self.batchs where !isStopping() {
            let (messages, isLast) = try await database.work(as: Self.actor) {
                try await $0.webhookMessages.claim(of: webhook, limit: Self.atOnce)
            }
            guard !isLast, let sealed = try await database.webhooks.secrets(of: webhook) else { return }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for message in messages { group.addTask { try await deliver(message, sealed) } }
                try await group.waitForAll()
            }
        }
    }

    private static let actor = Actor(kind: .system, name: "schedule")

    private func deliver(_ message: WebhookDeliveryRow, _ sealed: WebhookSealedSecrets) async throws {
        let started = Date()
        let clock = Stopwatch()
        var answer: FetchResponse?
        var problem: String?
        do {
            answer = try await send(message, sealed, at: started)
        } catch {
            problem = (error as? Failure)?.sentence ?? String(describing: error)
        }
        let status = answer?.status
        let attempt = WebhookAttempt(
            startedAt: started, durationMilliseconds: clock.milliseconds, status: status,
            answer: Self.beginning(of: answer?.body ?? []), error: problem,
            isDelivered: status.map { (200...299).contains($0) } ?? false)
        try await record(attempt, of: message, hold: Self.hold(answer))
        if !attempt.isDelivered { try await disableIfNeeded(message.webhook, status) }
    }

    private func send(_ message: WebhookDeliveryRow, _ sealed: WebhookSealedSecrets, at now: Date) async throws
        -> FetchResponse
    {
        if let objection = rules.objection(to: sealed.url) { throw Failure.refused(code: "test", message: objection) }
        let secrets = try rules.open(sealed.secret, sealed.oldSecret)
        let body = Array(message.body.utf8)
        let headers = WebhookSecret.headers(
            id: message.id.description, seconds: Int(now.timeIntervalSince1970), body: body, secrets: secrets)
        return try await client.post(sealed.url, headers: headers, body: body)
    }

    /// Seconds for which a receiver that has too much to do wants nothing; a day at most.
    private static func hold(_ answer: FetchResponse?) -> Int? {
        guard let answer, answer.status == 429 || answer.status == 503 else { return nil }
        return answer.retryAfter.map { min($0, 86_400) }
    }

    /// As text that PostgreSQL takes, whatever was answered.
    private static func beginning(of body: [UInt8]) -> String {
        String(
            String(decoding: body.prefix(answerBytes).filter { $0 != 0 }, as: UTF8.self).unicodeScalars.prefix(
                answerBytes))
    }

    private func record(_ attempt: WebhookAttempt, of message: WebhookDeliveryRow, hold: Int?) async throws {
        var delay = retries.delay(after: message.attempts, chance: Double.random(in: 0...1))
        // A receiver that is gone is not asked again.
        if attempt.status == 410 { delay = nil }
        if let known = delay, let hold { delay = max(known, Double(hold)) }
        let again = attempt.isDelivered ? nil : delay
        try await database.work(as: Self.actor) { change in
            try await change.webhookMessages.finish(message.id, attempt, retryAfter: again)
            try await change.webhookMessages.pace(
                message.webhook, isDelivered: attempt.isDelivered, holdSeconds: hold)
        }
        if attempt.isDelivered { return }
        log.warning(
            again == nil ? "a webhook message was given up" : "a webhook message was not taken",
            [
                "webhook": .text(message.webhook.description), "message": .text(message.id.description),
                "attempt": .integer(message.attempts), "status": .integer(attempt.status ?? 0),
                "error": .text(attempt.error ?? ""),
            ])
    }

    private func disableIfNeeded(_ webhook: ID<Webhook>, _ status: Int?) async throws {
        var reason: String?
        if status == 410 {
            reason = "The receiver answered 410: it wants no more messages."
        } else if try await database.webhookMessages.hasFailed(webhook, forDays: Self.failingDays) {
            reason = "Nothing could be delivered for \(Self.failingDays) days."
        }
        // Others of the same batch may have found out, too.
        guard let reason, try await database.webhooks.find(webhook)?.state != .disabled else { return }
        let event = AuditEvent(
            "webhook.disable", on: "webhook", webhook.description, detail: ["reason": .string(reason)])
        let isDisabled = try await database.change(by: Self.actor, event) {
            try await $0.webhooks.disable(webhook, because: reason)
        }
        if isDisabled {
            log.error(
                "a webhook was disabled", ["webhook": .text(webhook.description), "reason": .text(reason)])
        }
    }
}
