// The order of a feed's live items as curators edit it, including the ranks of unpublished revisions.
import Domain
import Postgres

/// An item of a feed and its position there.
package struct FeedPosition: Sendable {
    package let item: ID<Entry>
    /// Pinned by the feed; its rank has no effect then.
    package let isPinned: Bool
    /// The rank in the revision that pages show; nil without one.
    package let rank: Int64?
    /// That revision is not live.
    package let isChanged: Bool
}

/// The title and type of an item in a list.
package struct FeedItemNames: Sendable {
    package let title: String
    package let type: String
    /// Other live feeds that are ordered by hand and contain it: its rank applies there, too.
    package let otherFeeds: [String]
}

package struct FeedOrderStore: Sendable {
    let connection: StoreConnection

    /// All items of a live feed, pinned ones first; the cost grows with their number.
    package func positions(in feed: ID<Entry>) async throws -> [FeedPosition] {
        try await connection.rows(
            """
            select v.item_id, v.is_pinned, v.rank, v.is_changed
            from (
                select f.item_id, f.age, p.position, p.position is not null as is_pinned,
                    case when n.id <> l.revision_id or p.position is not null then (n.content ->> 'rank')::bigint
                        else nullif(f.rank, 2147483647) end as rank,
                    n.id <> l.revision_id as is_changed
                from api_v1.feed_item f
                join curation.live l on l.entry_id = f.item_id
                left join curation.live fl on fl.entry_id = f.feed_id
                left join curation.reference p
                    on p.revision_id = fl.revision_id and p.field = 'pins' and p.target_entry_id = f.item_id
                cross join lateral (\(EntryStore.shownRevision(of: "l", id: "l.entry_id"))) n
                where f.feed_id = \(feed)) v
            order by v.position, v.rank, v.age, v.item_id
            """
        ) {
            FeedPosition(
                item: try $0("item_id"), isPinned: try $0("is_pinned"), rank: try $0("rank"),
                isChanged: try $0("is_changed"))
        }
    }

    /// Titles and types of these items of a feed.
    package func names(of items: [ID<Entry>], besides feed: ID<Entry>) async throws -> [ID<Entry>: FeedItemNames] {
        let rows = try await connection.rows(
            """
            select l.entry_id as id, l.type, r.content ->> 'title' as title, array(
                select o.content ->> 'title' from unnest(i.feed_ids) f (id)
                join curation.live fl on fl.entry_id = f.id join curation.revision o on o.id = fl.revision_id
                where f.id <> \(feed) and o.content ->> 'order' = 'ranked' order by 1) as feeds
            from curation.live l join curation.revision r on r.id = l.revision_id join api_v1.item i on i.id = l.entry_id
            where l.entry_id = any(\(items)::uuid[])
            """
        ) {
            (
                try $0("id") as ID<Entry>,
                FeedItemNames(title: try $0("title"), type: try $0("type"), otherFeeds: try $0("feeds"))
            )
        }
        return Dictionary(rows) { first, _ in first }
    }
}
