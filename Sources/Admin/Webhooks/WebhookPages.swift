// The webhooks: the list with the form for a new one, and one webhook with its deliveries.
import Domain
import FoundationEssentials
import HTTP
import Localization
import Store
import Webhooks

enum WebhookPages {
    private static let perPage = 50

    struct Line: Encodable, Sendable {
        let id: ID<Webhook>
        let url: String
        let note: String
        let events: [String]
        let state: String
        let tone: String
        let reason: String?
        /// The first publication whose deliveries it may have missed.
        let missed: Int64?
        let queued: String?
        let last: Instant?
        let outcome: Outcome?
        let backoffUntil: Instant?
        let oldSecretUntil: Instant?
        let author: String
        let isActive: Bool

        init(_ row: WebhookRow) {
            id = row.id
            url = row.url
            note = row.note
            events = row.events.map(\.label)
            state = row.state.label
            tone =
                switch row.state {
                case .active: "ok"
                case .paused: "wait"
                case .disabled: "bad"
                }
            reason = row.reason
            missed = row.missedFrom
            let limit = WebhookStore.countLimit
            queued = row.waiting == 0 ? nil : row.waiting > limit ? tr("more than \(limit)") : String(row.waiting)
            last = row.lastAttemptAt.map { Instant($0) }
            outcome = row.wasDelivered.map { Outcome(isDelivered: $0, status: row.lastStatus, error: row.lastError) }
            backoffUntil = row.backoffUntil.map { Instant($0) }
            oldSecretUntil = row.oldSecretUntil.map { Instant($0) }
            author = row.createdBy
            isActive = row.state == .active
        }
    }

    /// The result of an attempt: a status or an error.
    struct Outcome: Encodable, Sendable {
        let label: String
        let tone: String

        init(isDelivered: Bool, status: Int?, error: String?) {
            label = error ?? status.map { tr("Status \($0)", context: "outcome") } ?? ""
            tone = isDelivered ? "ok" : "bad"
        }
    }

    // MARK: List

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
            lines: try await request.database.webhooks.list().map(Line.init), url: request.form.first("url") ?? "",
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

    struct Delivery: Encodable, Sendable {
        let id: ID<WebhookDelivery>
        let type: String
        let publication: Int64?
        let entry: ID<Entry>?
        let state: String
        let tone: String
        let created: Instant
        let attempts: Int
        /// The time of the next attempt.
        let next: Instant?

        init(_ row: WebhookDeliveryRow) {
            id = row.id
            type = row.type.rawValue
            publication = row.publication
            entry = row.entry
            state = BackgroundTaskState.label(of: row.state.rawValue)
            tone = BackgroundTaskState(result: row.state.rawValue).tone
            created = Instant(row.createdAt)
            attempts = row.attempts
            next = row.state == .waiting && row.attempts > 0 ? Instant(row.nextAt) : nil
        }
    }

    private struct Show: Encodable, Sendable {
        let webhook: Line
        let deliveries: [Delivery]
        let next: String?
        let isFirst: Bool
        let since: String
        let problem: ErrorSummary?
    }

    static func show(_ request: AdminRequest, errors: FieldErrors = FieldErrors()) async throws -> Response {
        let webhook = try await find(request)
        let cursor = request.query.first("cursor")
        let page = try await request.database.webhookDeliveries.page(of: webhook.id, cursor: cursor, limit: perPage)
        let model = Show(
            webhook: Line(webhook), deliveries: page.items.map(Delivery.init),
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
        guard let webhook = try await request.database.webhooks.find(try request.id()) else {
            throw Failure.missing("webhook")
        }
        return webhook
    }
}
