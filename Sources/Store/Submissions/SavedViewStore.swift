// Saved views: filters and sort order of a list under a name, personal or shared.
import Domain
import Postgres

package struct SavedViewRow: Sendable {
    package let id: ID<SavedView>
    package let name: String
    /// The query string of the list.
    package let query: String
    package let owner: ID<Account>
    package let ownerName: String
    package let isShared: Bool

    init(row: Row) throws {
        id = try row("id")
        name = try row("name")
        query = try row("query")
        owner = try row("owner_id")
        ownerName = try row("owner_name")
        isShared = try row("is_shared")
    }
}

package struct SavedViewStore: Sendable {
    let connection: StoreConnection

    /// A person's own views and those shared by others, by name.
    package func visible(to account: ID<Account>) async throws -> [SavedViewRow] {
        try await connection.rows(
            """
            select v.id, v.name, v.query, v.owner_id, a.name as owner_name, v.is_shared
            from curation.saved_view v join ops.actor a on a.id = v.owner_id
            where v.owner_id = \(account) or v.is_shared order by lower(v.name), v.id limit 200
            """, SavedViewRow.init)
    }

    package func find(_ id: ID<SavedView>) async throws -> SavedViewRow? {
        try await connection.first(
            """
            select v.id, v.name, v.query, v.owner_id, a.name as owner_name, v.is_shared
            from curation.saved_view v join ops.actor a on a.id = v.owner_id where v.id = \(id)
            """, SavedViewRow.init)
    }

    package func add(name: String, query: String, isShared: Bool, of account: ID<Account>) async throws {
        try await connection.run(
            """
            insert into curation.saved_view (name, query, is_shared, owner_id)
            values (\(name), \(query), \(isShared), \(account))
            """)
    }

    package func remove(_ id: ID<SavedView>) async throws {
        try await connection.run("delete from curation.saved_view where id = \(id)")
    }
}
