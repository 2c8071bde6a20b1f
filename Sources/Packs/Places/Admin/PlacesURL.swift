// The pages of the pack places: paths, endpoints and navigation.
import Admin
import Domain
import Localization
import Store

package enum PlacesURL: String, AdminPath {
    case promotions = "/promotions"
    case fileImport = "/import"
    case fileImportPlan = "/import/plan"
}

extension Pack {
    static let pages: [AdminEndpoint] = [
        .get(PlacesURL.promotions, .may(.readQueue), .none, PromotionPages.list),
        .get(PlacesURL.fileImport, .may(.edit), .none) { try await ImportPages.new($0) },
        .post(PlacesURL.fileImportPlan, .may(.edit), .operation, ImportPages.plan),
        .post(PlacesURL.fileImport, .may(.edit), .operation, ImportPages.apply),
    ]

    static let navigation: PackPages.Navigation = {
        [
            (tr("Promotions", context: "section"), PlacesURL.promotions(), .readQueue),
            (tr("Import", context: "navigation"), PlacesURL.fileImport(), .edit),
        ]
    }
}
