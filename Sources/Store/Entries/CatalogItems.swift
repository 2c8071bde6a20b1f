// The catalog items that fields of the type `catalog_item` refer to. A pack stores them.
import Domain
import FoundationEssentials
import Postgres

package protocol CatalogItems: Sendable {
    /// These items, in this order; unknown ids are omitted.
    func find(_ ids: [ID<CatalogItem>]) async throws -> [CatalogItemRow]
    func find(kind: String, source: String, externalID: String) async throws -> CatalogItemRow?
    /// The stored items that each reference names, at most ten.
    func matches(for references: [CatalogReference]) async throws -> [CatalogReference: [CatalogItemRow]]
    /// The newest stored items with this text in their title.
    func find(titled text: String, limit: Int) async throws -> [CatalogItemRow]
    /// The items that the revisions of a release reference, for a bundle.
    func used(byRelease number: Int64) async throws -> [JSONValue]
    /// Adds missing items with their original ids.
    func keep(_ items: [ReceivedCatalogItem]) async throws
}

extension Stores {
    /// Nil if no enabled pack has catalogs.
    package var catalogItems: (any CatalogItems)? { connection.catalogItems }
}

extension StoreConnection {
    var catalogItems: (any CatalogItems)? {
        packs.all.lazy.compactMap(\.catalogItems).first?(self)
    }
}

/// One stored item of a catalog.
package struct CatalogItemRow: Sendable {
    package let id: ID<CatalogItem>
    package let kind: String
    package let source: String
    /// Its id at the source.
    package let externalID: String
    package let title: String
    package let details: JSONValue
    /// When the source first returned this record.
    package let fetchedAt: Date
    /// When the source last confirmed it unchanged.
    package let checkedAt: Date
    package let isListed: Bool
    /// Visible to readers: listed, or referenced by a live list.
    package let isPublic: Bool

    package init(row: Row) throws {
        id = try row("id")
        kind = try row("kind")
        source = try row("source")
        externalID = try row("external_id")
        title = try row("title")
        details = try row("details")
        fetchedAt = try row("fetched_at")
        checkedAt = try row("checked_at")
        isListed = try row("is_listed")
        isPublic = try row("is_public")
    }
}

/// A catalog item as exported by another deployment.
package struct ReceivedCatalogItem: Sendable {
    package let id: ID<CatalogItem>
    package let kind: String
    package let source: String
    package let externalID: String
    package let title: String
    package let details: JSONValue

    /// In bytes.
    package static let externalIDLength = 500
    /// In characters; longer titles are cut.
    package static let titleLength = 300

    package init(
        id: ID<CatalogItem>, kind: String, source: String, externalID: String, title: String, details: JSONValue
    ) {
        self.id = id
        self.kind = kind
        self.source = source
        self.externalID = externalID
        self.title = title
        self.details = details
    }
}
