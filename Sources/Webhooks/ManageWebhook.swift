// Adds, pauses, resumes, rotates, tries out, replays and removes webhooks.
import Domain
import Fetch
import Platform
import Store

package struct ManageWebhook: Sendable {
    /// How long messages are signed with the secret before a rotation, too.
    package static let rotationHours = 24
    private static let noteLimit = 500

    private let database: Database
    private let rules: WebhookRules

    package init(database: Database, rules: WebhookRules) {
        self.database = database
        self.rules = rules
    }

    /// Makes a webhook; its secret is told once and stored sealed.
    package func add(url: String, events: [WebhookEvent], note: String, by actor: Actor) async throws
        -> (id: ID<Webhook>, secret: WebhookSecret)
    {
        try require(actor)
        let note = PlainText.singleLine(note)
        var errors = FieldErrors()
        var address = ""
        do {
            address = try FetchTarget(PlainText.singleLine(url), policy: rules.policy).text
        } catch let refusal as FetchRefusal {
            errors.add("/url", "refused", refusal.description)
        }
        let events = WebhookEvent.subscribable.filter(events.contains)
        if events.isEmpty { errors.add("/events", "required", "Choose at least one thing to be told.") }
        if note.count > Self.noteLimit {
            errors.add("/note", "too_long", "A note has at most \(Self.noteLimit) characters.")
        }
        if !errors.isEmpty { throw Failure.invalid(errors) }

        let id = ID<Webhook>(UUIDv7.make())
        let secret = WebhookSecret.make()
        let sealed = try rules.seal(secret)
        let url = address
        let detail: [String: JSONValue] = [
            "url": .string(url), "events": .array(events.map { .string($0.rawValue) }),
        ]
        try await database.change(by: actor, AuditEvent("webhook.create", on: "webhook", id.description, detail: detail)) {
            try await $0.webhooks.add(id: id, url: url, note: note, events: events, secret: sealed, by: actor)
        }
        return (id, secret)
    }

    package func remove(_ id: ID<Webhook>, by actor: Actor) async throws {
        let isRemoved = try await change("webhook.delete", id, by: actor) { try await $0.webhooks.remove(id) }
        if !isRemoved { throw Failure.missing("webhook") }
    }

    /// Keeps what it is told for later.
    package func pause(_ id: ID<Webhook>, by actor: Actor) async throws {
        let webhook = try await find(id)
        let isPaused = try await change("webhook.pause", id, by: actor) { try await $0.webhooks.pause(id) }
        if !isPaused {
            throw Failure.conflict(code: "not_active", message: "This webhook is \(webhook.state.rawValue) already.")
        }
    }

    /// Goes on sending, at once.
    package func resume(_ id: ID<Webhook>, by actor: Actor) async throws {
        _ = try await find(id)
        _ = try await change("webhook.resume", id, by: actor) { try await $0.webhooks.resume(id) }
    }

    /// Makes a new secret; the one before stays valid for a day, so that the receiver can change over.
    package func rotate(_ id: ID<Webhook>, by actor: Actor) async throws -> WebhookSecret {
        try require(actor)
        let secret = WebhookSecret.make()
        let sealed = try rules.seal(secret)
        let isRotated = try await change("webhook.rotate", id, by: actor) {
            try await $0.webhooks.rotate(id, to: sealed, hours: Self.rotationHours)
        }
        guard isRotated else { throw Failure.missing("webhook") }
        return secret
    }

    /// Sends an event that stands for nothing: the id of its message.
    package func test(_ id: ID<Webhook>, by actor: Actor) async throws -> ID<WebhookDelivery> {
        guard try await find(id).state == .active else {
            throw Failure.conflict(code: "not_active", message: "Nothing is sent to it now. Resume it first.")
        }
        let message = try await change("webhook.test", id, by: actor) { try await $0.webhookMessages.addTest(to: id) }
        guard let message else { throw Failure.missing("webhook") }
        return message
    }

    /// Sends one message again, with the id that it had.
    package func replay(_ message: ID<WebhookDelivery>, of id: ID<Webhook>, by actor: Actor) async throws {
        let isReplayed = try await change("webhook.replay", id, ["message": .string(message.description)], by: actor) {
            try await $0.webhookMessages.replay(message, of: id)
        }
        if !isReplayed { throw Failure.missing("delivery") }
    }

    /// Sends again all that it is told of the publications from `publication` on: how many messages.
    package func replay(from publication: Int64, of id: ID<Webhook>, by actor: Actor) async throws -> Int {
        _ = try await find(id)
        guard publication >= 1 else {
            throw Failure.invalid(FieldErrors("/since", "range", "Publications are numbered from 1."))
        }
        return try await change("webhook.replay", id, ["since": .int(publication)], by: actor) {
            try await $0.webhooks.replay(id, from: publication)
        }
    }

    private func find(_ id: ID<Webhook>) async throws -> WebhookRow {
        guard let webhook = try await database.webhooks.find(id) else { throw Failure.missing("webhook") }
        return webhook
    }

    private func require(_ actor: Actor) throws {
        try actor.require(.administer, "manage webhooks")
    }

    private func change<Value: Sendable>(
        _ action: String, _ id: ID<Webhook>, _ detail: [String: JSONValue] = [:], by actor: Actor,
        _ body: @Sendable @escaping (Change) async throws -> Value
    ) async throws -> Value {
        try require(actor)
        return try await database.change(
            by: actor, AuditEvent(action, on: "webhook", id.description, detail: detail), body)
    }
}
