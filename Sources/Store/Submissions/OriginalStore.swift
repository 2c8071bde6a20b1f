// Finds the entry or submission that a submission may duplicate, by id or by search.
import Domain
import FoundationEssentials
import Postgres

package struct OriginalRow: Sendable {
    package let original: Original
    package let title: String
    package let type: String

    init(row: Row) throws {
        let id: UUID = try row("id")
        original = try row("is_entry") ? .entry(ID(id)) : .submission(ID(id))
        title = try row("title")
        type = try row("type")
    }
}

package struct OriginalStore: Sendable {
    let connection: StoreConnection

    /// The entry or submission with this id.
    package func find(_ id: UUID) async throws -> OriginalRow? {
        try await connection.first(
            """
            select e.id, true as is_entry, e.type, coalesce((
                select r.content ->> 'title' from curation.revision r
                where r.entry_id = e.id order by r.number desc limit 1), '') as title
            from curation.entry e where e.id = \(id) and \(AccessScope.current.entry("e"))
            union all
            select s.id, false, s.type, s.title from curation.submission s
            where s.id = \(id) and \(AccessScope.current.submission("s"))
            """, OriginalRow.init)
    }

    /// Live entries and queued submissions that match the query, best matches first, from a few hundred hits of each.
    package func search(_ query: String, except id: ID<Submission>, limit: Int) async throws -> [OriginalRow] {
        try await connection.rows(
            """
            with live as materialized (
                select s.id, s.type, s.document ->> 'title' as title, ts_rank(s.terms, w.query) as rank
                from api_v1.search s, (select (select api_v1.search_query(\(query), null)) as query) w
                where s.kind = 'item' and s.terms @@ w.query
                  and \(AccessScope.current.entry("s", id: "s.id")) limit 200),
            queued as materialized (
                select q.submission_id as id, q.type, q.title,
                    ts_rank(q.search_terms, (select api_v1.parse_query(\(query)))) as rank
                from curation.queue_item q
                where q.search_terms @@ (select api_v1.parse_query(\(query)))
                  and q.submission_id <> \(id) and \(AccessScope.current.submission("q")) limit 200)
            (select id, true as is_entry, type, coalesce(title, '') as title from live order by rank desc, id limit \(limit))
            union all
            (select id, false, type, title from queued order by rank desc, id limit \(limit))
            """, OriginalRow.init)
    }
}
