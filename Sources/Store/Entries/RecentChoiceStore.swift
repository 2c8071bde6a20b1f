// What a person chose last in the reference fields of forms: feeds and categories.
import Domain
import Postgres

package struct RecentChoiceStore: Sendable {
    let connection: StoreConnection

    /// What an account's latest approvals and versions refer to in these fields, most recent first, each once. Looks at the
    /// latest 30 decisions and the latest 30 versions. The index of authors leaves out the program's own, which write most.
    package func entries(of account: ID<Account>, in fields: [String]) async throws -> [ID<Entry>] {
        let found: [ID<Entry>?] = try await connection.rows(
            """
            with decided as materialized (
                select d.id, d.submission_id, d.verdict from curation.decision d
                where d.decided_by = \(account) order by d.id desc limit 30),
            written as materialized (
                select r.id, r.content from curation.revision r
                where r.author_id = \(account) and r.author_id > '00000000-0000-7000-8000-0000000000ff'
                order by r.id desc limit 30),
            latest as (
                select d.id, r.content from decided d join curation.entry e on e.submission_id = d.submission_id
                cross join lateral (
                    select r.content from curation.revision r where r.entry_id = e.id order by r.number desc limit 1) r
                where d.verdict = 'approve'
                union all
                select w.id, w.content from written w)
            select v.id from latest l cross join unnest(\(fields)::text[]) f
            cross join jsonb_array_elements_text(
                case jsonb_typeof(l.content -> f) when 'array' then l.content -> f else '[]' end) v(id)
            group by v.id order by max(l.id::text) desc, v.id limit 20
            """
        ) { ID<Entry>(try $0("id") as String) }
        return found.compactMap(\.self)
    }
}
