// Creates, pauses, resumes, rotates, tests, replays and deletes webhooks.
import Domain
import Fetch
import Localization
import Platform
import Store

package struct ManageWebhook: Sendable {
    /// Hours after a rotation during which deliveries are also signed with the old secret.
    package static let rotationHours = 24
    private static let noteLimit = 500

    private let database: Database
    private let rules: WebhookRules

    package init(database: Database, rules: WebhookRules) {
        self.database = database
        self.rules = rules
    }

    /// Creates a webhook. Its secret is returned once and stored sealed.
    package func create(url: String, events: [WebhookEvent], note: String, by actor: Actor) async throws
        -> (id: ID<Webhook>, secret: SigningSecret)
    {
        try require(actor)
        let note = PlainText.singleLine(note)
        var errors = FieldErrors()
        var checkedURL = ""
        do {
            checkedURL = try FetchTarget(PlainText.singleLine(url), policy: rules.policy).text
        } catch let refusal as FetchRefusal {
            errors.add("/url", "refused", refusal.description)
        }
        let events = WebhookEvent.subscribable.filter(events.contains)
        if events.isEmpty { errors.add("/events", "required", tr("Choose at least one event.")) }
        if note.count > Self.noteLimit {
            errors.add("/note", "too_long", tr("Use at most \(Self.noteLimit) characters."))
        }
        if !errors.isEmpty { throw Failure.invalid(errors) }
        try await checkKey()

        let id = ID<Webhook>(UUIDv7.make())
        let secret = SigningSecret.make()
        let sealed = try rules.seal(secret)
        let url = checkedURL
        let detail: [String: JSONValue] = [
            "url": .string(url), "events": .array(events.map { .string($0.rawValue) }),
        ]
        try await database.transaction(
            by: actor, AuditEvent("webhook.create", on: "webhook", id.description, detail: detail)
        ) {
            try await $0.webhooks.add(id: id, url: url, note: note, events: events, secret: sealed, by: actor)
        }
        return (id, secret)
    }

    package func delete(_ id: ID<Webhook>, by actor: Actor) async throws {
        let isDeleted = try await update("webhook.delete", id, by: actor) { try await $0.webhooks.remove(id) }
        if !isDeleted { throw Failure.missing("webhook") }
    }

    /// Queues deliveries until the webhook is resumed.
    package func pause(_ id: ID<Webhook>, by actor: Actor) async throws {
        let webhook = try await find(id)
        let isPaused = try await update("webhook.pause", id, by: actor) { try await $0.webhooks.pause(id) }
        if !isPaused {
            throw Failure.conflict(
                code: "not_active",
                message: webhook.state == .disabled
                    ? tr("This webhook is already disabled.") : tr("This webhook is already paused."))
        }
    }

    /// Sends queued deliveries again, immediately.
    package func resume(_ id: ID<Webhook>, by actor: Actor) async throws {
        _ = try await find(id)
        _ = try await update("webhook.resume", id, by: actor) { try await $0.webhooks.resume(id) }
    }

    /// Creates a new secret. The old one stays valid for a day, so that the receiver can switch.
    package func rotate(_ id: ID<Webhook>, by actor: Actor) async throws -> SigningSecret {
        try require(actor)
        try await checkKey()
        let secret = SigningSecret.make()
        let sealed = try rules.seal(secret)
        let isRotated = try await update("webhook.rotate", id, by: actor) {
            try await $0.webhooks.rotate(id, to: sealed, hours: Self.rotationHours)
        }
        guard isRotated else { throw Failure.missing("webhook") }
        return secret
    }

    /// Sends a test event; returns the id of its delivery.
    package func test(_ id: ID<Webhook>, by actor: Actor) async throws -> ID<WebhookDelivery> {
        guard try await find(id).state == .active else {
            throw Failure.conflict(code: "not_active", message: tr("This webhook is not active. Resume it first."))
        }
        let delivery = try await update("webhook.test", id, by: actor) {
            try await $0.webhookDeliveries.addTest(to: id)
        }
        guard let delivery else { throw Failure.missing("webhook") }
        return delivery
    }

    /// Sends a delivery again, with the same id.
    package func replay(_ delivery: ID<WebhookDelivery>, of id: ID<Webhook>, by actor: Actor) async throws {
        let isReplayed = try await update("webhook.replay", id, ["delivery": .string(delivery.description)], by: actor)
        {
            try await $0.webhookDeliveries.replay(delivery, of: id)
        }
        if !isReplayed { throw Failure.missing(tr("webhook delivery")) }
    }

    /// Sends the deliveries of every publication from `publication` on again; returns their number.
    package func replay(from publication: Int64, of id: ID<Webhook>, by actor: Actor) async throws -> Int {
        _ = try await find(id)
        guard publication >= 1 else {
            throw Failure.invalid(FieldErrors("/since", "range", tr("Enter a publication number from 1.")))
        }
        return try await update("webhook.replay", id, ["since": .int(publication)], by: actor) {
            try await $0.webhooks.replay(id, from: publication)
        }
    }

    private func find(_ id: ID<Webhook>) async throws -> WebhookRow {
        try await database.webhooks.find(id).orMissing("webhook")
    }

    /// A secret that is sealed with another key could not be opened by other daemons.
    private func checkKey() async throws {
        do {
            try await VerifyKey(database.identities, rules: rules)()
        } catch let error as ConfigurationError {
            throw Failure.refused(code: "key", message: tr("The secret can't be stored securely. \(error)"))
        }
    }

    private func require(_ actor: Actor) throws {
        try actor.require(.administer, tr("manage webhooks"))
    }

    private func update<Value: Sendable>(
        _ action: String, _ id: ID<Webhook>, _ detail: [String: JSONValue] = [:], by actor: Actor,
        _ body: @Sendable @escaping (AuditedTransaction) async throws -> Value
    ) async throws -> Value {
        try require(actor)
        return try await database.transaction(
            by: actor, AuditEvent(action, on: "webhook", id.description, detail: detail), body)
    }
}
