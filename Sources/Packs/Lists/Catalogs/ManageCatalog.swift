// Lists or unlists catalog items, and moves an item to another source.
import Domain
import Localization
import Store

package struct ManageCatalog: Sendable {
    private let database: Database
    private let rules: CatalogRules

    package init(database: Database, rules: CatalogRules) {
        self.database = database
        self.rules = rules
    }

    /// Lists or unlists items in the app's catalog. Items in published lists stay visible there. Returns the
    /// publication, or nil when nothing changed.
    package func setListed(_ ids: [ID<CatalogItem>], _ isListed: Bool = true, by actor: Actor) async throws -> Int64? {
        try actor.require(.publish, tr("list or unlist catalog items"))
        _ = try await database.catalogs.findAll(ids)
        let event = AuditEvent(
            isListed ? "catalog.relist" : "catalog.unlist", on: "catalog",
            detail: ["items": .array(ids.map { .string($0.description) })])
        return try await database.transaction(by: actor, event) { transaction in
            try await transaction.catalogs.setListed(ids, isListed, by: actor)
        }
    }

    /// Moves an item to another source or another id there; our id, and with it every list, stays (D34). The next
    /// refresh loads the details from that source, which must be one of the item's catalog. Returns the publication, or nil for an item that is not published.
    package func move(
        _ id: ID<CatalogItem>, source: String, externalID: String, by actor: Actor
    ) async throws -> Int64? {
        try actor.require(.publish, tr("move catalog items to another source"))
        guard let item = try await database.catalogs.find(id) else { throw Failure.missing(tr("catalog item")) }
        let externalID = PlainText.singleLine(externalID)
        var errors = FieldErrors()
        let sources = rules.sources(of: item.kind).map(\.name)
        if !sources.contains(source) {
            let names = sources.joined(separator: ", ")
            errors.add(
                "/source", "choice", tr("\(source) is no source of the catalog \(item.kind). Choose one of: \(names)."))
        }
        if externalID.isEmpty { errors.add("/external_id", "required", tr("Enter the item's id at the source.")) }
        if externalID.utf8.count > ReceivedCatalogItem.externalIDLength {
            errors.add("/external_id", "too_long", tr("Enter at most \(ReceivedCatalogItem.externalIDLength) bytes."))
        }
        try errors.throwIfAny()
        let event = AuditEvent(
            "catalog.move", on: "catalog_item", id.description,
            detail: ["source": .string(source), "external_id": .string(externalID)])
        return try await database.transaction(by: actor, event) { transaction in
            try await transaction.catalogs.move(id, source: source, externalID: externalID, by: actor)
        }
    }
}
