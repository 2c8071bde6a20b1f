// The pages of the pack places: paths, endpoints and navigation.
import Admin
import Domain
import Localization
import Store

package enum PlacesURL: String, AdminPath {
    case promotions = "/promotions"
    case promotionSchedule = "/promotions/{id}/schedule"
    case promotionScheduleUndo = "/promotions/{id}/schedule/undo"
    case fileImport = "/import"
    case fileImportPlan = "/import/plan"
}

extension Pack {
    static let pages: [AdminEndpoint] = [
        .get(PlacesURL.promotions, .may(.readQueue), .type("promotion"), PromotionPages.list),
        .get(PlacesURL.promotionSchedule, .may(.suggest), .entry("id")) { try await PromotionTimePages.ask($0) },
        .post(PlacesURL.promotionSchedule, .may(.suggest), .entry("id"), PromotionTimePages.move),
        .post(PlacesURL.promotionScheduleUndo, .may(.suggest), .entry("id"), PromotionTimePages.undo),
        .get(PlacesURL.fileImport, .may(.edit), .unrestricted) { try await ImportPages.new($0) },
        .post(PlacesURL.fileImportPlan, .may(.edit), .unrestricted, ImportPages.plan),
        .post(PlacesURL.fileImport, .may(.edit), .unrestricted, flags: [.creates], ImportPages.apply),
    ]

    static let navigation: PackPages.Navigation = {
        [
            (tr("Promotions", context: "section"), PlacesURL.promotions()),
            (tr("Import", context: "navigation"), PlacesURL.fileImport()),
        ]
    }
}
