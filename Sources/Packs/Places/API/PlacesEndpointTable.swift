// The endpoints of the pack places.
import API
import Store

extension Pack {
    static let apiEndpoints: [APIEndpoint] = [
        .read(
            "/v1/cities", .read, .preview, "List cities, largest first",
            query: [.cursor, .prefix, .hasPlaces], keeping: .untilChange(["city"]), CityEndpoints.list),
        .read(
            "/v1/cities/{id_or_slug}", .read, .preview, "Show a city", keeping: .untilChangeOfRow(["city"]),
            CityEndpoints.find),
        .read(
            "/v1/cities/{id_or_slug}/categories", .read, .preview, "List the categories with places in a city",
            query: [.locale], CityEndpoints.categories),
        .read(
            "/v1/places", .read, .preview, "List places, nearest first or by rating",
            query: [.cursor, .city, .lat, .lon, .box, .category, .minRating, .placeOrder, .ids, .locale],
            moments: .of("places"), PlaceEndpoints.list),
        .read(
            "/v1/places/{id_or_slug}", .read, .preview, "Show a place", query: [.lat, .lon, .locale],
            moments: .of("places"),
            PlaceEndpoints.find),
        .read(
            "/v1/places/{id_or_slug}/reviews", .read, .preview, "List the reviews of a place, newest first",
            query: [.cursor], ReviewEndpoints.ofPlace),
        .read("/v1/reviews/{id}", .read, .preview, "Show a review", ReviewEndpoints.find),
        .read(
            "/v1/promotions", .read, .preview, "List promotions by start or by distance",
            query: [
                .cursor, .city, .box, .category, .places, .promotionState, .promotionOrder, .lat, .lon,
            ], moments: .of("places"), PromotionEndpoints.list),
        .read(
            "/v1/promotions/{id_or_slug}", .read, .preview, "Show a promotion", query: [.lat, .lon],
            moments: .of("places"),
            PromotionEndpoints.find),
    ]
}
