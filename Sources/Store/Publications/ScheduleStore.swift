// Reads what is scheduled on some days, with its time in a person's zone.
import Domain
import FoundationEssentials
import Postgres

/// A release with a time: scheduled, published or failed.
package struct ScheduledRelease: Sendable {
    package let number: Int64
    package let title: String
    package let state: ReleaseState
    /// In the zone of the days: `2026-11-20 18:00`.
    package let local: String
    package let items: Int

    init(row: Row) throws {
        number = try row("number")
        title = try row("title")
        state = try row("state")
        local = try row("local")
        items = try row("items")
    }
}

/// A release that is scheduled, with what it contains.
package struct UpcomingRelease: Sendable {
    package let number: Int64
    package let title: String
    package let dueAt: Date
    /// In the zone of the reader: `2026-11-20 18:00`.
    package let local: String
    package let author: String
    /// How many entries of a content type it has, in the access scope of the page.
    package let types: [String: Int]

    init(row: Row) throws {
        number = try row("number")
        title = try row("title")
        dueAt = try row("due_at")
        local = try row("local")
        author = try row("author")
        let counts: JSONValue = try row("types")
        types = (counts.objectValue ?? [:]).compactMapValues { $0.integerValue.map { Int($0) } }
    }
}

/// An entry of such a release.
package struct ScheduledEntry: Sendable {
    package let release: Int64
    package let entry: ID<Entry>
    package let title: String
    package let isUnpublished: Bool

    init(row: Row) throws {
        release = try row("release")
        entry = try row("entry_id")
        title = try row("title") as String? ?? ""
        isUnpublished = try row("is_unpublished")
    }
}

package struct ScheduleStore: Sendable {
    let connection: StoreConnection

    /// The current date and time by the database clock, such as `2026-11-20 18:00`.
    package func now(in zone: String) async throws -> String {
        try await connection.first(
            "select to_char(clock_timestamp() at time zone \(zone)::text, 'YYYY-MM-DD HH24:MI') as now"
        ) { try $0("now") } ?? ""
    }

    /// Scheduled releases, earliest first.
    package func upcoming(in zone: String, limit: Int) async throws -> [UpcomingRelease] {
        try await connection.rows(
            """
            select r.number, r.title, r.due_at, a.name as author,
                to_char(r.due_at at time zone \(zone)::text, 'YYYY-MM-DD HH24:MI') as local, coalesce((
                    select jsonb_object_agg(t.type, t.n) from (
                        select e.type, count(*) as n
                        from curation.release_item i join curation.entry e on e.id = i.entry_id
                        where i.release_id = r.id and \(AccessScope.current.entry("e")) group by e.type) t), '{}') as types
            from curation.release r join ops.actor a on a.id = r.created_by
            where r.state = 'scheduled' and \(AccessScope.current.release("r"))
            order by r.due_at, r.number limit \(limit)
            """, UpcomingRelease.init)
    }

    /// Releases that were scheduled, on the days of their times, or when they were published before; earliest first.
    package func releases(on days: ScheduleDays, limit: Int) async throws -> [ScheduledRelease] {
        try await connection.rows(
            """
            select r.number, r.title, r.state, \(days.local("t.at")) as local,
                (select count(*) from curation.release_item i where i.release_id = r.id) as items
            from curation.release r
            cross join lateral (select case r.state when 'published' then least(r.due_at, r.finished_at) else r.due_at end as at) t
            where r.state in ('scheduled', 'published', 'failed') and r.due_at is not null and \(days.contain("t.at"))
              and \(AccessScope.current.release("r"))
            order by t.at, r.number limit \(limit)
            """, ScheduledRelease.init)
    }

    /// The time of a release by the clocks of a zone, such as `2026-11-20 18:00`.
    package func local(of release: Int64, in zone: String) async throws -> String? {
        let found: String?? = try await connection.first(
            """
            select to_char(due_at at time zone \(zone)::text, 'YYYY-MM-DD HH24:MI') as local
            from curation.release where number = \(release)
            """
        ) { try $0("local") as String? }
        return found ?? nil
    }

    /// Other scheduled releases within two hours of a time (<=), before and after it, earliest first. Their times are in its
    /// zone.
    package func near(_ time: WallTime, except release: Int64, limit: Int) async throws -> [ScheduledRelease] {
        try await connection.rows(
            """
            select r.number, r.title, r.state, to_char(r.due_at at time zone t.zone, 'YYYY-MM-DD HH24:MI') as local,
                (select count(*) from curation.release_item i where i.release_id = r.id) as items
            from (select \(time.local)::timestamp at time zone \(time.zone)::text as instant, \(time.zone)::text as zone) t
            join curation.release r
                on r.due_at between t.instant - interval '2 hours' and t.instant + interval '2 hours'
            where r.state = 'scheduled' and r.number <> \(release) and \(AccessScope.current.release("r"))
            order by r.due_at, r.number limit \(limit)
            """, ScheduledRelease.init)
    }

    /// The first entries of each of these releases.
    package func entries(of releases: [Int64], each limit: Int) async throws -> [ScheduledEntry] {
        try await connection.rows(
            """
            select r.number as release, i.entry_id, i.title, i.is_unpublished
            from curation.release r
            cross join lateral (
                select x.entry_id, coalesce(s.content, n.content) ->> 'title' as title,
                    x.revision_id is null as is_unpublished
                from curation.release_item x
                join curation.entry e on e.id = x.entry_id and \(AccessScope.current.entry("e"))
                cross join lateral (
                    select content from curation.revision where entry_id = x.entry_id order by number desc limit 1) n
                left join curation.revision s on s.id = x.revision_id
                where x.release_id = r.id order by x.entry_id limit \(limit)) i
            where r.number = any(\(releases)::bigint[]) order by r.number, i.entry_id
            """, ScheduledEntry.init)
    }
}
