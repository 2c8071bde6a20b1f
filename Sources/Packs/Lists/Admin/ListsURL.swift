// The pages of the pack lists: paths, endpoints and navigation.
import Admin
import Domain
import Localization
import Store

package enum ListsURL: String, AdminPath {
    case catalog = "/catalog"
    case catalogItem = "/catalog/{id}"
}

extension Pack {
    static let pages: [AdminEndpoint] = [
        .get(ListsURL.catalog, .may(.readQueue), .none) { try await CatalogPages.list($0) },
        .post(ListsURL.catalog, .may(.publish), .none, CatalogPages.setListed),
        .get(ListsURL.catalogItem, .may(.readQueue), .none) { try await CatalogPages.show($0) },
        .post(ListsURL.catalogItem, .may(.publish), .none, CatalogPages.move),
    ]

    /// Sources of catalogs that fail since their last attempt.
    static let attention: PackPages.Attention = { request in
        let failing = try await request.database.catalogSources.all().count { $0.failingSince != nil }
        return [(tr("Failing catalog sources"), failing, ListsURL.catalog())]
    }

    static let navigation: PackPages.Navigation = {
        [
            (tr("Catalogs", context: "section"), ListsURL.catalog())
        ]
    }
}
