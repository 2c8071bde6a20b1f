// The actions on a webhook: pause, resume, rotate, test, replay, delete; and the page of one delivery.
import Domain
import FoundationEssentials
import HTTP
import Localization
import Operations
import Platform
import Store

enum WebhookActionPages {
    private static func manage(_ request: AdminRequest) -> ManageWebhook {
        ManageWebhook(database: request.database, rules: request.context.webhooks)
    }

    private static func back(_ request: AdminRequest, _ id: ID<Webhook>, _ message: String) -> Response {
        request.redirect(to: AdminURL.webhook(id), Flash(message))
    }

    static func pause(_ request: AdminRequest) async throws -> Response {
        let id: ID<Webhook> = try request.id()
        try await manage(request).pause(id, by: request.actor)
        return back(request, id, tr("Webhook paused. Deliveries are queued until you resume it."))
    }

    static func resume(_ request: AdminRequest) async throws -> Response {
        let id: ID<Webhook> = try request.id()
        let missed = try await WebhookPages.find(request).missedFrom
        try await manage(request).resume(id, by: request.actor)
        let hint = missed.map { tr(" It missed publications from \($0) on. Replay them below.") } ?? ""
        return back(request, id, tr("Webhook resumed. Queued deliveries are sent first.") + hint)
    }

    static func test(_ request: AdminRequest) async throws -> Response {
        let id: ID<Webhook> = try request.id()
        let delivery = try await manage(request).test(id, by: request.actor)
        return request.redirect(
            to: AdminURL.webhook(id),
            Flash(
                tr("Test queued."), link: AdminURL.webhookDelivery(id, delivery),
                linkLabel: tr("View delivery")))
    }

    static func delete(_ request: AdminRequest) async throws -> Response {
        let webhook = try await WebhookPages.find(request)
        try await manage(request).delete(webhook.id, by: request.actor)
        return request.redirect(to: AdminURL.webhooks(), Flash(tr("Webhook to \(webhook.url) deleted.")))
    }

    // MARK: Secret

    private struct SecretPage: Encodable, Sendable {
        let id: ID<Webhook>
        let secret: String
        let isNew: Bool
        let hours: Int
    }

    static func rotate(_ request: AdminRequest) async throws -> Response {
        let id: ID<Webhook> = try request.id()
        return try showSecret(try await manage(request).rotate(id, by: request.actor), of: id, request, isNew: false)
    }

    /// Shows a secret once, in the response to the POST: it appears in no URL and no cookie.
    static func showSecret(
        _ secret: SigningSecret, of id: ID<Webhook>, _ request: AdminRequest, isNew: Bool
    ) throws -> Response {
        try request.page(
            "admin/webhooks/secret",
            SecretPage(id: id, secret: secret.text, isNew: isNew, hours: ManageWebhook.rotationHours),
            title: tr("Webhook secret"))
    }

    // MARK: Deliveries

    static func replaySince(_ request: AdminRequest) async throws -> Response {
        let webhook = try await WebhookPages.find(request)
        return try await request.submit(orShow: WebhookPages.show) {
            let count = try await manage(request).replay(
                from: Int64(try request.integer("since")), of: webhook.id, by: request.actor)
            return back(request, webhook.id, tr("Deliveries queued: \(count)."))
        }
    }

    static func replay(_ request: AdminRequest) async throws -> Response {
        let id: ID<Webhook> = try request.id()
        let delivery: ID<WebhookDelivery> = try request.id("delivery")
        try await manage(request).replay(delivery, of: id, by: request.actor)
        return request.redirect(
            to: AdminURL.webhookDelivery(id, delivery), Flash(tr("Delivery queued again with the same ID.")))
    }

    private struct DeliveryPage: Encodable, Sendable {
        let webhook: ID<Webhook>
        let delivery: WebhookDeliveryRow
        let next: Date?
        let attempts: [WebhookAttempt]
    }

    static func showDelivery(_ request: AdminRequest) async throws -> Response {
        let id: ID<Webhook> = try request.id()
        guard let row = try await request.database.webhookDeliveries.find(try request.id("delivery")), row.webhook == id
        else { throw Failure.missing(tr("webhook delivery")) }
        let attempts = try await request.database.webhookDeliveries.attempts(at: row.id)
        return try request.page(
            "admin/webhooks/delivery",
            DeliveryPage(webhook: id, delivery: row, next: row.nextRetry, attempts: attempts),
            title: tr("Delivery", context: "delivery page"))
    }
}
