// Webhook deliveries in the outbox, and the log of every attempt.
import Domain
import FoundationEssentials
import Postgres

package struct WebhookDeliveryRow: Sendable, Encodable {
    package let id: ID<WebhookDelivery>
    package let webhook: ID<Webhook>
    package let type: WebhookEvent
    package let publication: Int64?
    package let entry: ID<Entry>?
    package let body: String
    package let state: WebhookDeliveryState
    package let attempts: Int
    package let nextAt: Date
    package let createdAt: Date
    package let finishedAt: Date?

    init(row: Row) throws {
        id = try row("id")
        webhook = try row("webhook_id")
        type = try row("type")
        publication = try row("publication")
        entry = try row("entry_id")
        body = try row("body")
        state = try row("state")
        attempts = try row("attempts")
        nextAt = try row("next_at")
        createdAt = try row("created_at")
        finishedAt = try row("finished_at")
    }
}

/// One attempt at a delivery, as logged.
package struct WebhookAttempt: Sendable, Encodable {
    package let startedAt: Date
    package let durationMilliseconds: Int
    package let status: Int?
    /// The beginning of the response body.
    package let response: String
    /// Why there was no response.
    package let error: String?
    package let isDelivered: Bool

    package init(
        startedAt: Date, durationMilliseconds: Int, status: Int?, response: String, error: String?, isDelivered: Bool
    ) {
        self.startedAt = startedAt
        self.durationMilliseconds = durationMilliseconds
        self.status = status
        self.response = response
        self.error = error
        self.isDelivered = isDelivered
    }

    init(row: Row) throws {
        startedAt = try row("started_at")
        durationMilliseconds = try row("duration_ms")
        status = try row("status")
        response = try row("response")
        error = try row("error")
        isDelivered = try row("delivered")
    }
}

package struct WebhookDeliveryStore: Sendable {
    let connection: StoreConnection

    private static let columns: SQL = """
        m.id, m.webhook_id, m.type, m.publication, m.entry_id, m.body, m.state, m.attempts, m.next_at, m.created_at,
        m.finished_at
        """

    // MARK: Reads

    /// The deliveries of a webhook, newest first.
    package func page(of webhook: ID<Webhook>, cursor: String?, limit: Int) async throws -> Page<WebhookDeliveryRow> {
        var statement: SQL = "select \(Self.columns) from ops.outbox_message m where m.webhook_id = \(webhook)"
        if let cursor { statement += " and m.id < \(try Cursor(parsing: cursor, count: 1).uuid(0))" }
        let rows = try await connection.rows(
            statement + " order by m.id desc limit \(limit + 1)", WebhookDeliveryRow.init)
        return Page(rows: rows, limit: limit) { Cursor([$0.id.description]) }
    }

    package func find(_ id: ID<WebhookDelivery>) async throws -> WebhookDeliveryRow? {
        try await connection.first(
            "select \(Self.columns) from ops.outbox_message m where m.id = \(id) and m.webhook_id is not null",
            WebhookDeliveryRow.init)
    }

    /// The attempts at a delivery, newest first.
    package func attempts(at id: ID<WebhookDelivery>, limit: Int = 100) async throws -> [WebhookAttempt] {
        try await connection.rows(
            """
            select started_at, duration_ms, status, response, error, delivered from ops.webhook_attempt
            where delivery_id = \(id) order by id desc limit \(limit)
            """, WebhookAttempt.init)
    }

    /// Whether every attempt has failed for so many days that the webhook must be disabled.
    package func hasFailed(_ webhook: ID<Webhook>, forDays days: Int) async throws -> Bool {
        try await connection.first(
            """
            select exists (
                select from ops.webhook_attempt t where t.webhook_id = w.id and not t.delivered
                    and t.started_at <= clock_timestamp() - make_interval(days => \(days)::integer)
                    and t.started_at >= greatest(w.active_since, (
                        select max(o.started_at) from ops.webhook_attempt o where o.webhook_id = w.id and o.delivered))
                ) as has_failed
            from ops.webhook w where w.id = \(webhook)
            """
        ) { try $0("has_failed") } ?? false
    }

    // MARK: Changes

    /// Adds a test delivery to a webhook and returns its id.
    package func addTest(to webhook: ID<Webhook>) async throws -> ID<WebhookDelivery>? {
        try await connection.first(
            """
            insert into ops.outbox_message (webhook_id, type, body)
            select w.id, 'webhook.test', row_to_json(m)::text
            from (select 'webhook.test' as type, ops.webhook_time(clock_timestamp()) as timestamp,
                (select data from (select \(webhook)::uuid as webhook) data) as data) m, ops.webhook w
            where w.id = \(webhook) returning id
            """
        ) { try $0("id") }
    }

    /// Sends a delivery again with the same id, keeping the log of its attempts; false when it does not exist.
    package func replay(_ id: ID<WebhookDelivery>, of webhook: ID<Webhook>) async throws -> Bool {
        let updated = try await connection.run(
            """
            update ops.outbox_message set state = 'waiting', attempts = 0, next_at = clock_timestamp(), finished_at = null
            where id = \(id) and webhook_id = \(webhook)
            """)
        try await connection.run("select pg_notify('vitrine_outbox', '')")
        return updated > 0
    }
}
