// The query parameters of places, cities and promotions.
import API

extension QueryParameter {
    static let prefix = QueryParameter("q", .text(max: 200), "Search query; matches the start of any word of a name.")
    static let hasPlaces = QueryParameter("has_places", .flag, "Only with, or only without, places.")
    static let city = QueryParameter("city", .idsOrSlugs(max: 1), "The id or slug of one city.")
    static let lat = QueryParameter("lat", .degrees(limit: 90), "Latitude of the reader; requires lon.")
    static let lon = QueryParameter("lon", .degrees(limit: 180), "Longitude of the reader; requires lat.")
    static let box = QueryParameter(
        "box", .box,
        "Only in this box: west,south,east,north in degrees, edges included; west is greater than east where it crosses "
            + "the 180th meridian.")
    static let minRating = QueryParameter(
        "min_rating", .decimal(max: 5), "Only places whose mean rating, with two decimals, is at least this.")
    static let placeOrder = QueryParameter(
        "sort", .choice(PlaceSort.allCases.map(\.rawValue)),
        "`distance` (default): nearest first; `rating`: highest mean first, then most reviews.")
    static let places = QueryParameter("places", .ids(max: 100), "Only of these places, by id.")
    static let promotionState = QueryParameter(
        "state", .choice(PromotionReadFilter.State.allCases.map(\.rawValue)),
        "Only promotions that are, or aren't yet, on.")
    static let promotionOrder = QueryParameter(
        "order", .choice(PromotionReadFilter.Order.allCases.map(\.rawValue)),
        "`start` (default): current ones first, then by start; `distance`: nearest to lat and lon, else to the center of "
            + "the box or city.")
}
