// The pages of the pack routes: paths, endpoints and navigation.
import Admin
import Domain
import Localization
import Store

package enum RoutesURL: String, AdminPath {
    case routes = "/routes"
    case routesSimulate = "/routes/simulate"
    case route = "/routes/{id}"
}

extension Pack {
    static let pages: [AdminEndpoint] = [
        .get(RoutesURL.routes, .may(.readQueue), .type("route"), RoutePages.list),
        .get(RoutesURL.routesSimulate, .may(.createRelease), .type("route"), RoutePages.simulate),
        .get(RoutesURL.route, .may(.readQueue), .entry("id"), RoutePages.show),
    ]

    static let navigation: PackPages.Navigation = {
        [
            (tr("Routes", context: "navigation"), RoutesURL.routes())
        ]
    }
}
