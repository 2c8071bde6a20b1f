// Releases: sets of edits that are published together, now or at a scheduled time.
import Domain
import FoundationEssentials
import Localization
import Postgres

package struct ReleaseRow: Sendable {
    package let id: ID<Release>
    package let number: Int64
    package let title: String
    package let state: ReleaseState
    package let localTime: String?
    package let zone: String?
    package let dueAt: Date?
    package let finishedAt: Date?
    package let publication: Int64?
    /// Why publishing failed; names the entry, with its ID.
    package let failure: String?
    /// The same without the ID, for pages, which link to the entry.
    package let cause: String?
    package let failedEntry: ID<Entry>?
    package let failedKind: ContentType.Kind?
    package let createdBy: String
    package let items: Int
    /// The time, as `wallTime`, that it had until a change opened it again.
    package let reopenedFrom: String?

    /// The scheduled time, as `WallTime.label`; empty without one.
    package var wallTime: String { localTime.map { "\($0) \(zone ?? "")" } ?? "" }

    init(row: Row) throws {
        id = try row("id")
        number = try row("number")
        title = try row("title")
        state = try row("state")
        localTime = try row("local_time")
        zone = try row("zone")
        dueAt = try row("due_at")
        finishedAt = try row("finished_at")
        publication = try row("publication")
        let failed: ID<Entry>? = try row("failed_entry")
        let (type, title): (String?, String?) = (try row("failed_type"), try row("failed_title"))
        let reason = (try row("failure") as String?).map { ConstraintRules.sentence(for: $0) }
        failure = reason.map { reason in
            (failed.map { "\(BlockedEntry.name(type ?? "", title ?? "", $0)): " } ?? "") + reason
        }
        cause = reason.map { reason in
            (failed == nil ? "" : "\(BlockedEntry.name(type ?? "", title ?? "")): ") + reason
        }
        failedEntry = failed
        failedKind = (try row("failed_kind") as String?).map { ContentType.Kind(rawValue: $0) }
        createdBy = try row("created_by")
        items = try row("items")
        reopenedFrom = try row("reopened_from")
    }
}

