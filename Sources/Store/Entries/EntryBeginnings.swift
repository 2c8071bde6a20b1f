// How entries begin, for lists.
import Domain
import Postgres

extension EntryStore {
    /// The beginnings of the newest revisions, as markup where the field has markup. `fields`: for each content type the names of the
    /// fields to begin with, in order of preference.
    package func beginnings(
        of ids: [ID<Entry>], fields: [String: [String]]
    ) async throws -> [ID<Entry>: String] {
        if ids.isEmpty { return [:] }
        let names = JSONValue.object(fields.mapValues { .array($0.map(JSONValue.string)) }).canonicalText
        let rows = try await connection.rows(
            """
            select e.id, b.beginning from curation.entry e
            cross join lateral (\(Self.newest)) n
            cross join lateral (
                select left(n.content ->> f.name, \(fixed: SummaryStore.length)) as beginning
                from jsonb_array_elements_text(\(names)::jsonb -> e.type) with ordinality f (name, number)
                where n.content ->> f.name <> '' order by f.number limit 1) b
            where e.id = any(\(ids)::uuid[])
            """
        ) { (try $0("id") as ID<Entry>, try $0("beginning") as String) }
        return Dictionary(rows) { first, _ in first }
    }
}
