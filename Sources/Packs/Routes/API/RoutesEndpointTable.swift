// The endpoints of the pack routes.
import API
import Store

extension Pack {
    static let apiEndpoints: [APIEndpoint] = [
        .read(
            "/v1/routes", .read, .preview,
            "List routes by weighted distance, with their current badges",
            query: [.cursor, .cityName, .order, .from, .to, .maxDetour], moments: .of("routes"), RouteEndpoints.list),
        .read(
            "/v1/routes/{id_or_slug}", .read, .preview, "Show a route with its path and samples",
            moments: .of("routes"),
            RouteEndpoints.find),
        .read("/v1/badges", .read, .preview, "List the badges of routes", RouteEndpoints.badges),
    ]
}
