// What the pages need to look things up in catalogues.
import Catalogues

package struct CatalogueDesk: Sendable {
    package let rules: CatalogueRules
    package let lookUp: LookUpCatalogue

    package init(rules: CatalogueRules, lookUp: LookUpCatalogue) {
        self.rules = rules
        self.lookUp = lookUp
    }
}
