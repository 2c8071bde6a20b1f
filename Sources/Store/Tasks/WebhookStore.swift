// Webhooks: other servers that are notified of publications.
import Domain
import FoundationEssentials
import Postgres

package struct WebhookRow: Sendable, Encodable {
    package let id: ID<Webhook>
    package let url: String
    package let note: String
    package let events: [WebhookEvent]
    package let state: WebhookState
    /// Why it is disabled.
    package let reason: String?
    /// The first publication of which it may not have been notified.
    package let missedFrom: Int64?
    /// Until when deliveries are also signed with the previous secret.
    package let oldSecretUntil: Date?
    package let createdBy: String
    package let createdAt: Date
    package let waiting: Int
    package let lastAttemptAt: Date?
    package let wasDelivered: Bool?
    /// The last attempt failed, and there will be others.
    package let isFailing: Bool
    /// The response status of the last attempt; without one, `lastError` says why.
    package let lastStatus: Int?
    package let lastError: String?
    /// Nothing is sent before this time; nil without a backoff.
    package let backoffUntil: Date?

    init(row: Row) throws {
        id = try row("id")
        url = try row("url")
        note = try row("note")
        events = (try row("events") as [String]).compactMap(WebhookEvent.init)
        state = try row("state")
        reason = try row("reason")
        missedFrom = try row("missed_from")
        oldSecretUntil = try row("old_secret_until")
        createdBy = try row("created_by")
        createdAt = try row("created_at")
        waiting = try row("waiting")
        lastAttemptAt = try row("last_at")
        wasDelivered = try row("delivered")
        isFailing = state == .active && wasDelivered == false
        lastStatus = try row("status")
        lastError = try row("error")
        backoffUntil = try row("backoff_until")
    }
}

/// The URL and the sealed secrets that a delivery needs.
package struct WebhookSealedSecrets: Sendable {
    package let url: String
    package let secret: [UInt8]
    /// The previous secret, while it is still valid.
    package let oldSecret: [UInt8]?
}

package struct WebhookStore: Sendable {
    let connection: StoreConnection

    /// The newest secret of each webhook that has one, at most 1,000.
    package func sealedSecrets() async throws -> [[UInt8]] {
        try await connection.rows("select secret from ops.webhook where length(secret) > 0 limit 1000") {
            try $0.bytes("secret")
        }
    }

    /// Counting waiting deliveries stops here; beyond it the count is "more".
    package static let countLimit = 1000

    private static let lines: SQL = """
        select w.id, w.url, w.note, w.events, w.state, w.reason, w.missed_from, w.created_at, a.name as created_by,
            case when w.old_secret_until > clock_timestamp() then w.old_secret_until end as old_secret_until,
            (select count(*) from (select from ops.outbox_message m
                where m.webhook_id = w.id and m.state = 'waiting' limit \(fixed: countLimit + 1)) m) as waiting,
            t.started_at as last_at, t.delivered, t.status, t.error,
            case when p.not_before > clock_timestamp() then p.not_before end as backoff_until
        from ops.webhook w join ops.actor a on a.id = w.created_by join ops.webhook_backoff p on p.webhook_id = w.id
        left join lateral (
            select * from (
                (select * from ops.webhook_attempt t where t.webhook_id = w.id and t.delivered
                    order by t.started_at desc limit 1)
                union all
                (select * from ops.webhook_attempt t where t.webhook_id = w.id and not t.delivered
                    order by t.started_at desc limit 1)) t
            order by t.started_at desc limit 1) t on true
        """

    package func list() async throws -> [WebhookRow] {
        try await connection.rows("\(Self.lines) order by w.created_at, w.id limit 1000", WebhookRow.init)
    }

    package func find(_ id: ID<Webhook>) async throws -> WebhookRow? {
        try await connection.first("\(Self.lines) where w.id = \(id)", WebhookRow.init)
    }

    package func secrets(of id: ID<Webhook>) async throws -> WebhookSealedSecrets? {
        try await connection.first(
            """
            select url, secret, coalesce(old_secret, '') as old_secret, old_secret_until > clock_timestamp() as is_rotating
            from ops.webhook where id = \(id)
            """
        ) { row in
            WebhookSealedSecrets(
                url: try row("url"), secret: try row.bytes("secret"),
                oldSecret: try row("is_rotating") as Bool? == true ? try row.bytes("old_secret") : nil)
        }
    }

    // MARK: Changes

    package func add(
        id: ID<Webhook>, url: String, note: String, events: [WebhookEvent], secret: [UInt8], by actor: Actor
    ) async throws {
        try await connection.run(
            """
            insert into ops.webhook (id, url, note, events, secret, created_by)
            values (\(id), \(url), \(note), \(events.map(\.rawValue))::text[], \(secret), \(actor.rowID))
            """)
        try await connection.run("insert into ops.webhook_backoff (webhook_id) values (\(id))")
    }

    /// Deletes a webhook and its log; false when it does not exist.
    package func remove(_ id: ID<Webhook>) async throws -> Bool {
        try await connection.run("delete from ops.webhook where id = \(id)") > 0
    }

    /// Pauses an active webhook, keeping its deliveries for later; false when it is not active.
    package func pause(_ id: ID<Webhook>) async throws -> Bool {
        try await connection.run("update ops.webhook set state = 'paused' where id = \(id) and state = 'active'") > 0
    }

    /// Resumes sending immediately and clears the backoff; false when it is already active.
    package func resume(_ id: ID<Webhook>) async throws -> Bool {
        let updated = try await connection.run(
            """
            update ops.webhook set state = 'active', reason = null, active_since = clock_timestamp()
            where id = \(id) and state <> 'active'
            """)
        try await connection.run(
            "update ops.webhook_backoff set failures = 0, not_before = '-infinity' where webhook_id = \(id)")
        try await connection.run("select pg_notify('vitrine_outbox', '')")
        return updated > 0
    }

    /// Disables a webhook with a reason for administrators; false when it was already disabled.
    package func disable(_ id: ID<Webhook>, because reason: String) async throws -> Bool {
        try await connection.run(
            """
            update ops.webhook set state = 'disabled', reason = \(reason),
                missed_from = coalesce(missed_from, (select number + 1 from curation.publication_counter))
            where id = \(id) and state <> 'disabled'
            """) > 0
    }

    /// Signs with a new secret from now on, and for some hours with the previous one as well; false when the webhook
    /// does not exist.
    package func rotate(_ id: ID<Webhook>, to secret: [UInt8], hours: Int) async throws -> Bool {
        try await connection.run(
            """
            update ops.webhook set old_secret = nullif(secret, ''), secret = \(secret),
                old_secret_until = case when secret <> '' then clock_timestamp() + make_interval(hours => \(hours)::integer) end
            where id = \(id)
            """) > 0
    }

    /// Creates deliveries for all publications from `publication` on, including those it was never notified of. Returns
    /// how many.
    package func replay(_ id: ID<Webhook>, from publication: Int64) async throws -> Int {
        try await connection.run(
            "update ops.webhook set missed_from = null where id = \(id) and missed_from >= \(publication)")
        return try await connection.first("select ops.replay_webhook(\(id), \(publication)) as n") { try $0("n") } ?? 0
    }
}
