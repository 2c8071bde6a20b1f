// The names that entries have in a field of names and values, to suggest them to others.
import Domain
import Postgres

extension EntryStore {
    /// The names in these fields of the newest 100 entries of a type, in their newest versions; by field, most frequent first. Of
    /// these entries, those outside the access scope of the page don't count.
    package func usedNames(of type: String, in fields: [String]) async throws -> [String: [String]] {
        let found = try await connection.rows(
            """
            select f.name as field, k.name as name
            from (select e.id, e.type from curation.entry e where e.type = \(type) order by e.id desc limit 100) e
            cross join lateral (\(Self.newest)) n
            cross join unnest(\(fields)::text[]) f (name)
            cross join lateral jsonb_object_keys(
                case jsonb_typeof(n.content -> f.name) when 'object' then n.content -> f.name else '{}' end) k (name)
            where \(AccessScope.current.entry("e"))
            group by f.name, k.name order by count(*) desc, k.name limit 200
            """
        ) { (try $0("field") as String, try $0("name") as String) }
        return Dictionary(grouping: found) { $0.0 }.mapValues { $0.map { $0.1 } }
    }
}
