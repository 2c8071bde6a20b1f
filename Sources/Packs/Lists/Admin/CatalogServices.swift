// The services of the pages for catalogs.
import Admin
import Domain
import HTTP

package struct CatalogServices: EntryCatalog {
    package let rules: CatalogRules
    package let search: SearchCatalog

    package init(rules: CatalogRules, search: SearchCatalog) {
        self.rules = rules
        self.search = search
    }

    package func label(of kind: String) -> String { rules.kinds[kind]?.label ?? kind }

    package func isSearching(_ form: FormFields) -> Bool { CatalogSearchPanel.requested(form) != nil }

    package func panel(
        _ request: AdminRequest, _ type: ContentType, action: String, chosen: Set<String>
    ) async throws -> (any Encodable & Sendable)? {
        try await CatalogSearchPanel(request, type, self, action: action, chosen: chosen)
    }

    /// Throws `missing` while the pack is not enabled, when its pages are not there either.
    static func of(_ request: AdminRequest) throws(Failure) -> CatalogServices {
        guard let services = request.context.packServices.find(CatalogServices.self) else { throw .missing("catalog") }
        return services
    }
}
