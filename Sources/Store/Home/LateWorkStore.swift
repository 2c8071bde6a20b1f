// Work that should have been done by now: no daemon runs, or it can't carry it out.
import Domain
import FoundationEssentials
import Postgres

package struct LateRelease: Sendable {
    package let number: Int64
    package let title: String
    package let dueAt: Date
    /// Why it could not be published; nil while it is scheduled.
    package let failure: String?
}

package struct LateWorkStore: Sendable {
    /// Daemons begin what is due within seconds; this leaves them time under load.
    private static let grace: SQL = "interval '10 minutes'"

    let connection: StoreConnection

    /// Scheduled releases whose time passed a minute ago (>=), and failed ones, at most 10; the earliest first.
    package func releases() async throws -> [LateRelease] {
        try await connection.rows(
            """
            select r.number, r.title, coalesce(r.due_at, r.finished_at) as due_at, r.failure from curation.release r
            where r.state = 'failed'
                or r.state = 'scheduled' and r.due_at <= clock_timestamp() - interval '1 minute'
            order by 3, r.number limit 10
            """
        ) {
            LateRelease(
                number: try $0("number"), title: try $0("title"), dueAt: try $0("due_at"), failure: try $0("failure"))
        }
    }

    /// How many waiting background tasks of each kind were due ten minutes ago (>=). Deliveries to webhooks that are paused,
    /// disabled or in their backoff are not due. `undoMinutes`: what outcomes wait for.
    package func counts(undoMinutes: Int) async throws -> [BackgroundTaskKind: Int] {
        let rows = try await connection.rows(
            """
            select
                (select count(*) from ops.task t
                    where t.state = 'waiting' and t.next_at <= clock_timestamp() - \(Self.grace)) as task,
                (select count(*) from ops.outbox_message m where m.webhook_id is null and m.state = 'waiting'
                    and m.next_at <= clock_timestamp() - \(Self.grace)) as mail,
                (select count(*) from ops.outbox_message m join ops.webhook w on w.id = m.webhook_id
                    join ops.webhook_backoff b on b.webhook_id = w.id
                    where m.state = 'waiting' and w.state = 'active'
                    and greatest(m.next_at, b.not_before) <= clock_timestamp() - \(Self.grace)) as webhook_delivery,
                (select count(*) from ops.outcome o where o.state = 'waiting'
                    and o.decided_at <= clock_timestamp() - \(Self.grace) - make_interval(mins => \(undoMinutes)::integer))
                    as outcome
            """
        ) { row in
            try BackgroundTaskKind.allCases.map { ($0, try row($0.rawValue) as Int) }
        }
        return Dictionary(uniqueKeysWithValues: rows.flatMap { $0 })
    }
}
