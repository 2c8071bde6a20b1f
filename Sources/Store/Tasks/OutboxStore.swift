// The outbox: mails and webhook deliveries, claimed with SKIP LOCKED and sent outside of a transaction.
import Domain
import FoundationEssentials
import Postgres

/// The messages that are sent in turn: all mails, or the deliveries of one webhook.
package enum OutboxQueue: Hashable, Sendable {
    case mail
    case webhook(ID<Webhook>)

    package var kind: BackgroundTaskKind { self == .mail ? .mail : .webhookDelivery }

    /// Longer than any attempt takes: a message whose daemon died is sent again after this many seconds.
    fileprivate var leaseSeconds: Int { self == .mail ? 120 : 60 }

    /// Its messages `m`, while it may be sent to.
    fileprivate var condition: SQL {
        switch self {
        case .mail: "m.webhook_id is null"
        case .webhook(let id):
            """
            m.webhook_id = \(id) and exists (select from ops.webhook w join ops.webhook_backoff p on p.webhook_id = w.id
                where w.id = m.webhook_id and w.state = 'active' and p.not_before <= clock_timestamp())
            """
        }
    }
}

/// A claimed message.
package struct OutboxMessage: Sendable {
    package let id: ID<OutboxMessage>
    package let queue: OutboxQueue
    /// Including the one that it is claimed for.
    package let attempts: Int
}

/// What became of an attempt to send a message.
package struct SendAttempt: Sendable {
    package enum Result: Sendable {
        case sent
        /// It must not be sent anymore.
        case canceled
        /// It can't be sent, and why.
        case refused(String)
        /// It may be sent later; why not now.
        case later(String)
    }

    package let result: Result
    /// Seconds that the receiver asks to wait.
    package let pauseSeconds: Int
    /// What a webhook responded, for the log of its attempts.
    package let response: WebhookAttempt?

    package init(_ result: Result, pauseSeconds: Int = 0, response: WebhookAttempt? = nil) {
        self.result = result
        self.pauseSeconds = pauseSeconds
        self.response = response
    }

    /// The state of the message, and why it wasn't sent.
    fileprivate func state(isRetried: Bool, in queue: OutboxQueue) -> (String, error: String?) {
        switch result {
        case .sent: (queue == .mail ? MailState.sent.rawValue : WebhookDeliveryState.delivered.rawValue, nil)
        case .canceled: (MailState.canceled.rawValue, nil)
        case .refused(let reason): (MailState.failed.rawValue, reason)
        case .later(let reason): (isRetried ? MailState.waiting.rawValue : MailState.failed.rawValue, reason)
        }
    }
}

