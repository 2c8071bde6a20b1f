// Routes as curators see them: found by their source, measured, and what the badge rules said of them.
import Domain
import FoundationEssentials
import Postgres

package struct RouteStore: Sendable {
    let connection: StoreConnection

    /// The route that was imported from this source, if any; the newest where there are several.
    package func find(source: String) async throws -> ID<Entry>? {
        try await connection.first(
            """
            select r.entry_id from curation.revision r join curation.entry e on e.id = r.entry_id
            where r.content ->> 'source' = \(source) and r.content ? 'path' and e.kind = 'route'
            order by r.entry_id desc limit 1
            """
        ) { try $0("entry_id") }
    }
}
