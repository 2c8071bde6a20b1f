// Counts the live members of a category before it is merged or archived (B29).
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
    /// Members that are already in the other category.
    package let shared: Int
    /// Members that readers could not see without it: items and places that have no other category.
    package let sole: Int
    /// A sample of the members, or of those without another category.
    package let sample: [Member]
}

package struct CategoryStore: Sendable {
    /// How many members pages list by name.
    package static let sampleSize = 10

    let connection: StoreConnection

    /// The members of a category and of all categories merged into it; the cost grows with their number. `other` is a
    /// merge target; without it the sample contains members that have no other category.
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
                          or r.target_entry_id in (select category_id from curation.category_merge where target_id = \(id)))) r
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
