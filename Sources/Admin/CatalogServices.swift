// What the pages need to look things up in catalogs.
import Catalogs

package struct CatalogServices: Sendable {
    package let rules: CatalogRules
    package let lookUp: SearchCatalog

    package init(rules: CatalogRules, lookUp: SearchCatalog) {
        self.rules = rules
        self.lookUp = lookUp
    }
}
