// All background tasks: tasks, mails, webhook deliveries and outcomes, as one list.
import Domain
import FoundationEssentials
import Postgres

package struct BackgroundTaskRow: Sendable, Encodable {
    package let kind: BackgroundTaskKind
    package let id: UUID
    /// The kind of a task, the text of a mail, the event of a delivery, the verdict, or the outcome of a report case.
    package let name: String
    /// The subject of a mail, the URL of a webhook, or the title of a submission or of a reported entry.
    package let subject: String?
    package let recipient: String?
    package let webhook: ID<Webhook>?
    package let submission: ID<Submission>?
    /// The state in the words of its kind, such as "delivered".
    package let result: String
    package let attempts: Int
    /// Nil for outcomes, which wait for their undo window.
    package let nextAt: Date?
    package let createdAt: Date
    package let finishedAt: Date?
    package let lastError: String?

    package var state: BackgroundTaskState { BackgroundTaskState(result: result) }

    init(row: Row) throws {
        kind = try row("kind")
        id = try row("id")
        name = try row("name")
        subject = try row("subject")
        recipient = try row("recipient")
        webhook = try row("webhook_id")
        submission = try row("submission_id")
        result = try row("result")
        attempts = try row("attempts")
        nextAt = try row("next_at")
        createdAt = try row("created_at")
        finishedAt = try row("finished_at")
        lastError = try row("last_error")
    }
}

/// How many background tasks of a kind are waiting and have failed.
package struct BackgroundTaskCount: Sendable, Encodable {
    package let kind: BackgroundTaskKind
    package let waiting: Int
    package let failed: Int
    /// Seconds since the oldest waiting one was created.
    package let oldestSeconds: Double?
}

package struct BackgroundTaskStore: Sendable {
    let connection: StoreConnection

    /// What a list without a state has.
    package enum Scope: Sendable {
        case all
        /// Done tasks are many, so only their state lists them.
        case withoutDone
        /// Nor what an action canceled or superseded.
        case current
    }

    /// Newest first: of one kind or all, in one state or in those of the scope.
    package func page(
        kind: BackgroundTaskKind?, state: BackgroundTaskState?, scope: Scope = .withoutDone, cursor: String? = nil,
        limit: Int
    ) async throws -> Page<BackgroundTaskRow> {
        var condition: SQL = "true"
        if let kind { condition += " and " + Self.condition(kind) }
        condition += " and " + (state.map(Self.condition) ?? Self.condition(scope))
        if let cursor { condition += " and id < \(try Cursor(parsing: cursor, count: 1).uuid(0))" }
        let rows = try await rows(condition, limit: limit + 1)
        return Page(rows: rows, limit: limit) { Cursor([ID<BackgroundTaskRow>($0.id).description]) }
    }

    package func find(_ id: UUID) async throws -> BackgroundTaskRow? {
        try await rows("id = \(id)", limit: 1).first
    }

    /// The newest mails to an account.
    package func mails(to account: ID<Account>, limit: Int = 20) async throws -> [BackgroundTaskRow] {
        try await rows("account_id = \(account)", limit: limit)
    }

    private func rows(_ condition: SQL, limit: Int) async throws -> [BackgroundTaskRow] {
        try await connection.rows(
            """
            select t.kind, t.id, coalesce(t.name, d.verdict, c.outcome, '') as name,
                coalesce(t.subject, w.url, s.title, v.content ->> 'title') as subject,
                t.recipient, t.webhook_id, d.submission_id, t.result, t.attempts, t.next_at, t.created_at,
                t.finished_at, t.last_error
            from (select * from ops.background_task where \(condition) order by id desc limit \(limit)) t
            left join ops.webhook w on w.id = t.webhook_id
            left join curation.decision d on t.kind = 'outcome' and d.id = t.id
            left join curation.submission s on s.id = d.submission_id
            left join curation.report r on t.kind = 'outcome' and r.id = t.id
            left join curation.report_case c on c.id = r.case_id left join curation.revision v on v.id = c.revision_id
            order by t.id desc
            """, BackgroundTaskRow.init)
    }

    /// Literals, so that PostgreSQL leaves out the other tables and uses partial indexes.
    private static func condition(_ kind: BackgroundTaskKind) -> SQL {
        switch kind {
        case .task: "kind = 'task'"
        case .mail: "kind = 'mail' and webhook_id is null"
        case .webhookDelivery: "kind = 'webhook_delivery' and webhook_id is not null"
        case .outcome: "kind = 'outcome'"
        }
    }

    private static func condition(_ scope: Scope) -> SQL {
        switch scope {
        case .all: "true"
        case .withoutDone: "(kind <> 'task' or result <> 'done')"
        case .current: "(kind <> 'task' or result <> 'done') and result not in ('canceled', 'superseded')"
        }
    }

    private static func condition(_ state: BackgroundTaskState) -> SQL {
        switch state {
        case .waiting: "result = 'waiting'"
        case .failed: "result = 'failed'"
        case .canceled: "result in ('canceled', 'superseded')"
        case .done: "result not in ('waiting', 'failed', 'canceled', 'superseded')"
        }
    }

    /// One row for each kind.
    package func counts() async throws -> [BackgroundTaskCount] {
        try await connection.rows(
            """
            select k.kind, coalesce(w.n, 0) as waiting, coalesce(f.n, 0) as failed,
                extract(epoch from clock_timestamp() - w.oldest)::float8 as oldest
            from unnest(\(BackgroundTaskKind.allCases.map(\.rawValue))::text[]) with ordinality k (kind, number)
            left join (select kind, count(*) as n, min(created_at) as oldest
                from ops.background_task where result = 'waiting' group by kind) w on w.kind = k.kind
            left join (select kind, count(*) as n
                from ops.background_task where result = 'failed' group by kind) f on f.kind = k.kind
            order by k.number
            """
        ) {
            BackgroundTaskCount(
                kind: try $0("kind"), waiting: try $0("waiting"), failed: try $0("failed"),
                oldestSeconds: try $0("oldest"))
        }
    }

    /// Lets one that has failed, or all of a kind, be tried again under the same id; returns how many. Outcomes don't fail.
    package func retry(_ kind: BackgroundTaskKind, only id: UUID? = nil) async throws -> Int {
        let table: SQL = kind == .task ? "ops.task" : "ops.outbox_message"
        let condition: SQL
        switch kind {
        case .task: condition = "true"
        case .mail: condition = "webhook_id is null"
        case .webhookDelivery: condition = "webhook_id is not null"
        case .outcome: return 0
        }
        let count = try await connection.run(
            """
            update \(table) set state = 'waiting', attempts = 0, next_at = clock_timestamp(), finished_at = null
            where state = 'failed' and \(condition) and (\(id)::uuid is null or id = \(id)::uuid)
            """)
        try await connection.run(
            "select pg_notify(\(kind == .task ? "vitrine_schedule" : "vitrine_outbox"), '')")
        return count
    }
}
