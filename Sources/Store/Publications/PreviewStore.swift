// Preview links: who created them, when they expire, their snapshots and their approvals.
import Domain
import FoundationEssentials
import Postgres

package struct PreviewRow: Sendable {
    package let id: ID<Preview>
    package let title: String
    package let instant: Date
    /// As entered, in its zone.
    package let localTime: String
    package let zone: String
    package let isFuture: Bool
    package let createdBy: String
    package let createdAt: Date
    package let expiresAt: Date
    package let isInactive: Bool
    package let isRevoked: Bool
    package let approvals: Int

    init(row: Row) throws {
        id = try row("id")
        title = try row("title")
        instant = try row("instant")
        localTime = try row("local_time")
        zone = try row("zone")
        isFuture = try row("is_future")
        createdBy = try row("created_by")
        createdAt = try row("created_at")
        expiresAt = try row("expires_at")
        isInactive = try row("is_over")
        isRevoked = try row("is_revoked")
        approvals = try row("approvals")
    }
}

package struct PreviewApproval: Sendable {
    package let preview: ID<Preview>
    package let name: String
    package let note: String
    package let approvedAt: Date
    /// The preview has been refreshed since this approval, so its snapshot may differ from the approved one.
    package let isStale: Bool

    init(row: Row) throws {
        preview = try row("preview_id")
        name = try row("name")
        note = try row("note")
        approvedAt = try row("approved_at")
        isStale = try row("is_stale")
    }
}

package struct PreviewStore: Sendable {
    let connection: StoreConnection

    private static let lines: SQL = """
        select p.id, p.title, p.instant, to_char(p.local_time, 'YYYY-MM-DD HH24:MI') as local_time, p.zone,
            p.instant > clock_timestamp() as is_future, a.name as created_by, p.created_at, p.expires_at,
            p.revoked_at is not null or p.expires_at <= clock_timestamp() as is_over, p.revoked_at is not null as is_revoked,
            (select count(*) from curation.preview_approval v where v.preview_id = p.id) as approvals
        from curation.preview p join ops.actor a on a.id = p.created_by
        """

    package func all(limit: Int = 200) async throws -> [PreviewRow] {
        try await connection.rows("\(Self.lines) order by p.id desc limit \(limit)", PreviewRow.init)
    }

    package func find(_ id: ID<Preview>) async throws -> PreviewRow? {
        try await connection.first("\(Self.lines) where p.id = \(id)", PreviewRow.init)
    }

    /// The preview that a link opens; nil when it has expired or was revoked.
    package func find(tokenHash: [UInt8]) async throws -> PreviewRow? {
        try await connection.first(
            """
            \(Self.lines) where p.token_hash = \(tokenHash) and p.revoked_at is null and p.expires_at > clock_timestamp()
            """, PreviewRow.init)
    }

    /// The approvals of these previews, oldest first: at most `latest` of each, which are all (`preview_approval_limit`) by
    /// default.
    package func approvals(of ids: [ID<Preview>], latest: Int = 100) async throws -> [PreviewApproval] {
        try await connection.rows(
            """
            select v.preview_id, v.name, v.note, v.approved_at, v.base is distinct from p.base or v.schedule is distinct from p.schedule as is_stale
            from curation.preview p cross join lateral (
                select * from curation.preview_approval a where a.preview_id = p.id
                order by a.approved_at desc, a.name limit \(latest)) v
            where p.id = any(\(ids)::uuid[]) order by v.approved_at, v.name
            """, PreviewApproval.init)
    }

    /// The snapshot of a preview; call `refresh` first.
    package func snapshot(of id: ID<Preview>) -> SnapshotStore {
        SnapshotStore(connection: connection, preview: id)
    }

    /// Whether nothing was published or rescheduled since its snapshot was computed.
    package func isCurrent(_ id: ID<Preview>) async throws -> Bool {
        try await connection.first(
            """
            select p.base = c.number and p.schedule = curation.schedule_until(p.instant) as is_current
            from curation.preview p, curation.publication_counter c where p.id = \(id)
            """
        ) { try $0("is_current") } ?? false
    }

    // MARK: Changes

    package func add(
        title: String, at time: WallTime, days: Int, tokenHash: [UInt8], by actor: Actor
    ) async throws -> ID<Preview> {
        try await connection.first(
            """
            insert into curation.preview (token_hash, title, instant, local_time, zone, created_by, expires_at)
            select \(tokenHash), left(\(title), 300), t.local_time at time zone t.zone, t.local_time, t.zone, \(actor.rowID),
                now() + make_interval(days => \(days)::integer)
            from (select \(time.local)::timestamp as local_time, \(time.zone)::text as zone) t
            returning id
            """
        ) { try $0("id") as ID<Preview> }.orMissing("preview")
    }

    /// Brings the snapshot of a preview up to date; false when the preview has expired or was revoked.
    package func refresh(_ id: ID<Preview>) async throws -> Bool {
        try await connection.longFirst("select curation.refresh_preview(\(id)) is not null as is_open") {
            try $0("is_open")
        }
            ?? false
    }

    package func revoke(_ id: ID<Preview>) async throws -> Bool {
        try await connection.run(
            "update curation.preview set revoked_at = clock_timestamp() where id = \(id) and revoked_at is null") > 0
    }

    /// Records the approval of a visitor, or replaces the one by the same name from the same network. At most 100 for each
    /// preview (`preview_approval_limit`).
    package func approve(_ id: ID<Preview>, visitor: ClientNetwork, name: String, note: String) async throws {
        try await connection.run("select curation.approve_preview(\(id), \(visitor.name), \(name), \(note))")
    }

    /// Deletes the snapshots of inactive previews. Returns how many previews have been inactive for 30 days.
    package func sweep() async throws -> Int {
        try await connection.run(
            """
            delete from curation.preview_row where preview_id in (
                select id from curation.preview where least(expires_at, revoked_at) <= clock_timestamp())
            """)
        return try await connection.first(
            "select count(*) as n from curation.preview where least(expires_at, revoked_at) < now() - interval '30 days'"
        ) { try $0("n") } ?? 0
    }

    /// Deletes the previews that `sweep` counted; the names of their approvers stay in the audit trail.
    package func removeOld() async throws {
        try await connection.run(
            "delete from curation.preview where least(expires_at, revoked_at) < now() - interval '30 days'")
    }
}
