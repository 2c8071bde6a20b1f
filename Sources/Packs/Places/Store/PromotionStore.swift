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

/// The start or the end of a promotion.
package struct PromotionBoundary: Sendable {
    package let id: ID<Entry>
    package let title: String
    package let isLive: Bool
    package let isStart: Bool
    /// In the zone of the days: `2026-11-20 18:00`.
    package let local: String

    init(row: Row) throws {
        id = try row("id")
        title = try row("title")
        isLive = try row("is_live")
        isStart = try row("is_start")
        local = try row("local")
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

    /// Starts and ends on these days, earliest first.
    package func boundaries(on days: ScheduleDays, limit: Int) async throws -> [PromotionBoundary] {
        try await connection.rows(
            """
            with promotion as materialized (\(Self.planned))
            select p.id, p.title, p.live_revision is not null as is_live, b.is_start, \(days.local("b.moment")) as local
            from promotion p
            cross join lateral (values (p.starts_at, true), (p.ends_at, false)) b (moment, is_start)
            where \(days.contain("b.moment")) order by b.moment, p.id limit \(limit)
            """, PromotionBoundary.init)
    }
}
