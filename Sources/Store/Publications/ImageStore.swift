// Reads the image of a preview: the read tables as they are, with the preview's rows laid over them.
import Domain
import FoundationEssentials
import Postgres

/// What differs from now, by what people call it.
package struct ImageChange: Sendable {
    package let table: String
    package let id: String
    package let title: String
    /// new, changed or gone
    package let word: String

    init(row: Row) throws {
        table = try row("read_table")
        id = try row("key")
        title = try row("title") as String? ?? ""
        word = try row("word")
    }
}

/// One line of a list in the image.
package struct ImageLine: Sendable {
    package let id: ID<Entry>
    package let title: String
    package let preview: String

    init(row: Row) throws {
        id = try row("id")
        title = try row("title")
        preview = try row("preview") as String? ?? ""
    }
}

package struct ImageStore: Sendable {
    let connection: StoreConnection
    let preview: ID<Preview>

    /// What differs from what readers see now, among what has a name of its own.
    package func changes(limit: Int) async throws -> [ImageChange] {
        try await connection.rows(
            """
            select p.read_table, p.key,
                coalesce(p.content ->> 'title', p.content ->> 'name', t.title) as title,
                case when p.content is null then 'gone' when t.title is null then 'new' else 'changed' end as word
            from curation.preview_row p
            left join lateral (
                select title from api_v1.item where p.read_table = 'item' and id = p.key::uuid
                union all select title from api_v1.feed where p.read_table = 'feed' and id = p.key::uuid
                union all select name from api_v1.category where p.read_table = 'category' and id = p.key::uuid) t on true
            where p.preview_id = \(preview) and p.read_table in ('item', 'feed', 'category')
            order by p.read_table, word, title limit \(limit)
            """, ImageChange.init)
    }

    /// The feeds, in their order.
    package func feeds(limit: Int) async throws -> [ImageLine] {
        try await connection.rows(
            """
            select x.id, x.title, x.document ->> 'preview' as preview from (
                select t.* from api_v1.feed t where not \(isLaid("feed", "t.id::text"))
                union all \(laid("feed"))) x
            order by x.rank, x.age, x.id limit \(limit)
            """, ImageLine.init)
    }

    /// The items of a feed in its order; `cursor` goes on after the last that was given.
    package func items(of feed: ID<Entry>, cursor: String?, limit: Int) async throws -> Page<ImageLine> {
        let place = try cursor.map { try Cursor(parsing: $0, count: 3) }
        let (rank, age, after) = (try place?.integer(0), try place?.integer(1), try place?.uuid(2))
        let isLater: SQL = """
            (\(after)::uuid is null or (f.rank, f.age, f.item_id) > (\(rank)::bigint, \(age)::bigint, \(after)::uuid))
            """
        let rows = try await connection.rows(
            """
            select i.id, i.title, i.document ->> 'preview' as preview, m.rank, m.age from (
                (select f.* from api_v1.feed_item f
                 where f.feed_id = \(feed) and not \(isLaid("feed_item", "f.feed_id::text || '/' || f.item_id::text"))
                   and \(isLater)
                 order by f.rank, f.age, f.item_id limit \(limit + 1))
                union all
                (select f.* from (\(laid("feed_item"))) f where f.feed_id = \(feed) and \(isLater))) m
            cross join lateral (
                select t.id, t.title, t.document from api_v1.item t
                where t.id = m.item_id and not \(isLaid("item", "t.id::text"))
                union all
                select t.id, t.title, t.document from (\(laid("item"))) t where t.id = m.item_id) i
            order by m.rank, m.age, m.item_id limit \(limit + 1)
            """
        ) { (line: try ImageLine(row: $0), rank: try $0("rank") as Int64, age: try $0("age") as Int64) }
        let page = Page(rows: rows, limit: limit) {
            Cursor([String($0.rank), String($0.age), $0.line.id.description])
        }
        return page.map(\.line)
    }

    /// One row of a read table whose key is an id; nil where there is none at that instant.
    package func row(_ table: SQL, _ id: ID<Entry>) async throws -> JSONValue? {
        try await connection.first(
            """
            select case when \(isLaid(table, "\(id.description)::text"))
                then (select p.content from curation.preview_row p
                      where p.preview_id = \(preview) and p.read_table = '\(table)' and p.key = \(id.description))
                else (select to_jsonb(t) from api_v1.\(table) t where t.id = \(id)) end as row
            """
        ) { try $0("row") as JSONValue? } ?? nil
    }

    /// Whether the preview has a say about the row with this key.
    private func isLaid(_ table: SQL, _ key: SQL) -> SQL {
        """
        exists (select from curation.preview_row p
            where p.preview_id = \(preview) and p.read_table = '\(table)' and p.key = \(key))
        """
    }

    /// The rows that the preview has of a table, typed as the table's.
    private func laid(_ table: SQL) -> SQL {
        """
        select (jsonb_populate_record(null::api_v1.\(table), p.content)).* from curation.preview_row p
        where p.preview_id = \(preview) and p.read_table = '\(table)' and p.content is not null
        """
    }
}
