// Keeps descriptions that did not come from a source that can be asked: an import, a demo.
import Domain
import Store

package struct SaveCatalogRecords: Sendable {
    private let database: Database

    package init(database: Database) {
        self.database = database
    }

    /// The ids in the order of the records, each of which names another thing.
    package func callAsFunction(
        _ records: [CatalogRecord], kind: CatalogKind, source: String, by actor: Actor
    ) async throws -> [ID<CatalogItem>] {
        try actor.require(.edit, "add to the catalogs")
        let event = AuditEvent(
            "catalog.record", on: "catalog", kind.name,
            detail: ["source": .string(source), "items": .int(Int64(records.count))])
        return try await database.change(by: actor, event) { change in
            try await change.catalogs.record(
                records, areWhole: true, kind: kind.name, source: source, by: RefreshCatalog.actor)
        }
    }
}
