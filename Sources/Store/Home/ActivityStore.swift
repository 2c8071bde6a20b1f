// What people did last, and what the schedule published, with the titles of what it was done to.
import Domain
import FoundationEssentials
import Postgres

package struct ActivityRow: Sendable {
    /// Of the audit event.
    package let id: Int64
    package let happenedAt: Date
    package let actorID: UUID
    package let actor: String
    package let action: String
    package let objectType: String
    package let objectID: String?
    /// Of the object, or of the entry that reports are about; nil for what has none, and for what is gone.
    package let title: String?
    /// Of the entry.
    package let kind: ContentType.Kind?
    package let detail: JSONValue

    init(row: Row) throws {
        id = try row("id")
        happenedAt = try row("happened_at")
        actorID = try row("actor_id")
        actor = try row("actor")
        action = try row("action")
        objectType = try row("object_type")
        objectID = try row("object_id")
        title = try row("title")
        kind = (try row("kind") as String?).map { ContentType.Kind(rawValue: $0) }
        detail = try row("detail")
    }
}

package struct ActivityStore: Sendable {
    let connection: StoreConnection

    /// Events of people that are looked at; older ones are in the audit trail.
    private static let window = 400
    /// The newest releases of which the schedule may have published some.
    private static let releases = 50

    /// The newest events with these actions, newest first, among the last 400 of people and the releases that the schedule
    /// published. Of a restricted account only those on submissions, entries and releases in its scope, and on reports of
    /// these entries.
    package func newest(_ actions: [String], limit: Int) async throws -> [ActivityRow] {
        try await rows(
            of: """
                with recent as materialized (
                    (select e.* from ops.audit_event e where e.actor_role is not null order by e.id desc
                    limit \(fixed: Self.window))
                    union all
                    select e.* from (
                        select r.number from curation.release r where r.state = 'published' and r.due_at is not null
                        order by r.number desc limit \(fixed: Self.releases)) r
                    join ops.audit_event e on e.object_type = 'release' and e.object_id = r.number::text
                        and e.action = 'release.publish' and e.actor_id = \(SystemActor.schedule))
                select * from recent where action = any(\(actions)::text[])
                """, limit: limit)
    }

    /// The events with these IDs, newest first.
    package func events(_ ids: [Int64]) async throws -> [ActivityRow] {
        if ids.isEmpty { return [] }
        return try await rows(
            of: "select e.* from ops.audit_event e where e.id = any(\(ids)::bigint[])", limit: ids.count)
    }

    /// `events` selects rows of `ops.audit_event`.
    private func rows(of events: SQL, limit: Int) async throws -> [ActivityRow] {
        let scope = AccessScope.current
        let visible: SQL =
            scope.isAll
            ? "true"
            : """
            (s.id is not null and \(scope.submission("s")) or y.id is not null and \(scope.entry("y"))
                or r.id is not null and \(scope.release("r")))
            """
        return try await connection.rows(
            """
            with chosen as materialized (
                select e.*, case when e.object_id ~ '\(raw: Self.uuid)' then e.object_id::uuid end as uuid,
                    case when e.object_id ~ '^[0-9]{1,18}$' then e.object_id::bigint end as number
                from (\(events)) e)
            select c.id, c.happened_at, c.actor_id, a.name as actor, c.action, c.object_type, c.object_id, c.detail,
                case when c.object_type = 'entry' then y.kind end as kind,
                coalesce(s.title, r.title, b.name, n.name, l.label, m.name, p.title, w.url, (
                    select v.content ->> 'title' from curation.revision v
                    where v.entry_id = y.id order by v.number desc limit 1)) as title
            from chosen c join ops.actor a on a.id = c.actor_id
            left join curation.submission s on c.object_type = 'submission' and s.id = c.uuid
            left join curation.report_case t on c.object_type = 'report_case' and t.id = c.uuid
            left join curation.entry y on y.id = case when c.object_type = 'entry' then c.uuid else t.entry_id end
            left join curation.contributor b on c.object_type = 'contributor' and b.id = c.uuid
            left join curation.release r on c.object_type = 'release' and r.number = c.number
            left join ops.actor n on c.object_type in ('account', 'client') and n.id = c.uuid
            left join ops.role l on c.object_type = 'role' and l.name = c.object_id
            left join ops.media m on c.object_type = 'media' and m.id = c.uuid
            left join curation.preview p on c.object_type = 'preview' and p.id = c.uuid
            left join ops.webhook w on c.object_type = 'webhook' and w.id = c.uuid
            where \(visible) order by c.id desc limit \(limit)
            """, ActivityRow.init)
    }

    private static let uuid = "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"
}
