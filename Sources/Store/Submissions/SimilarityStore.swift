// Finds similar submissions and entries by keys, and saves the values that are compared.
import Domain
import FoundationEssentials
import Postgres

/// A possible duplicate of a submission, with the values that a list shows.
package struct SimilarRow: Sendable {
    package let original: Original
    package let similarity: Similarity
    package let title: String
    package let type: String
    package let source: String?
    /// When it was received or published.
    package let since: Date
    /// Nil for an entry, which is live.
    package let state: SubmissionState?

    init(row: Row) throws {
        let id: UUID = try row("subject_id")
        original = try row("is_entry") ? .entry(ID(id)) : .submission(ID(id))
        similarity = try SimilarityStore.similarity(row)
        title = try row("shown_title")
        type = try row("type")
        source = try row("source")
        since = try row("since")
        state = try row("state")
    }
}

/// The content of a submission or live entry, as background tasks read it.
package struct SubjectRow: Sendable {
    package let id: UUID
    package let isEntry: Bool
    package let type: String
    package let stored: StoredFields
    package let sourceURL: String?
    package let client: UUID?
    package let contributor: String?
    /// The hour in which it was received.
    package let hour: String?

    package var fields: [String: JSONValue] { stored.values }

    /// Anyone can write any name into a submission form, so a name from there has no record and no trust.
    static let contributor: SQL = "case when s.source <> 'form' then s.contributor end as contributor"

    init(row: Row) throws {
        id = try row("id")
        isEntry = try row("is_entry")
        type = try row("type")
        stored = try row("fields")
        sourceURL = try row("source_url")
        client = try row("client_id")
        contributor = try row("contributor")
        hour = try row("hour")
    }
}

