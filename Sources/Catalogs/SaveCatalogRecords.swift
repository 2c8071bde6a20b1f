// Saves catalog records that were not loaded from a source's API, such as demo content.
import Domain
import Localization
import Store

package struct SaveCatalogRecords: Sendable {
    private let database: Database

    package init(database: Database) {
        self.database = database
    }

    /// Returns the ids in the order of the records, which must have distinct external ids.
    package func callAsFunction(
        _ records: [CatalogRecord], kind: CatalogKind, source: String, by actor: Actor
    ) async throws -> [ID<CatalogItem>] {
        try actor.require(.edit, tr("add catalog items"))
        let event = AuditEvent(
            "catalog.update", on: "catalog", kind.name,
            detail: ["source": .string(source), "items": .int(Int64(records.count))])
        return try await database.transaction(by: actor, event) { transaction in
            try await transaction.catalogs.record(
                records, areComplete: true, kind: kind.name, source: source, by: RefreshCatalog.actor)
        }
    }
}
