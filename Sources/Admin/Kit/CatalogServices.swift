// The services of the admin pages for catalogs.
import Catalogs

package struct CatalogServices: Sendable {
    package let rules: CatalogRules
    package let search: SearchCatalog

    package init(rules: CatalogRules, search: SearchCatalog) {
        self.rules = rules
        self.search = search
    }
}
