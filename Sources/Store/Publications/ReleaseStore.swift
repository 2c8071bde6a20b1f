// Releases: changes that go live together, now or at a time.
import Domain
import FoundationEssentials
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
    package let failure: String?
    package let createdBy: String
    package let items: Int

    /// The time at which it goes live, as `WallTime.words`; empty without one.
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
        failure = (try row("failure") as String?).map { ConstraintRules.sentence(for: $0) }
        createdBy = try row("created_by")
        items = try row("items")
    }
}

package struct ReleaseStore: Sendable {
    let connection: StoreConnection

    private static let lines: SQL = """
        select r.id, r.number, r.title, r.state, to_char(r.local_time, 'YYYY-MM-DD HH24:MI') as local_time, r.zone, r.due_at,
            r.finished_at, r.publication, r.failure, a.name as created_by,
            (select count(*) from curation.release_item i where i.release_id = r.id) as items
        from curation.release r join ops.actor a on a.id = r.created_by
        """

    package func find(_ id: ID<Release>) async throws -> ReleaseRow? {
        try await connection.first("\(Self.lines) where r.id = \(id)", ReleaseRow.init)
    }

    package func find(number: Int64) async throws -> ReleaseRow? {
        try await connection.first("\(Self.lines) where r.number = \(number)", ReleaseRow.init)
    }

    /// What is scheduled, earliest first.
    package func scheduled(limit: Int = 200) async throws -> [ReleaseRow] {
        try await connection.rows(
            "\(Self.lines) where r.state = 'scheduled' order by r.due_at, r.number limit \(limit)", ReleaseRow.init)
    }

    /// Releases that are being put together, newest first.
    package func open(limit: Int = 200) async throws -> [ReleaseRow] {
        try await connection.rows(
            "\(Self.lines) where r.state = 'open' order by r.number desc limit \(limit)", ReleaseRow.init)
    }

    /// What was finished (published, failed, canceled), newest first.
    package func finished(limit: Int = 50) async throws -> [ReleaseRow] {
        try await connection.rows(
            """
            \(Self.lines) where r.state in ('published', 'failed', 'canceled') order by r.number desc limit \(limit)
            """, ReleaseRow.init)
    }

    /// The day by the database clock in UTC, as `2026-11-20`.
    package func today() async throws -> String {
        try await connection.first(
            "select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD') as day"
        ) { try $0("day") } ?? ""
    }

    /// The scheduled or open release that holds an entry.
    package func holding(_ entry: ID<Entry>) async throws -> [ReleaseRow] {
        try await connection.rows(
            """
            \(Self.lines) where r.state in ('open', 'scheduled')
              and exists (select from curation.release_item i where i.release_id = r.id and i.entry_id = \(entry))
            """, ReleaseRow.init)
    }

    /// The time in so many seconds, by the database clock.
    package func time(in seconds: Int) async throws -> WallTime {
        let local: String? = try await connection.first(
            """
            select to_char((clock_timestamp() + make_interval(secs => \(seconds)::integer)) at time zone 'UTC',
                'YYYY-MM-DD"T"HH24:MI:SS') as local
            """
        ) { try $0("local") }
        return try WallTime(local: local ?? "", zone: "UTC")
    }

    /// The instant of a wall time by PostgreSQL's time zones. A time that a clock change skips is read by the clock before
    /// the change, so it comes that much later; one that it repeats is read by the clock after it: the second of the two
    /// (R12). Refused at `/zone` for an unknown zone.
    package func instant(of time: WallTime) async throws -> (dueAt: Date, isPast: Bool) {
        // PostgreSQL reads the files of all its zones for this: a tenth of a second, or seconds from a cold disk.
        let known = try await connection.longFirst(
            "select exists (select from pg_timezone_names where name = \(time.zone)) as known"
        ) { try $0("known") as Bool }
        guard known == true else {
            throw Failure.invalid(FieldErrors("/zone", "format", "There is no time zone named \(time.zone)."))
        }
        let found = try await connection.first(
            """
            select due_at, due_at <= clock_timestamp() as is_past
            from (select \(time.local)::timestamp at time zone \(time.zone)::text as due_at) t
            """
        ) { (dueAt: try $0("due_at") as Date, isPast: try $0("is_past") as Bool) }
        guard let found else { throw Failure.missing("time") }
        return found
    }

    // MARK: Changes

    /// Makes a release that holds these changes: scheduled when `time` is given, open otherwise.
    package func add(
        title: String, time: WallTime? = nil, holding changes: [LiveChange] = [], by actor: Actor
    ) async throws -> (id: ID<Release>, number: Int64) {
        let made = try await connection.first(
            """
            insert into curation.release (title, created_by) values (left(\(title), 300), \(actor.rowID))
            returning id, number
            """
        ) { (id: try $0("id") as ID<Release>, number: try $0("number") as Int64) }
        guard let made else { throw Failure.missing("release") }
        if !changes.isEmpty { try await put(changes, into: made.id) }
        if let time { _ = try await schedule(made.id, at: time) }
        return made
    }

    /// Puts in what the release shows (revisions) or withdraws (nil), in place of what it held of these entries.
    package func put(_ changes: [LiveChange], into release: ID<Release>) async throws {
        try await connection.run(
            """
            insert into curation.release_item (release_id, entry_id, revision_id, base_revision)
            select \(release)::uuid, c.entry_id, c.revision_id, l.revision_id
            from unnest(\(changes.map(\.entry))::uuid[], \(changes.map(\.revision))::uuid[]) c (entry_id, revision_id)
            left join curation.live l on l.entry_id = c.entry_id
            on conflict (release_id, entry_id) do update
            set revision_id = excluded.revision_id, base_revision = excluded.base_revision
            """)
    }

    /// Takes an entry out of a release: false when it was not in it.
    package func remove(_ entry: ID<Entry>, from release: ID<Release>) async throws -> Bool {
        try await connection.run(
            "delete from curation.release_item where release_id = \(release) and entry_id = \(entry)") > 0
    }

    /// Takes entries out of whatever open or scheduled releases hold them; a release that then holds nothing is canceled.
    package func takeOut(_ entries: [ID<Entry>]) async throws {
        try await connection.run(
            """
            with held as materialized (
                select r.id from curation.release r where r.state in ('open', 'scheduled') and r.id in (
                    select i.release_id from curation.release_item i where i.entry_id = any(\(entries)::uuid[]))
                order by r.id for update),
            removed as (
                delete from curation.release_item i using held h
                where i.release_id = h.id and i.entry_id = any(\(entries)::uuid[])),
            left_over as (
                select h.id from held h where not exists (
                    select from curation.release_item i
                    where i.release_id = h.id and i.entry_id <> all(\(entries)::uuid[])))
            update curation.release set state = 'canceled', finished_at = clock_timestamp()
            where id in (select id from left_over)
            """)
    }

    /// Sets when an open or scheduled release goes live, or (nil) leaves it open: false when it is finished. The daemons are
    /// told once the transaction commits.
    package func schedule(_ id: ID<Release>, at time: WallTime?) async throws -> Bool {
        let touched = try await connection.run(
            """
            update curation.release set state = case when t.zone is null then 'open' else 'scheduled' end,
                local_time = t.local_time, zone = t.zone, due_at = t.local_time at time zone t.zone
            from (select \(time?.local)::timestamp as local_time, \(time?.zone)::text as zone) t
            where id = \(id) and state in ('open', 'scheduled')
            """)
        try await connection.run("select pg_notify('vitrine_schedule', '')")
        return touched > 0
    }

    /// Keeps others from changing an open or scheduled release until the transaction ends: false when it is finished.
    package func hold(_ id: ID<Release>) async throws -> Bool {
        try await connection.first(
            "select state in ('open', 'scheduled') as is_open from curation.release where id = \(id) for update"
        ) { try $0("is_open") } ?? false
    }

    /// Cancels an open or scheduled release: false when it was finished meanwhile.
    package func cancel(_ id: ID<Release>) async throws -> Bool {
        try await connection.run(
            """
            update curation.release set state = 'canceled', finished_at = clock_timestamp()
            where id = \(id) and state in ('open', 'scheduled')
            """) > 0
    }

    /// How long until the next release is due; zero or less when one is, nil when none is scheduled.
    package func millisecondsToNext() async throws -> Int? {
        try await connection.first(
            """
            select (extract(epoch from due_at - clock_timestamp()) * 1000)::bigint as ms
            from curation.release where state = 'scheduled' order by due_at limit 1
            """
        ) { try $0("ms") }
    }
}
