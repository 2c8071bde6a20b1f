// The webhooks: the list with the form for a new one, and one webhook with its deliveries.
import Domain
import FoundationEssentials
import HTTP
import Localization
import Operations
import Store

enum WebhookPages {
    private static let perPage = 50

    // MARK: List

    private struct Line: Encodable, Sendable {
        let webhook: WebhookRow
        let createdBy: String
        let queued: String?
    }

    private struct List: Encodable, Sendable {
        let lines: [Line]
        let url: String
        let note: String
        let events: [Option]
        let urlErrors: [String]
        let noteErrors: [String]
        let problem: ErrorSummary?
    }

    static func list(_ request: AdminRequest, errors: FieldErrors = FieldErrors()) async throws -> Response {
        let chosen = errors.isEmpty ? WebhookEvent.subscribable : events(request)
        let model = List(
            lines: try await request.database.webhooks.list().map {
                Line(webhook: $0, createdBy: ActorName.shown($0.createdBy), queued: queued($0))
            },
            url: request.form.first("url") ?? "",
            note: request.form.first("note") ?? "",
            events: WebhookEvent.subscribable.map {
                Option(value: $0.rawValue, label: $0.label, isChosen: chosen.contains($0))
            },
            urlErrors: errors.messages(at: "/url"), noteErrors: errors.messages(at: "/note"),
            problem: ErrorSummary(errors))
        return try request.page(
            "admin/webhooks/list", model, title: tr("Webhooks", context: "list"),
            status: errors.status)
    }

    /// How many deliveries wait; nil for none.
    private static func queued(_ webhook: WebhookRow) -> String? {
        let limit = WebhookStore.countLimit
        guard webhook.waiting > 0 else { return nil }
        return webhook.waiting > limit ? tr("more than \(limit)") : String(webhook.waiting)
    }

    private static func events(_ request: AdminRequest) -> [WebhookEvent] {
        request.form.all("events").compactMap(WebhookEvent.init)
    }

    static func create(_ request: AdminRequest) async throws -> Response {
        try await request.submit(orShow: list) {
            let url = request.form.first("url") ?? ""
            let created = try await ManageWebhook(database: request.database, rules: request.context.webhooks).create(
                url: url, events: events(request), note: request.form.first("note") ?? "", by: request.actor)
            return try WebhookActionPages.showSecret(created.secret, of: created.id, request, isNew: true)
        }
    }

    // MARK: One webhook

    private struct Delivery: Encodable, Sendable {
        let delivery: WebhookDeliveryRow
        /// The time of the next attempt.
        let next: Date?
    }

    private struct Show: Encodable, Sendable {
        let webhook: WebhookRow
        let isActive: Bool
        let queued: String?
        let deliveries: [Delivery]
        let next: String?
        let isFirst: Bool
        let since: String
        let problem: ErrorSummary?
    }

    static func show(_ request: AdminRequest, errors: FieldErrors = FieldErrors()) async throws -> Response {
        let webhook = try await find(request)
        let cursor = request.cursor
        let page = try await request.database.webhookDeliveries.page(of: webhook.id, cursor: cursor, limit: perPage)
        let model = Show(
            webhook: webhook, isActive: webhook.state == .active, queued: queued(webhook),
            deliveries: page.items.map { Delivery(delivery: $0, next: $0.nextRetry) },
            next: page.next.map { AdminURL.webhook(webhook.id, query: ["cursor": $0]) },
            isFirst: cursor == nil,
            since: request.form.first("since") ?? webhook.missedFrom.map(String.init) ?? "",
            problem: ErrorSummary(errors))
        return try request.page(
            "admin/webhooks/show", model, title: tr("Webhook", context: "show"),
            status: errors.status)
    }

    /// The webhook of the id in the path.
    static func find(_ request: AdminRequest) async throws -> WebhookRow {
        try await request.database.webhooks.find(try request.id()).orMissing("webhook")
    }
}

extension WebhookDeliveryRow {
    /// The time of the next attempt; nil before the first and after the last.
    var nextRetry: Date? { state == .waiting && attempts > 0 ? nextAt : nil }
}
