// The query parameters of routes.
import API

extension QueryParameter {
    static let cityName = QueryParameter("city", .text(max: 200), "Only of this city; ignores case and accents.")
    static let order = QueryParameter(
        "order", .choice(["weighted", "distance"]), "`weighted` (default): distance divided by multiplier.")
    static let from = QueryParameter("from", .point, "Where the trip starts: lat,lon in degrees; requires to.")
    static let to = QueryParameter("to", .point, "Where the trip ends: lat,lon in degrees; requires from.")
    static let maxDetour = QueryParameter(
        "max_detour", .decimal(max: RouteTrip.detourLimit),
        "The most meters from `from` to the start of a route and from its end to `to` together, inclusive; default: the "
            + "setting `routes.max_detour_m`.")
}
