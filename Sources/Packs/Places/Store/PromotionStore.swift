// Lists promotions in the revisions that pages show, for planning.
import Domain
import FoundationEssentials
import Postgres
import Store

/// One promotion with the others at the same place that overlap it.
package struct PromotionLine: Sendable {
    package let id: ID<Entry>
    package let title: String
    package let place: ID<Entry>
    /// Empty if pages show no revision of the place.
    package let placeTitle: String
    package let isPlaceLive: Bool
    package let isLive: Bool
    /// That revision is not live.
    package let isNewer: Bool
    package let startsAt: Date
    package let endsAt: Date
    /// The titles of the others, in order.
    package let overlapping: [String]

    init(row: Row) throws {
        id = try row("id")
        title = try row("title")
        place = try row("place_id")
        placeTitle = try row("place_title")
        isPlaceLive = try row("is_place_live")
        isLive = try row("is_live")
        isNewer = try row("is_newer")
        startsAt = try row("starts_at")
        endsAt = try row("ends_at")
        overlapping = try row("overlapping")
    }
}

/// A promotion with its times by the clocks of a person's zone.
package struct PromotionSpan: Sendable {
    package let id: ID<Entry>
    package let title: String
    package let place: ID<Entry>
    /// Empty if pages show no revision of the place.
    package let placeTitle: String
    package let isLive: Bool
    package let startsAt: Date
    package let endsAt: Date
    /// `2026-11-20 18:00`
    package let localStart: String
    package let localEnd: String

    init(row: Row) throws {
        id = try row("id")
        title = try row("title")
        place = try row("place_id")
        placeTitle = try row("place_title")
        isLive = try row("is_live")
        startsAt = try row("starts_at")
        endsAt = try row("ends_at")
        localStart = try row("local_start")
        localEnd = try row("local_end")
    }
}

package struct PromotionStore: Sendable {
    let connection: StoreConnection

    /// Promotions in the revisions that pages show, without unpublished ones.
    private static var planned: SQL {
        """
        select e.id, n.id as revision_id, n.content ->> 'title' as title, (n.content ->> 'place')::uuid as place_id,
            (n.content ->> 'starts_at')::timestamptz as starts_at, (n.content ->> 'ends_at')::timestamptz as ends_at,
            l.revision_id as live_revision
        from curation.entry e
        cross join lateral (\(EntryStore.shown)) n
        left join curation.live l on l.entry_id = e.id
        where e.kind = 'promotion' and (l.entry_id is not null
            or not exists (select from curation.publication_change c where c.entry_id = e.id))
        """
    }

    /// Promotions that end after `from`, by place and start, without unpublished ones. Periods are half-open: a
    /// promotion that starts when another ends does not overlap it.
    package func schedule(from: Date, limit: Int) async throws -> [PromotionLine] {
        try await connection.rows(
            """
            with promotion as materialized (\(Self.planned))
            select p.id, p.title, p.place_id, p.starts_at, p.ends_at, coalesce(pn.content ->> 'title', '') as place_title,
                exists (select from curation.live l where l.entry_id = p.place_id) as is_place_live,
                p.live_revision is not null as is_live, p.live_revision is distinct from p.revision_id as is_newer,
                coalesce((
                    select array_agg(o.title order by o.starts_at, o.id) from promotion o
                    where o.place_id = p.place_id and o.id <> p.id
                      and o.starts_at < p.ends_at and p.starts_at < o.ends_at), '{}') as overlapping
            from promotion p
            join curation.entry e on e.id = p.place_id
            left join lateral (\(EntryStore.shown)) pn on true
            where p.ends_at > \(from) order by lower(pn.content ->> 'title'), p.place_id, p.starts_at, p.id limit \(limit)
            """, PromotionLine.init)
    }

    /// Promotions that last on these days, earliest first.
    package func spans(on days: ScheduleDays, limit: Int) async throws -> [PromotionSpan] {
        try await connection.rows(
            """
            with promotion as materialized (\(Self.planned)),
            shown as materialized (
                select * from promotion p where \(days.overlap("p.starts_at", "p.ends_at"))
                order by p.starts_at, p.id limit \(limit))
            select p.id, p.title, p.place_id, coalesce(pn.content ->> 'title', '') as place_title,
                p.live_revision is not null as is_live, p.starts_at, p.ends_at,
                \(days.local("p.starts_at")) as local_start, \(days.local("p.ends_at")) as local_end
            from shown p
            join curation.entry e on e.id = p.place_id
            left join lateral (\(EntryStore.shown)) pn on true
            order by p.starts_at, p.id
            """, PromotionSpan.init)
    }

    /// A local time moved as far as another one; nil if one of them is none.
    package func shifted(_ time: String, from old: String, to new: String) async throws -> String? {
        guard [time, old, new].allSatisfy({ !$0.isEmpty && DateTimeText.isLocal($0) }) else { return nil }
        return try await connection.first(
            """
            select to_char(\(time)::timestamp + (\(new)::timestamp - \(old)::timestamp), 'YYYY-MM-DD"T"HH24:MI') as local
            """
        ) { try $0("local") }
    }

    /// A time by the clocks of a zone, such as `2026-11-20 18:00`; nil if it is none.
    package func local(_ instant: String, in zone: String) async throws -> String? {
        guard Timestamp(instant) != nil else { return nil }
        return try await connection.first(
            "select to_char(\(instant)::timestamptz at time zone \(zone)::text, 'YYYY-MM-DD HH24:MI') as local"
        ) { try $0("local") }
    }
}
