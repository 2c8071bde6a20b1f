// Who is in a category now: for the pages that say what merging or retiring it would do (B29).
import Domain
import Postgres

/// The live members of a category.
package struct CategoryMembers: Sendable {
    package struct Member: Sendable, Encodable {
        package let id: ID<Entry>
        package let type: String
        package let title: String

        init(row: Row) throws {
            id = try row("id")
            type = try row("type")
            title = try row("title")
        }
    }

    package let count: Int
    /// Those that are in the other category already.
    package let shared: Int
    /// Those that readers could not see without it: items and places need a category, and these have no other.
    package let sole: Int
    /// The first of them, or of those that have no other.
    package let sample: [Member]
}

package struct CategoryStore: Sendable {
    /// How many members pages name.
    package static let sampleSize = 10

    let connection: StoreConnection

    /// The members of a category and of all that is merged into it; costs as much as it has members. `other` is what it may
    /// be merged into; without it the sample is of those that have no other category.
    package func members(of id: ID<Entry>, other: ID<Entry>? = nil) async throws -> CategoryMembers {
        let members: SQL = """
            with m as materialized (
                select l.entry_id, l.revision_id, l.type,
                    exists (select from curation.membership o
                        where o.revision_id = l.revision_id and o.field = 'categories' and o.target_entry_id = \(other)::uuid)
                        as is_shared,
                    l.kind in ('item', 'place') and not exists (
                        select from curation.membership o
                        join curation.live c on c.entry_id = o.target_entry_id and c.kind = 'category'
                        where o.revision_id = l.revision_id and o.field = 'categories' and o.target_entry_id <> \(id)) as is_sole
                from (select distinct r.revision_id from curation.reference r
                      where r.field = 'categories' and (r.target_entry_id = \(id)
                          or r.target_entry_id in (select category_id from curation.category_merge where into_id = \(id)))) r
                join curation.live l on l.revision_id = r.revision_id)
            """
        let counts = try await connection.first(
            """
            \(members) select count(*) as n, count(*) filter (where is_shared) as shared,
                count(*) filter (where is_sole) as sole from m
            """
        ) { (try $0("n") as Int, try $0("shared") as Int, try $0("sole") as Int) }
        let sample = try await connection.rows(
            """
            \(members) select m.entry_id as id, m.type, coalesce(r.content ->> 'title', '') as title
            from m join curation.revision r on r.id = m.revision_id
            where \(other)::uuid is not null or m.is_sole order by m.entry_id desc limit \(Self.sampleSize)
            """, CategoryMembers.Member.init)
        return CategoryMembers(
            count: counts?.0 ?? 0, shared: counts?.1 ?? 0, sole: counts?.2 ?? 0, sample: sample)
    }
}