package struct OutboxStore: Sendable {
    let connection: StoreConnection

    /// Due deliveries that one claim scans: enough to get past the ones that wait for an earlier delivery.
    private static let scanLimit = 50

    /// The queues with due messages: mails, then active webhooks, longest waiting first.
    package func due() async throws -> [OutboxQueue] {
        try await connection.rows(
            """
            select null::uuid as webhook_id where exists (
                select from ops.outbox_message m
                where m.webhook_id is null and m.state = 'waiting' and m.next_at <= clock_timestamp())
            union all
            (select w.id from ops.webhook w join ops.webhook_backoff p on p.webhook_id = w.id
            cross join lateral (
                select m.next_at from ops.outbox_message m
                where m.webhook_id = w.id and m.state = 'waiting' and m.next_at <= clock_timestamp()
                order by m.next_at, m.id limit 1) m
            where w.state = 'active' and p.not_before <= clock_timestamp() order by m.next_at, w.id)
            """
        ) { row in
            let webhook: ID<Webhook>? = try row("webhook_id")
            return webhook.map { .webhook($0) } ?? .mail
        }
    }

    /// Claims at most `limit` due messages of a queue and counts the attempt, in one statement of its own. The claim
    /// postpones the next attempt, so that no other daemon sends them and a dead daemon does not keep them.
    ///
    /// A delivery that must wait for an earlier one about the same entry is postponed until that one's next attempt, so
    /// that it is not scanned over and over. `isLast` means that nothing else was due.
    package func claim(_ queue: OutboxQueue, limit: Int) async throws -> (messages: [OutboxMessage], isLast: Bool) {
        let rows = try await connection.rows(
            """
            with due as materialized (
                select m.id, m.next_at, (
                    select e.next_at from ops.outbox_message e
                    where e.webhook_id = m.webhook_id and e.entry_id = m.entry_id and e.publication < m.publication
                        and e.state = 'waiting' order by e.publication limit 1) as blocked_until
                from ops.outbox_message m
                where \(queue.condition) and m.state = 'waiting' and m.next_at <= clock_timestamp()
                order by m.next_at, m.id limit \(queue == .mail ? limit : Self.scanLimit) for update of m skip locked),
            ranked as (
                select id, blocked_until, row_number() over (partition by blocked_until is null order by next_at, id) as rank from due)
            update ops.outbox_message m set attempts = m.attempts + (c.blocked_until is null)::integer,
                next_at = case when c.blocked_until is null
                    then clock_timestamp() + make_interval(secs => \(queue.leaseSeconds)::integer)
                    else greatest(c.blocked_until, clock_timestamp() + interval '1 second') end
            from ranked c where m.id = c.id and (c.blocked_until is not null or c.rank <= \(limit)::integer)
            returning m.id, m.attempts, c.blocked_until is null as is_claimed
            """
        ) { row in
            let message = OutboxMessage(id: try row("id"), queue: queue, attempts: try row("attempts"))
            return (message, try row("is_claimed") as Bool)
        }
        return (rows.filter(\.1).map(\.0), rows.isEmpty)
    }

    /// Ends an attempt: the message is sent, has failed, or is due again after `delay` seconds. One that was finished or
    /// deleted meanwhile stays so.
    package func finish(_ message: OutboxMessage, _ attempt: SendAttempt, retryAfter delay: Double?) async throws {
        let (state, error) = attempt.state(isRetried: delay != nil, in: message.queue)
        try await connection.run(
            """
            update ops.outbox_message set state = \(state), last_error = left(\(error), 500),
                finished_at = case when \(state) <> 'waiting' then clock_timestamp() end,
                next_at = clock_timestamp() + make_interval(secs => coalesce(\(delay)::double precision, 0))
            where id = \(message.id) and state = 'waiting'
            """)
        guard case .webhook(let webhook) = message.queue, let response = attempt.response else { return }
        try await log(response, at: message)
        try await backOff(webhook, isDelivered: response.isDelivered, pauseSeconds: attempt.pauseSeconds)
        if state != WebhookDeliveryState.waiting.rawValue { try await release(after: message) }
    }

    private func log(_ attempt: WebhookAttempt, at message: OutboxMessage) async throws {
        try await connection.run(
            """
            insert into ops.webhook_attempt
                (delivery_id, webhook_id, started_at, duration_ms, status, response, error, delivered)
            select id, webhook_id, \(attempt.startedAt), \(attempt.durationMilliseconds), \(attempt.status)::integer,
                \(attempt.response), \(attempt.error), \(attempt.isDelivered)
            from ops.outbox_message where id = \(message.id)
            """)
    }

    /// Makes the next delivery about the same entry due, which waited for this one.
    private func release(after delivery: OutboxMessage) async throws {
        try await connection.run(
            """
            update ops.outbox_message n set next_at = clock_timestamp()
            where n.state = 'waiting' and n.attempts = 0 and n.next_at > clock_timestamp() and n.id = (
                select e.id from ops.outbox_message m join ops.outbox_message e on e.webhook_id = m.webhook_id
                    and e.entry_id = m.entry_id and e.publication > m.publication and e.state = 'waiting'
                where m.id = \(delivery.id) order by e.publication limit 1)
            """)
    }

    /// After a success the webhook is sent to at full speed; after consecutive failures with growing pauses (one
    /// second, three, seven, at most five minutes), and no earlier than it requested.
    private func backOff(_ webhook: ID<Webhook>, isDelivered: Bool, pauseSeconds: Int) async throws {
        try await connection.run(
            isDelivered
                ? """
                update ops.webhook_backoff set failures = 0, not_before = '-infinity'
                where webhook_id = \(webhook) and failures > 0
                """
                : """
                update ops.webhook_backoff set failures = least(failures + 1, 16),
                    not_before = greatest(not_before, clock_timestamp() + make_interval(secs =>
                        greatest(least(power(2, least(failures, 16)), 300), \(pauseSeconds)::integer)))
                where webhook_id = \(webhook)
                """)
    }

    /// Deletes deliveries finished a month ago with their attempts, and mails after 90 days, in batches that stay fast.
    package func sweep() async throws {
        try await connection.run(
            """
            delete from ops.outbox_message where id in (
                select id from ops.outbox_message
                where finished_at < now() - interval '30 days' and state <> 'waiting'
                    and (webhook_id is not null or finished_at < now() - interval '90 days')
                order by finished_at limit 10000)
            """)
    }
}
