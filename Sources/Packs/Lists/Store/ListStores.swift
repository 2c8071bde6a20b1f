// Names each store of lists and catalogs once, for reading and for writing.
import Domain
import Store

extension Stores {
    package var catalogs: CatalogStore { CatalogStore(connection: connection) }
    package var catalogSources: CatalogSourceStore { CatalogSourceStore(connection: connection) }
}

extension ReadStores {
    package var lists: ListReads { ListReads(connection: connection) }
    package var catalogs: CatalogReads { CatalogReads(connection: connection) }
}
