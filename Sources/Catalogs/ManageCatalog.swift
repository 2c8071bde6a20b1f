// Shows items to readers or takes them out, and gives an item another source.
import Domain
import Store

package struct ManageCatalog: Sendable {
    private let database: Database
    private let rules: CatalogRules

    package init(database: Database, rules: CatalogRules) {
        self.database = database
        self.rules = rules
    }

    /// Lets readers browse these items, whether lists name them or not; or no longer. What live lists name stays. The
    /// publication, or nil when nothing changed.
    package func offer(_ ids: [ID<CatalogItem>], _ isListed: Bool = true, by actor: Actor) async throws -> Int64? {
        try actor.require(.publish, "change what readers see of the catalogs")
        let event = AuditEvent(
            isListed ? "catalog.relist" : "catalog.unlist", on: "catalog",
            detail: ["items": .array(ids.map { .string($0.description) })])
        return try await database.change(by: actor, event) { change in
            try await change.catalogs.offer(ids, isListed, by: actor)
        }
    }

    /// Gives an item another source, or another id there; our id, and with it every list, stays (D34). What that source
    /// says of it comes with the next refresh. The publication, or nil when readers do not see the item.
    package func move(
        _ id: ID<CatalogItem>, source: String, externalID: String, by actor: Actor
    ) async throws -> Int64? {
        try actor.require(.publish, "replace the source of an item")
        let place = PlainText.singleLine(externalID)
        var errors = FieldErrors()
        if CatalogRules.adapter(source) == nil {
            let names = CatalogRules.adapters.map(\.source).joined(separator: ", ")
            errors.add("/source", "choice", "There is no source named \(source); there are \(names).")
        }
        if place.isEmpty { errors.add("/external_id", "required", "The item's id at the source is needed.") }
        if place.utf8.count > CatalogRecord.externalIDLength {
            errors.add("/external_id", "too_long", "At most \(CatalogRecord.externalIDLength) bytes.")
        }
        try errors.throwIfAny()
        guard try await database.catalogs.find(id) != nil else { throw Failure.missing("catalog item") }
        let event = AuditEvent(
            "catalog.move", on: "catalog_item", id.description,
            detail: ["source": .string(source), "external_id": .string(place)])
        return try await database.change(by: actor, event) { change in
            try await change.catalogs.move(id, source: source, externalID: place, by: actor)
        }
    }
}