package struct ReleaseStore: Sendable {
    let connection: StoreConnection

    /// Releases that the scope of the page shows, as `r`. The entry that a release failed for is named if it is in the scope.
    static var lines: SQL {
        """
        select r.id, r.number, r.title, r.state, to_char(r.local_time, 'YYYY-MM-DD HH24:MI') as local_time, r.zone, r.due_at,
            r.finished_at, r.publication, r.failure, f.id as failed_entry, f.type as failed_type, f.kind as failed_kind, (
                select v.content ->> 'title' from curation.revision v
                where v.entry_id = f.id order by v.number desc limit 1) as failed_title, a.name as created_by,
            (select count(*) from curation.release_item i where i.release_id = r.id) as items,
            case when r.state = 'open' then to_char(r.reopened_local, 'YYYY-MM-DD HH24:MI ') || r.reopened_zone end
                as reopened_from
        from curation.release r join ops.actor a on a.id = r.created_by
        left join curation.entry f on f.id = r.failed_entry and \(AccessScope.current.entry("f"))
        where \(AccessScope.current.release("r"))
        """
    }

    package func find(_ id: ID<Release>) async throws -> ReleaseRow? {
        try await connection.first("\(Self.lines) and r.id = \(id)", ReleaseRow.init)
    }

    package func find(number: Int64) async throws -> ReleaseRow? {
        try await connection.first("\(Self.lines) and r.number = \(number)", ReleaseRow.init)
    }

    /// Scheduled releases, earliest first.
    package func scheduled(limit: Int = 200) async throws -> [ReleaseRow] {
        try await connection.rows(
            "\(Self.lines) and r.state = 'scheduled' order by r.due_at, r.number limit \(limit)", ReleaseRow.init)
    }

    /// Open releases, newest first.
    package func open(limit: Int = 200) async throws -> [ReleaseRow] {
        try await connection.rows(
            "\(Self.lines) and r.state = 'open' order by r.number desc limit \(limit)", ReleaseRow.init)
    }

    /// Failed releases, newest first.
    package func failed(limit: Int = 200) async throws -> [ReleaseRow] {
        try await connection.rows(
            "\(Self.lines) and r.state = 'failed' order by r.number desc limit \(limit)", ReleaseRow.init)
    }

    /// Finished releases (published, failed, canceled), newest first.
    package func finished(limit: Int = 50) async throws -> [ReleaseRow] {
        try await connection.rows(
            """
            \(Self.lines) and r.state in ('published', 'failed', 'canceled') order by r.number desc limit \(limit)
            """, ReleaseRow.init)
    }

    /// The newest 50 open and scheduled releases that contain an entry.
    package func containing(_ entry: ID<Entry>) async throws -> [ReleaseRow] {
        try await connection.rows(
            """
            \(Self.lines) and r.state in ('open', 'scheduled')
              and exists (select from curation.release_item i where i.release_id = r.id and i.entry_id = \(entry))
            order by r.number desc limit 50
            """, ReleaseRow.init)
    }

    /// The time in `seconds` seconds, by the database clock.
    package func time(in seconds: Int) async throws -> WallTime {
        let local: String? = try await connection.first(
            """
            select to_char((clock_timestamp() + make_interval(secs => \(seconds)::integer)) at time zone 'UTC',
                'YYYY-MM-DD"T"HH24:MI:SS') as local
            """
        ) { try $0("local") }
        return try WallTime(local: local ?? "", zone: "UTC")
    }

    /// The instant of a wall time by PostgreSQL's time zones. A time that a clock change skips is read by the clock
    /// before the change, so it comes that much later; a time that occurs twice is read by the clock after the change:
    /// the second of the two (R12). Throws at `/zone` for an unknown zone.
    package func instant(of time: WallTime) async throws -> (dueAt: Date, isPast: Bool) {
        guard try await ZoneStore(connection: connection).contains(time.zone) else {
            throw Failure.invalid(FieldErrors("/zone", "format", tr("There is no time zone named \(time.zone).")))
        }
        return try await connection.first(
            """
            select due_at, due_at <= clock_timestamp() as is_past
            from (select \(time.local)::timestamp at time zone \(time.zone)::text as due_at) t
            """
        ) { (dueAt: try $0("due_at") as Date, isPast: try $0("is_past") as Bool) }.orMissing("time")
    }

    /// What the clocks of the zone do at a time that they skip or show twice, in a sentence; nil for any other time.
    package func clockChange(at time: WallTime) async throws -> String? {
        // The clock before the change is that of the day before.
        let found = try await connection.first(
            """
            select to_char(d.due_at at time zone d.zone, 'HH24:MI') as shown,
                d.due_at at time zone d.zone <> d.local as is_skipped,
                e.earlier <> d.due_at and e.earlier at time zone d.zone = d.local as is_repeated
            from (select t.local, t.zone, t.local at time zone t.zone as due_at
                  from (select \(time.local)::timestamp as local, \(time.zone)::text as zone) t) d
            cross join lateral (select d.due_at - interval '1 day' as moment) b
            cross join lateral (
                select (d.local - (b.moment at time zone d.zone - b.moment at time zone 'UTC')) at time zone 'UTC' as earlier) e
            """
        ) {
            (
                shown: try $0("shown") as String, isSkipped: try $0("is_skipped") as Bool,
                isRepeated: try $0("is_repeated") as Bool
            )
        }
        guard let found else { return nil }
        let clock = String(time.local.dropFirst(11).prefix(5))
        if found.isSkipped {
            return tr("The clocks in \(time.zone) skip \(clock) on this day, so it will be \(found.shown).")
        }
        guard found.isRepeated else { return nil }
        return tr(
            "The clocks in \(time.zone) show \(clock) twice on this day. It will be the second time, after the change.")
    }

    /// Throws at `pointer` unless a time at which something is to happen is later than now (>) by the database clock.
    package func requireFuture(_ time: WallTime, at pointer: String = "/publish") async throws {
        if try await instant(of: time).isPast {
            let message = tr("This time has passed in \(time.zone). Choose a later time.")
            throw Failure.invalid(FieldErrors(pointer, "past", message))
        }
    }

    // MARK: Changes

    /// Creates a release with these items: scheduled when `time` is given, open otherwise. Without `isComposed`, the time came
    /// with the approval of its items.
    package func add(
        title: String, time: WallTime? = nil, items changes: [LiveChange] = [], isComposed: Bool = false,
        by actor: Actor
    ) async throws -> (id: ID<Release>, number: Int64) {
        let created = try await connection.first(
            """
            insert into curation.release (title, created_by) values (left(\(title), 300), \(actor.rowID))
            returning id, number
            """
        ) { (id: try $0("id") as ID<Release>, number: try $0("number") as Int64) }
        guard let created else { throw Failure.missing("release") }
        if !changes.isEmpty { _ = try await addItems(changes, to: created.id) }
        if let time { _ = try await schedule(created.id, at: time, by: isComposed ? actor : nil) }
        return created
    }

    /// Adds revisions to publish or (nil) entries to unpublish; replaces the items of entries that the release
    /// contains. Whether that changes anything.
    package func addItems(_ changes: [LiveChange], to release: ID<Release>) async throws -> Bool {
        try await connection.run(
            """
            insert into curation.release_item (release_id, entry_id, revision_id, base_revision)
            select \(release)::uuid, c.entry_id, c.revision_id, l.revision_id
            from unnest(\(changes.map(\.entry))::uuid[], \(changes.map(\.revision))::uuid[]) c (entry_id, revision_id)
            left join curation.live l on l.entry_id = c.entry_id
            on conflict (release_id, entry_id) do update
            set revision_id = excluded.revision_id, base_revision = excluded.base_revision, confirmed_revision = null
            where (release_item.revision_id, release_item.base_revision)
                is distinct from (excluded.revision_id, excluded.base_revision)
            """) > 0
    }

    /// Copies the items of a release into another one, which contains none of their entries. Each keeps the revision that was
    /// published when it was added, so that the copy, too, warns about newer ones.
    package func copyItems(of source: ID<Release>, to target: ID<Release>) async throws {
        try await connection.run(
            """
            insert into curation.release_item (release_id, entry_id, revision_id, base_revision)
            select \(target)::uuid, i.entry_id, i.revision_id, i.base_revision
            from curation.release_item i where i.release_id = \(source)
            """)
    }

    /// Moves entries of a release to another one, which contains none of them.
    package func moveItems(_ entries: [ID<Entry>], from source: ID<Release>, to target: ID<Release>) async throws {
        try await connection.run(
            """
            update curation.release_item set release_id = \(target)::uuid, confirmed_revision = null
            where release_id = \(source) and entry_id = any(\(entries)::uuid[])
            """)
    }

    /// Removes an entry from a release; false when it was not in it.
    package func remove(_ entry: ID<Entry>, from release: ID<Release>) async throws -> Bool {
        try await connection.run(
            "delete from curation.release_item where release_id = \(release) and entry_id = \(entry)") > 0
    }

    /// Removes entries from all open or scheduled releases; a release left empty is canceled. Returns the others that somebody
    /// has scheduled as a whole, if the actor may unschedule them: entries that got their time with their approvals don't
    /// depend on each other.
    package func removeFromReleases(_ entries: [ID<Entry>]) async throws -> [ID<Release>] {
        try await connection.rows(
            """
            with affected as materialized (
                select r.id, r.scheduled_by from curation.release r where r.state in ('open', 'scheduled') and r.id in (
                    select i.release_id from curation.release_item i where i.entry_id = any(\(entries)::uuid[]))
                order by r.id for update),
            removed as (
                delete from curation.release_item i using affected h
                where i.release_id = h.id and i.entry_id = any(\(entries)::uuid[])),
            emptied as (
                select h.id from affected h where not exists (
                    select from curation.release_item i
                    where i.release_id = h.id and i.entry_id <> all(\(entries)::uuid[]))),
            canceled as (
                update curation.release set state = 'canceled', finished_at = clock_timestamp()
                where id in (select id from emptied))
            select h.id from affected h
            where h.id not in (select id from emptied) and h.scheduled_by is not null
                and (ops.restricting('publish') is null
                    or ops.contain_row(ops.restricting('publish'), 'release', h.id, null))
            """
        ) { try $0("id") }
    }

    /// Schedules an open or scheduled release, or (nil) unschedules it; false when it is finished. `by` is nil if the time comes
    /// with an approval. The daemons are notified when the transaction commits.
    package func schedule(_ id: ID<Release>, at time: WallTime?, by actor: Actor? = nil) async throws -> Bool {
        let updated = try await connection.run(
            """
            update curation.release set state = case when t.zone is null then 'open' else 'scheduled' end,
                local_time = t.local_time, zone = t.zone, due_at = t.local_time at time zone t.zone,
                scheduled_by = case when t.zone is not null then \(actor?.rowID)::uuid end,
                reopened_local = null, reopened_zone = null
            from (select \(time?.local)::timestamp as local_time, \(time?.zone)::text as zone) t
            where id = \(id) and state in ('open', 'scheduled')
            """)
        try await connection.run("select pg_notify('vitrine_schedule', '')")
        return updated > 0
    }

    /// Stores that somebody confirmed that a release replaces the versions that are published now, although they may be
    /// newer than its own, or (false) that nobody did. `curation.publish_scheduled` compares at the release's time.
    package func confirm(_ id: ID<Release>, replacesNewer: Bool) async throws {
        try await connection.run(
            """
            update curation.release_item i set confirmed_revision = c.revision_id
            from (
                select x.entry_id, l.revision_id from curation.release_item x
                left join curation.live l on l.entry_id = x.entry_id and \(replacesNewer)::boolean
                where x.release_id = \(id)) c
            where i.release_id = \(id) and i.entry_id = c.entry_id
              and i.confirmed_revision is distinct from c.revision_id
            """)
    }

    /// Locks a release until the transaction ends and returns its state; reopens a failed one.
    func lock(_ id: ID<Release>) async throws -> ReleaseState? {
        try await connection.run(
            """
            update curation.release set state = 'open', local_time = null, zone = null, due_at = null, failure = null,
                failed_entry = null, finished_at = null
            where id = \(id) and state = 'failed'
            """)
        return try await connection.first("select state from curation.release where id = \(id) for update") {
            try $0("state")
        }
    }

    /// Cancels an open, scheduled or failed release; false when it was finished in the meantime.
    package func cancel(_ id: ID<Release>) async throws -> Bool {
        try await connection.run(
            """
            update curation.release
            set state = 'canceled', finished_at = clock_timestamp(), failure = null, failed_entry = null
            where id = \(id) and state in ('open', 'scheduled', 'failed')
            """) > 0
    }
}

extension AuditedTransaction {
    /// Locks a release for an edit until the transaction ends. A published or canceled release is a conflict. A scheduled
    /// one is published as it is, so only those who may publish may change it, and a change opens it (`reopen`); a failed one is
    /// open again.
    package func lock(_ release: ReleaseRow) async throws {
        let state = try await releases.lock(release.id) ?? release.state
        switch state {
        case .open, .failed: return
        case .scheduled:
            if actor.may(.publish) { return }
            throw Failure.forbidden(
                tr(
                    "Release \(release.number) is scheduled, so only a publisher can change it. Use another release, or ask a "
                        + "publisher to unschedule it."))
        case .published, .canceled: throw Failure.releaseFinished(release.number, state)
        }
    }
}
