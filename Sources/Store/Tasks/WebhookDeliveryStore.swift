// Webhook deliveries, claimed with SKIP LOCKED and sent outside the transaction, and the log of every attempt.
import Domain
import FoundationEssentials
import Postgres

package struct WebhookDeliveryRow: Sendable {
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
package struct WebhookAttempt: Sendable {
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

    /// Longer than any attempt takes: a delivery whose daemon died is sent again after this many seconds.
    private static let leaseSeconds = 60

    private static let columns: SQL = """
        m.id, m.webhook_id, m.type, m.publication, m.entry_id, m.body, m.state, m.attempts, m.next_at, m.created_at,
        m.finished_at
        """

    /// Due deliveries that one claim scans: enough to get past the ones that wait for an earlier delivery.
    private static let scanLimit = 50

    // MARK: Reads

    /// The deliveries of a webhook, newest first.
    package func page(of webhook: ID<Webhook>, cursor: String?, limit: Int) async throws -> Page<WebhookDeliveryRow> {
        var statement: SQL = "select \(Self.columns) from ops.webhook_delivery m where m.webhook_id = \(webhook)"
        if let cursor { statement += " and m.id < \(try Cursor(parsing: cursor, count: 1).uuid(0))" }
        let rows = try await connection.rows(
            statement + " order by m.id desc limit \(limit + 1)", WebhookDeliveryRow.init)
        return Page(rows: rows, limit: limit) { Cursor([$0.id.description]) }
    }

    package func find(_ id: ID<WebhookDelivery>) async throws -> WebhookDeliveryRow? {
        try await connection.first(
            "select \(Self.columns) from ops.webhook_delivery m where m.id = \(id)", WebhookDeliveryRow.init)
    }

    /// The attempts at a delivery, newest first.
    package func attempts(at id: ID<WebhookDelivery>, limit: Int = 100) async throws -> [WebhookAttempt] {
        try await connection.rows(
            """
            select started_at, duration_ms, status, response, error, delivered from ops.webhook_attempt
            where delivery_id = \(id) order by id desc limit \(limit)
            """, WebhookAttempt.init)
    }

    /// Active webhooks with due deliveries, longest waiting first.
    package func due() async throws -> [ID<Webhook>] {
        try await connection.rows(
            """
            select w.id from ops.webhook w join ops.webhook_backoff p on p.webhook_id = w.id
            cross join lateral (
                select m.next_at from ops.webhook_delivery m
                where m.webhook_id = w.id and m.state = 'waiting' and m.next_at <= clock_timestamp()
                order by m.next_at, m.id limit 1) m
            where w.state = 'active' and p.not_before <= clock_timestamp() order by m.next_at, w.id
            """
        ) { try $0("id") }
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

    /// Claims at most `limit` due deliveries of an active webhook and counts the attempt, in one statement of its own.
    /// The claim postpones the next attempt, so that no other daemon sends them and a dead daemon does not keep them.
    ///
    /// A delivery that must wait for an earlier one about the same entry is postponed until that one's next attempt, so
    /// that it is not scanned over and over. `isLast` means that nothing else was due.
    package func claim(
        of webhook: ID<Webhook>, limit: Int
    ) async throws -> (deliveries: [WebhookDeliveryRow], isLast: Bool) {
        let rows = try await connection.rows(
            """
            with due as materialized (
                select m.id, m.next_at, (
                    select e.next_at from ops.webhook_delivery e
                    where e.webhook_id = m.webhook_id and e.entry_id = m.entry_id and e.publication < m.publication
                        and e.state = 'waiting' order by e.publication limit 1) as blocked_until
                from ops.webhook_delivery m
                where m.webhook_id = \(webhook) and m.state = 'waiting' and m.next_at <= clock_timestamp()
                    and exists (select from ops.webhook w join ops.webhook_backoff p on p.webhook_id = w.id
                        where w.id = m.webhook_id and w.state = 'active' and p.not_before <= clock_timestamp())
                order by m.next_at, m.id limit \(Self.scanLimit) for update of m skip locked),
            ranked as (
                select id, blocked_until, row_number() over (partition by blocked_until is null order by next_at, id) as rank from due)
            update ops.webhook_delivery m set attempts = m.attempts + (c.blocked_until is null)::integer,
                next_at = case when c.blocked_until is null then clock_timestamp() + make_interval(secs => \(Self.leaseSeconds)::integer)
                    else greatest(c.blocked_until, clock_timestamp() + interval '1 second') end
            from ranked c where m.id = c.id and (c.blocked_until is not null or c.rank <= \(limit)::integer)
            returning \(Self.columns), c.blocked_until is null as is_claimed
            """
        ) { (row: try WebhookDeliveryRow(row: $0), isClaimed: try $0("is_claimed") as Bool) }
        return (rows.filter(\.isClaimed).map(\.row), rows.isEmpty)
    }

    /// Logs an attempt and updates its delivery: delivered, due again after `delay` seconds, or failed.
    package func finish(_ delivery: ID<WebhookDelivery>, _ attempt: WebhookAttempt, retryAfter delay: Double?)
        async throws
    {
        let state: WebhookDeliveryState = attempt.isDelivered ? .delivered : delay == nil ? .failed : .waiting
        try await connection.run(
            """
            with updated as (
                update ops.webhook_delivery m set
                    state = case when m.state = 'waiting' then \(state) else m.state end,
                    finished_at = case when m.state <> 'waiting' then m.finished_at
                        when \(state) <> 'waiting' then clock_timestamp() end,
                    next_at = clock_timestamp() + make_interval(secs => coalesce(\(delay)::double precision, 0))
                where m.id = \(delivery) returning m.id, m.webhook_id)
            insert into ops.webhook_attempt
                (delivery_id, webhook_id, started_at, duration_ms, status, response, error, delivered)
            select id, webhook_id, \(attempt.startedAt), \(attempt.durationMilliseconds), \(attempt.status)::integer,
                \(attempt.response), \(attempt.error), \(attempt.isDelivered) from updated
            """)
        if state != .waiting { try await release(after: delivery) }
    }

    /// Makes the next delivery about the same entry due, which waited for this one.
    private func release(after delivery: ID<WebhookDelivery>) async throws {
        try await connection.run(
            """
            update ops.webhook_delivery n set next_at = clock_timestamp()
            where n.state = 'waiting' and n.attempts = 0 and n.next_at > clock_timestamp() and n.id = (
                select e.id from ops.webhook_delivery m join ops.webhook_delivery e on e.webhook_id = m.webhook_id
                    and e.entry_id = m.entry_id and e.publication > m.publication and e.state = 'waiting'
                where m.id = \(delivery) order by e.publication limit 1)
            """)
    }

    /// After a success the webhook is sent to at full speed; after consecutive failures with growing pauses (one
    /// second, three, seven, at most five minutes), and no earlier than it requested.
    package func backOff(_ webhook: ID<Webhook>, isDelivered: Bool, pauseSeconds: Int?) async throws {
        try await connection.run(
            isDelivered
                ? """
                update ops.webhook_backoff set failures = 0, not_before = '-infinity'
                where webhook_id = \(webhook) and failures > 0
                """
                : """
                update ops.webhook_backoff set failures = least(failures + 1, 16),
                    not_before = greatest(not_before, clock_timestamp() + make_interval(secs =>
                        greatest(least(power(2, least(failures, 16)), 300), \(pauseSeconds ?? 0)::integer)))
                where webhook_id = \(webhook)
                """)
    }

    /// Adds a test delivery to a webhook and returns its id.
    package func addTest(to webhook: ID<Webhook>) async throws -> ID<WebhookDelivery>? {
        let id = try await connection.first(
            """
            insert into ops.webhook_delivery (webhook_id, type, body)
            select w.id, 'webhook.test', row_to_json(m)::text
            from (select 'webhook.test' as type, ops.webhook_time(clock_timestamp()) as timestamp,
                (select data from (select \(webhook)::uuid as webhook) data) as data) m, ops.webhook w
            where w.id = \(webhook) returning id
            """
        ) { try $0("id") as ID<WebhookDelivery> }
        try await connection.run("select pg_notify('vitrine_webhook', '')")
        return id
    }

    /// Sends a delivery again with the same id, keeping the log of its attempts; false when it does not exist.
    package func replay(_ id: ID<WebhookDelivery>, of webhook: ID<Webhook>) async throws -> Bool {
        let updated = try await connection.run(
            """
            update ops.webhook_delivery set state = 'waiting', attempts = 0, next_at = clock_timestamp(), finished_at = null
            where id = \(id) and webhook_id = \(webhook)
            """)
        try await connection.run("select pg_notify('vitrine_webhook', '')")
        return updated > 0
    }

    /// Deletes deliveries finished a month ago with their attempts, in batches that stay fast.
    package func sweep() async throws {
        try await connection.run(
            """
            delete from ops.webhook_delivery where id in (
                select id from ops.webhook_delivery
                where finished_at < now() - interval '30 days' and state <> 'waiting' order by finished_at limit 10000)
            """)
    }
}
