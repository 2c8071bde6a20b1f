// Reads the snapshot of a preview: the read tables overlaid with the preview's rows.
import Domain
import FoundationEssentials
import Postgres

/// A row that differs from the published one.
package struct SnapshotChange: Sendable {
    package let table: String
    package let id: String
    package let title: String
    /// `new`, `changed` or `deleted`
    package let kind: String

    init(row: Row) throws {
        table = try row("read_table")
        id = try row("key")
        title = try row("title") as String? ?? ""
        kind = try row("kind")
    }
}

/// One item of a list in the snapshot.
package struct SnapshotLine: Sendable {
    package let id: ID<Entry>
    package let title: String
    package let preview: String
    /// The narrowest file of the first image that guests see.
    package let thumbnail: Thumbnail?

    init(row: Row) throws {
        id = try row("id")
        title = try row("title")
        preview = try row("preview") as String? ?? ""
        let file = try row("thumbnail") as JSONValue?
        thumbnail = file.flatMap { file in
            guard let path = file["path"]?.stringValue, let width = file["width"]?.integerValue,
                let height = file["height"]?.integerValue
            else { return nil }
            return Thumbnail(path: path, width: Int(width), height: Int(height))
        }
    }
}

package struct SnapshotStore: Sendable {
    let connection: StoreConnection
    let preview: ID<Preview>

    /// Items, feeds and categories that differ from what readers see now.
    package func changes(limit: Int) async throws -> [SnapshotChange] {
        try await connection.rows(
            """
            select p.read_table, p.key,
                coalesce(p.content ->> 'title', p.content ->> 'name', t.title) as title,
                case when p.content is null then 'deleted' when t.title is null then 'new' else 'changed' end as kind
            from curation.preview_row p
            left join lateral (
                select title from api_v1.item where p.read_table = 'item' and id = p.key::uuid
                union all select title from api_v1.feed where p.read_table = 'feed' and id = p.key::uuid
                union all select name from api_v1.category where p.read_table = 'category' and id = p.key::uuid) t on true
            where p.preview_id = \(preview) and p.read_table in ('item', 'feed', 'category')
            order by p.read_table, kind, title limit \(limit)
            """, SnapshotChange.init)
    }

    /// Of the images in a document, whose files are sorted by width. Not those of the newest revision: readers don't see it.
    private static let thumbnail: SQL = "jsonb_path_query_first(to_jsonb(document), '$.**.renditions[0]') as thumbnail"

    /// The feeds, in their order.
    package func feeds(limit: Int) async throws -> [SnapshotLine] {
        try await connection.rows(
            """
            select x.id, x.title, x.document ->> 'preview' as preview, \(Self.thumbnail) from (
                select t.* from api_v1.feed t where not \(isOverlaid("feed", "t.id::text"))
                union all \(overlay("feed"))) x
            order by x.rank, x.age, x.id limit \(limit)
            """, SnapshotLine.init)
    }

    /// The items of a feed in its order; `cursor` continues after the last item of the previous page.
    package func items(of feed: ID<Entry>, cursor: String?, limit: Int) async throws -> Page<SnapshotLine> {
        let position = try cursor.map { try Cursor(parsing: $0, count: 3) }
        let (rank, age, after) = (try position?.integer(0), try position?.integer(1), try position?.uuid(2))
        let isAfter: SQL = """
            (\(after)::uuid is null or (f.rank, f.age, f.item_id) > (\(rank)::bigint, \(age)::bigint, \(after)::uuid))
            """
        let rows = try await connection.rows(
            """
            select i.id, i.title, i.document ->> 'preview' as preview, \(Self.thumbnail), m.rank, m.age from (
                (select f.* from api_v1.feed_item f
                 where f.feed_id = \(feed) and not \(isOverlaid("feed_item", "f.feed_id::text || '/' || f.item_id::text"))
                   and \(isAfter)
                 order by f.rank, f.age, f.item_id limit \(limit + 1))
                union all
                (select f.* from (\(overlay("feed_item"))) f where f.feed_id = \(feed) and \(isAfter))) m
            cross join lateral (
                select t.id, t.title, t.document from api_v1.item t
                where t.id = m.item_id and not \(isOverlaid("item", "t.id::text"))
                union all
                select t.id, t.title, t.document from (\(overlay("item"))) t where t.id = m.item_id) i
            order by m.rank, m.age, m.item_id limit \(limit + 1)
            """
        ) { (line: try SnapshotLine(row: $0), rank: try $0("rank") as Int64, age: try $0("age") as Int64) }
        let page = Page(rows: rows, limit: limit) {
            Cursor([String($0.rank), String($0.age), $0.line.id.description])
        }
        return page.map(\.line)
    }

    /// One row of a read table whose key is an id; nil when it does not exist at that instant.
    package func row(_ table: SQL, _ id: ID<Entry>) async throws -> JSONValue? {
        try await connection.first(
            """
            select case when \(isOverlaid(table, "\(id.description)::text"))
                then (select p.content from curation.preview_row p
                      where p.preview_id = \(preview) and p.read_table = '\(table)' and p.key = \(id.description))
                else (select to_jsonb(t) from api_v1.\(table) t where t.id = \(id)) end as row
            """
        ) { try $0("row") as JSONValue? } ?? nil
    }

    /// The titles of these entries at that instant, of items, feeds and categories; of other entries as readers see them now. Never
    /// those of newer drafts: the link may be open to anybody.
    package func titles(of ids: [ID<Entry>]) async throws -> [ID<Entry>: String] {
        if ids.isEmpty { return [:] }
        let rows = try await connection.rows(
            """
            select u.id, coalesce(p.title, r.content ->> 'title', '') as title
            from unnest(\(ids)::uuid[]) u (id)
            left join lateral (
                select coalesce(p.content ->> 'title', p.content ->> 'name') as title from curation.preview_row p
                where p.preview_id = \(preview) and p.read_table in ('item', 'feed', 'category')
                    and p.key = u.id::text) p on true
            left join curation.live l on l.entry_id = u.id
            left join curation.revision r on r.id = l.revision_id
            where p.title is not null or r.id is not null
            """
        ) { (try $0("id") as ID<Entry>, try $0("title") as String) }
        return Dictionary(rows) { first, _ in first }
    }

    /// Whether the preview overlays the row with this key.
    private func isOverlaid(_ table: SQL, _ key: SQL) -> SQL {
        """
        exists (select from curation.preview_row p
            where p.preview_id = \(preview) and p.read_table = '\(table)' and p.key = \(key))
        """
    }

    /// The preview's rows of a table, typed as that table.
    private func overlay(_ table: SQL) -> SQL {
        """
        select (jsonb_populate_record(null::api_v1.\(table), p.content)).* from curation.preview_row p
        where p.preview_id = \(preview) and p.read_table = '\(table)' and p.content is not null
        """
    }
}
