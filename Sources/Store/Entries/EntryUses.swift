// The published entries that reference an entry.
import Domain
import Postgres

/// A published entry that references another one.
package struct EntryUse: Sendable {
    package let id: ID<Entry>
    package let kind: ContentType.Kind
    package let title: String
}

extension EntryStore {
    /// Those of the access scope, newest first, each once, as readers see them.
    package func uses(of id: ID<Entry>, limit: Int) async throws -> [EntryUse] {
        let scope: SQL = AccessScope.current.isAll ? "" : " and \(AccessScope.current.entry("e"))"
        return try await connection.rows(
            """
            select e.id, e.kind, coalesce(r.content ->> 'title', '') as title
            from curation.live l
            join curation.revision r on r.id = l.revision_id
            join curation.entry e on e.id = l.entry_id
            where l.revision_id in (select f.revision_id from curation.reference f where f.target_entry_id = \(id))\(scope)
            order by e.id desc limit \(limit)
            """
        ) { EntryUse(id: try $0("id"), kind: ContentType.Kind(rawValue: try $0("kind")), title: try $0("title")) }
    }
}
