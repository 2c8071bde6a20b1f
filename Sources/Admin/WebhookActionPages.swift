// What is done to a webhook: paused, resumed, rotated, tried out, replayed, removed; and one delivery with its attempts.
import Domain
import HTTP
import Store
import Webhooks

enum WebhookActionPages {
    static let routes = [
        route("POST", "/webhooks/{id}/pause", pause), route("POST", "/webhooks/{id}/resume", resume),
        route("POST", "/webhooks/{id}/rotate", rotate), route("POST", "/webhooks/{id}/test", test),
        route("POST", "/webhooks/{id}/delete", remove), route("POST", "/webhooks/{id}/replay", replaySince),
        route("GET", "/webhooks/{id}/deliveries/{message}", showDelivery),
        route("POST", "/webhooks/{id}/deliveries/{message}/replay", replay),
    ]

    private static func route(
        _ method: String, _ pattern: String, _ handler: @escaping @Sendable (AdminRequest) async throws -> Response
    ) -> AdminEndpoint {
        AdminEndpoint(method: method, pattern: pattern, access: .may(.administer), handler: handler)
    }

    private static func manage(_ request: AdminRequest) -> ManageWebhook {
        ManageWebhook(database: request.database, rules: request.context.webhooks)
    }

    private static func back(_ request: AdminRequest, _ id: ID<Webhook>, _ sentence: String) -> Response {
        request.redirect(to: "/webhooks/\(id)", Flash(sentence))
    }

    private static func pause(_ request: AdminRequest) async throws -> Response {
        let id: ID<Webhook> = try request.id()
        try await manage(request).pause(id, by: request.actor)
        return back(request, id, "The webhook is paused. What it is to be told is kept until you resume it.")
    }

    private static func resume(_ request: AdminRequest) async throws -> Response {
        let id: ID<Webhook> = try request.id()
        let missed = try await WebhookPages.find(request).missedFrom
        try await manage(request).resume(id, by: request.actor)
        let sentence = "The webhook is told again, beginning with what waits."
        let hint = missed.map { " It was not told of publications from \($0) on; replay them below." } ?? ""
        return back(request, id, sentence + hint)
    }

    private static func test(_ request: AdminRequest) async throws -> Response {
        let id: ID<Webhook> = try request.id()
        let message = try await manage(request).test(id, by: request.actor)
        return request.redirect(
            to: "/webhooks/\(id)",
            Flash(
                "A test is on its way.", link: "/webhooks/\(id)/deliveries/\(message)",
                linkLabel: "See what is answered"))
    }

    private static func remove(_ request: AdminRequest) async throws -> Response {
        let webhook = try await WebhookPages.find(request)
        try await manage(request).remove(webhook.id, by: request.actor)
        return request.redirect(to: "/webhooks", Flash("The webhook to \(webhook.url) is removed."))
    }

    // MARK: The secret

    private struct SecretPage: Encodable, Sendable {
        let id: ID<Webhook>
        let secret: String
        let isNew: Bool
        let hours: Int
    }

    private static func rotate(_ request: AdminRequest) async throws -> Response {
        let id: ID<Webhook> = try request.id()
        return try notify(try await manage(request).rotate(id, by: request.actor), of: id, request, isNew: false)
    }

    /// Shows a new secret, this once: it stands in no address and in no cookie.
    static func notify(
        _ secret: WebhookSecret, of id: ID<Webhook>, _ request: AdminRequest, isNew: Bool
    ) throws -> Response {
        try request.page(
            "admin/webhooks/secret",
            SecretPage(id: id, secret: secret.text, isNew: isNew, hours: ManageWebhook.rotationHours),
            title: "Secret of the webhook")
    }

    // MARK: Deliveries

    private static func replaySince(_ request: AdminRequest) async throws -> Response {
        let webhook = try await WebhookPages.find(request)
        do {
            let count = try await manage(request).replay(
                from: Int64(try request.integer("since")), of: webhook.id, by: request.actor)
            return back(request, webhook.id, "\(count) deliveries are sent again.")
        } catch Failure.invalid(let errors) {
            return try await WebhookPages.show(request, errors: errors)
        }
    }

    private static func replay(_ request: AdminRequest) async throws -> Response {
        let id: ID<Webhook> = try request.id()
        let message: ID<WebhookDelivery> = try request.id("message")
        try await manage(request).replay(message, of: id, by: request.actor)
        return request.redirect(
            to: "/webhooks/\(id)/deliveries/\(message)", Flash("It is sent again, with the id that it had."))
    }

    private struct Attempt: Encodable, Sendable {
        let started: Instant
        let took: Int
        let outcome: WebhookPages.Outcome
        let answer: String

        init(_ attempt: WebhookAttempt) {
            started = Instant(attempt.startedAt)
            took = attempt.durationMilliseconds
            outcome = WebhookPages.Outcome(
                isDelivered: attempt.isDelivered, status: attempt.status, error: attempt.error)
            answer = attempt.answer
        }
    }

    private struct Delivery: Encodable, Sendable {
        let webhook: ID<Webhook>
        let message: WebhookPages.Message
        let body: String
        let attempts: [Attempt]
    }

    private static func showDelivery(_ request: AdminRequest) async throws -> Response {
        let id: ID<Webhook> = try request.id()
        guard let row = try await request.database.webhookMessages.find(try request.id("message")), row.webhook == id
        else { throw Failure.missing("delivery") }
        let attempts = try await request.database.webhookMessages.attempts(at: row.id)
        return try request.page(
            "admin/webhooks/delivery",
            Delivery(
                webhook: id, message: WebhookPages.Message(row), body: row.body, attempts: attempts.map(Attempt.init)),
            title: "Delivery")
    }
}