package struct SimilarityStore: Sendable {
    let connection: StoreConnection

    /// At most this many candidates per shared key are considered.
    private static let perKey = 50
    /// This many candidates, those with the most shared keys, are compared.
    private static let maxCandidates = 60

    static func similarity(_ row: Row) throws -> Similarity {
        let (lat, lon): (Double?, Double?) = (try row("lat"), try row("lon"))
        let point: GeoPoint? = if let lat, let lon { GeoPoint(lat: lat, lon: lon) } else { nil }
        return Similarity(title: try row("title"), text: try row("text"), url: try row("url"), point: point)
    }

    /// The candidates with the most shared keys: waiting, decided or live; except itself and the entry created from it.
    package func candidates(for similarity: Similarity, except id: UUID) async throws -> [SimilarRow] {
        try await connection.rows(Self.candidatesQuery(similarity.searchKeys, except: id), SimilarRow.init)
    }

    /// Each key reads only a few rows of an index, so the cost does not depend on the amount of data.
    static func candidatesQuery(_ keys: [Int32], except id: UUID) -> SQL {
        """
        with hits as materialized (
            select f.subject_id, count(*) as shared
            from unnest(\(keyText(keys))::integer[]) w (key)
            cross join lateral (
                select k.subject_id from curation.similarity_key k where k.key = w.key and k.subject_id <> \(id)
                order by k.subject_id desc limit \(perKey)) f
            group by f.subject_id order by 2 desc, 1 desc limit \(maxCandidates))
        select l.subject_id, l.is_entry, l.title, l.text, l.url, l.lat, l.lon, coalesce(s.type, v.type) as type,
            coalesce(s.title, r.content ->> 'title', '') as shown_title, a.name as source,
            coalesce(s.received_at, r.created_at) as since,
            case when not l.is_entry then curation.submission_state(s.id) end as state
        from hits h join curation.similarity l on l.subject_id = h.subject_id
        left join curation.submission s on s.id = l.subject_id and not l.is_entry
        left join ops.actor a on a.id = s.client_id
        left join curation.live v on v.entry_id = l.subject_id and l.is_entry
        left join curation.revision r on r.id = v.revision_id
        where case when l.is_entry
            then v.entry_id is not null and not exists (
                select from curation.entry e where e.id = l.subject_id and e.submission_id = \(id))
            else not exists (
                select from curation.entry e join curation.live w on w.entry_id = e.id where e.submission_id = l.subject_id)
            end
            and case when l.is_entry then \(AccessScope.current.entry("v", id: "v.entry_id"))
                else \(AccessScope.current.submission("s")) end
        order by h.shared desc, l.subject_id desc
        """
    }

    private static func keyText(_ keys: [Int32]) -> String {
        "{\(keys.map(String.init).joined(separator: ","))}"
    }

    // MARK: For background tasks

    /// Locks submissions that are not screened yet, oldest first.
    package func unscreened(limit: Int) async throws -> [SubjectRow] {
        try await connection.rows(
            """
            with due as materialized (
                select submission_id from curation.queue_item where risk_order = 101
                order by received_at, submission_id limit \(limit) for update skip locked)
            select s.id, false as is_entry, s.type, coalesce(v.fields, s.fields) as fields, s.source_url, s.client_id,
                \(SubjectRow.contributor), date_trunc('hour', s.received_at)::text as hour
            from due d join curation.submission s on s.id = d.submission_id
            \(SubmissionStore.latestVersion("fields"))
            order by s.received_at, s.id
            """, SubjectRow.init)
    }

    /// Items and places published since the last call, and whether `limit` edits of any kind were read, so that more
    /// may follow. Locks the cursor until the commit, so that only one caller reads at a time.
    package func published(limit: Int) async throws -> (subjects: [SubjectRow], isFull: Bool) {
        let rows = try await connection.rows(
            """
            with cursor as materialized (select publication, entry_id from curation.screening_cursor for update),
            due as materialized (
                -- Compared with two values, not with a row of a join: only then can the index be used.
                select c.publication, c.entry_id, c.kind, c.new_revision from curation.publication_change c
                where (c.publication, c.entry_id) > ((select publication from cursor), (select entry_id from cursor))
                order by c.publication, c.entry_id limit \(limit)),
            read as (
                update curation.screening_cursor k set publication = d.publication, entry_id = d.entry_id
                from (select * from due order by publication desc, entry_id desc limit 1) d)
            select (select count(*) from due) as n, f.*
            from (values (true)) one (is_there) left join (
                select e.id, true as is_entry, e.type, r.content as fields, null::text as source_url,
                    null::uuid as client_id, null::text as contributor, null::text as hour
                from (select distinct on (entry_id) * from due order by entry_id, publication desc) d
                join curation.entry e on e.id = d.entry_id join curation.revision r on r.id = d.new_revision
                where d.kind in ('item', 'place')) f on true
            """
        ) { (read: try $0("n") as Int, subject: try $0("id") as UUID? == nil ? nil : try SubjectRow(row: $0)) }
        return (rows.compactMap(\.subject), rows.first?.read == limit)
    }

    /// Saves the compared values in one statement; deletes keys that no longer apply.
    package func save(_ all: [(id: UUID, isEntry: Bool, similarity: Similarity)]) async throws {
        if all.isEmpty { return }
        func column(_ value: ((id: UUID, isEntry: Bool, similarity: Similarity)) -> Bind) -> Bind {
            .array(all.map(value))
        }
        try await connection.run(
            """
            with input as materialized (
                select i.id, i.is_entry, i.title, i.text, i.url, i.lat, i.lon, i.keys::integer[] as keys
                from unnest(\(column { $0.id.postgresBind })::uuid[], \(column { .text(String($0.isEntry)) })::boolean[],
                    \(column { .text($0.similarity.title) })::text[], \(column { .text($0.similarity.text) })::text[],
                    \(column { Bind($0.similarity.url) })::text[], \(column { Bind(($0.similarity.point?.lat).map(String.init(describing:))) })::float8[],
                    \(column { Bind(($0.similarity.point?.lon).map(String.init(describing:))) })::float8[],
                    \(column { .text(Self.keyText($0.similarity.keys)) })::text[])
                as i (id, is_entry, title, text, url, lat, lon, keys)),
            removed as (
                delete from curation.similarity_key k using curation.similarity l, input i
                where l.subject_id = i.id and k.subject_id = i.id and k.key = any(l.keys) and k.key <> all(i.keys)),
            added as (
                insert into curation.similarity_key (key, subject_id) select unnest(keys), id from input
                on conflict do nothing)
            insert into curation.similarity (subject_id, is_entry, title, text, url, lat, lon, keys)
            select id, is_entry, title, text, url, lat, lon, keys from input
            on conflict (subject_id) do update set title = excluded.title, text = excluded.text,
                url = excluded.url, lat = excluded.lat, lon = excluded.lon, keys = excluded.keys
            """)
    }

}
