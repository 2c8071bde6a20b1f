// Messages to webhooks: claimed with SKIP LOCKED and sent outside the transaction, and the log of every attempt.
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

/// One attempt to deliver a message, as it is logged.
package struct WebhookAttempt: Sendable {
    package let startedAt: Date
    package let durationMilliseconds: Int
    package let status: Int?
    /// The beginning of what was answered.
    package let answer: String
    /// Why there was no answer.
    package let error: String?
    package let isDelivered: Bool

    package init(
        startedAt: Date, durationMilliseconds: Int, status: Int?, answer: String, error: String?, isDelivered: Bool
    ) {
        self.startedAt = startedAt
        self.durationMilliseconds = durationMilliseconds
        self.status = status
        self.answer = answer
        self.error = error
        self.isDelivered = isDelivered
    }

    init(row: Row) throws {
        startedAt = try row("started_at")
        durationMilliseconds = try row("duration_ms")
        status = try row("status")
        answer = try row("resubmit")
        error = try row("error")
        isDelivered = try row("delivered")
    }
}

package struct WebhookDeliveryStore: Sendable {
    let connection: StoreConnection

    /// Longer than any attempt takes: a message whose daemon died is sent again after this many seconds.
    private static let leaseSeconds = 60

    private static let columns: SQL = """
        m.id, m.webhook_id, m.type, m.publication, m.entry_id, m.body, m.state, m.attempts, m.next_at, m.created_at,
        m.finished_at
        """

    /// Due messages that a claim looks at: enough to get past those that wait for an earlier one.
    private static let lookedAt = 50

    // MARK: Reads

    /// The log of a webhook, newest first.
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

    /// The newest attempts at a message, newest first.
    package func attempts(at id: ID<WebhookDelivery>, limit: Int = 100) async throws -> [WebhookAttempt] {
        try await connection.rows(
            """
            select started_at, duration_ms, status, answer, error, delivered from ops.webhook_attempt
            where delivery_id = \(id) order by id desc limit \(limit)
            """, WebhookAttempt.init)
    }

    /// Active webhooks with messages that are due, those that have waited longest first.
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

    /// Whether a webhook has failed at everything for so long that it must be disabled.
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

    /// Claims at most `limit` due messages of an active webhook and counts the attempt, in one statement of its own: the
    /// claim is that the next try moves away, so that nobody else sends them meanwhile and a dead daemon keeps none.
    ///
    /// A message that must wait for an earlier one about its entry moves away as well, to when that one is tried again: so
    /// it is not looked at over and over. `isLast` says that nothing was due any more.
    package func claim(
        of webhook: ID<Webhook>, limit: Int
    ) async throws -> (messages: [WebhookDeliveryRow], isLast: Bool) {
        let rows = try await connection.rows(
            """
            with due as materialized (
                select m.id, m.next_at, (
                    select e.next_at from ops.webhook_delivery e
                    where e.webhook_id = m.webhook_id and e.entry_id = m.entry_id and e.publication < m.publication
                        and e.state = 'waiting' order by e.publication limit 1) as held
                from ops.webhook_delivery m
                where m.webhook_id = \(webhook) and m.state = 'waiting' and m.next_at <= clock_timestamp()
                    and exists (select from ops.webhook w join ops.webhook_backoff p on p.webhook_id = w.id
                        where w.id = m.webhook_id and w.state = 'active' and p.not_before <= clock_timestamp())
                order by m.next_at, m.id limit \(Self.lookedAt) for update of m skip locked),
            placed as (
                select id, held, row_number() over (partition by held is null order by next_at, id) as place from due)
            update ops.webhook_delivery m set attempts = m.attempts + (c.held is null)::integer,
                next_at = case when c.held is null then clock_timestamp() + make_interval(secs => \(Self.leaseSeconds)::integer)
                    else greatest(c.held, clock_timestamp() + interval '1 second') end
            from placed c where m.id = c.id and (c.held is not null or c.place <= \(limit)::integer)
            returning \(Self.columns), c.held is null as is_claimed
            """
        ) { (row: try WebhookDeliveryRow(row: $0), isClaimed: try $0("is_claimed") as Bool) }
        return (rows.filter(\.isClaimed).map(\.row), rows.isEmpty)
    }

    /// Logs an attempt and what follows for its message: delivered, sent again after `delay` seconds, or given up.
    package func finish(_ message: ID<WebhookDelivery>, _ attempt: WebhookAttempt, retryAfter delay: Double?)
        async throws
    {
        let state: WebhookDeliveryState = attempt.isDelivered ? .delivered : delay == nil ? .failed : .waiting
        try await connection.run(
            """
            with touched as (
                update ops.webhook_delivery m set
                    state = case when m.state = 'waiting' then \(state) else m.state end,
                    finished_at = case when m.state <> 'waiting' then m.finished_at
                        when \(state) <> 'waiting' then clock_timestamp() end,
                    next_at = clock_timestamp() + make_interval(secs => coalesce(\(delay)::double precision, 0))
                where m.id = \(message) returning m.id, m.webhook_id)
            insert into ops.webhook_attempt
                (delivery_id, webhook_id, started_at, duration_ms, status, answer, error, delivered)
            select id, webhook_id, \(attempt.startedAt), \(attempt.durationMilliseconds), \(attempt.status)::integer,
                \(attempt.answer), \(attempt.error), \(attempt.isDelivered) from touched
            """)
        if state != .waiting { try await release(after: message) }
    }

    /// Lets the next message about the same entry be sent, which waited for this one.
    private func release(after message: ID<WebhookDelivery>) async throws {
        try await connection.run(
            """
            update ops.webhook_delivery n set next_at = clock_timestamp()
            where n.state = 'waiting' and n.attempts = 0 and n.next_at > clock_timestamp() and n.id = (
                select e.id from ops.webhook_delivery m join ops.webhook_delivery e on e.webhook_id = m.webhook_id
                    and e.entry_id = m.entry_id and e.publication > m.publication and e.state = 'waiting'
                where m.id = \(message) order by e.publication limit 1)
            """)
    }

    /// After a delivery a webhook is sent to at full speed; after failures in a row ever slower (one second, three, seven,
    /// at most five minutes), and not before it said that it wants to be.
    package func pace(_ webhook: ID<Webhook>, isDelivered: Bool, holdSeconds: Int?) async throws {
        try await connection.run(
            isDelivered
                ? """
                update ops.webhook_backoff set failures = 0, not_before = '-infinity'
                where webhook_id = \(webhook) and failures > 0
                """
                : """
                update ops.webhook_backoff set failures = least(failures + 1, 16),
                    not_before = greatest(not_before, clock_timestamp() + make_interval(secs =>
                        greatest(least(power(2, least(failures, 16)), 300), \(holdSeconds ?? 0)::integer)))
                where webhook_id = \(webhook)
                """)
    }

    /// Adds a message that stands for nothing, to try a webhook out: its id.
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

    /// Sends a message again, with the id that it had and all its attempts before it: false when there is none.
    package func replay(_ id: ID<WebhookDelivery>, of webhook: ID<Webhook>) async throws -> Bool {
        let touched = try await connection.run(
            """
            update ops.webhook_delivery set state = 'waiting', attempts = 0, next_at = clock_timestamp(), finished_at = null
            where id = \(id) and webhook_id = \(webhook)
            """)
        try await connection.run("select pg_notify('vitrine_webhook', '')")
        return touched > 0
    }

    /// Removes messages that were finished a month ago, with their attempts; so many that it takes no time.
    package func sweep() async throws {
        try await connection.run(
            """
            delete from ops.webhook_delivery where id in (
                select id from ops.webhook_delivery
                where finished_at < now() - interval '30 days' and state <> 'waiting' order by finished_at limit 10000)
            """)
    }
}
