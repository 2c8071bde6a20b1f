// Keeps descriptions that did not come from a source that can be asked: an import, a demonstration.
import Domain
import Store

package struct KeepCatalogueRecords: Sendable {
    private let database: Database

    package init(database: Database) {
        self.database = database
    }

    /// The ids in the order of the records, each of which names another thing.
    package func callAsFunction(
        _ records: [CatalogueRecord], kind: CatalogueKind, source: String, by actor: Actor
    ) async throws -> [ID<CatalogueItem>] {
        try actor.require(.edit, "add to the catalogues")
        let event = AuditEvent(
            "catalogue.record", on: "catalogue", kind.name,
            detail: ["source": .string(source), "items": .int(Int64(records.count))])
        return try await database.change(by: actor, event) { change in
            try await change.catalogues.record(
                records, areWhole: true, kind: kind.name, source: source, by: RefreshCatalogue.actor)
        }
    }
}
