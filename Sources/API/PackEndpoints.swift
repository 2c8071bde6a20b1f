// The endpoints of the packs.

extension APISite {
    static let ofPacks: [String: [APIEndpoint]] = [
        "places": [
            .read(
                "/v1/cities", .read, .preview, "List cities, largest first", query: [.cursor, .prefix],
                CityEndpoints.list),
            .read("/v1/cities/{id_or_slug}", .read, .preview, "Show a city", CityEndpoints.find),
            .read(
                "/v1/cities/{id_or_slug}/categories", .read, .preview, "List the categories with places in a city",
                query: [.locale], CityEndpoints.categories),
            .read(
                "/v1/places", .read, .preview, "List places, nearest first",
                query: [.cursor, .city, .lat, .lon, .box, .category, .ids], moments: .promotions, PlaceEndpoints.list),
            .read(
                "/v1/places/{id_or_slug}", .read, .preview, "Show a place", query: [.lat, .lon], moments: .promotions,
                PlaceEndpoints.find),
            .read(
                "/v1/places/{id_or_slug}/reviews", .read, .preview, "List the reviews of a place, newest first",
                query: [.cursor], ReviewEndpoints.ofPlace),
            .read("/v1/reviews/{id}", .read, .preview, "Show a review", ReviewEndpoints.find),
            .read(
                "/v1/promotions", .read, .preview, "List promotions by start or by distance",
                query: [
                    .cursor, .city, .box, .category, .places, .promotionState, .promotionOrder, .lat, .lon,
                ], moments: .promotions, PromotionEndpoints.list),
            .read(
                "/v1/promotions/{id_or_slug}", .read, .preview, "Show a promotion", query: [.lat, .lon],
                moments: .promotions,
                PromotionEndpoints.find),
        ],
        "routes": [
            .read(
                "/v1/routes", .read, .preview,
                "List routes by weighted distance, with their current badges",
                query: [.cursor, .cityName, .order, .from, .to, .maxDetour], moments: .badges, RouteEndpoints.list),
            .read(
                "/v1/routes/{id_or_slug}", .read, .preview, "Show a route with its path and samples", moments: .badges,
                RouteEndpoints.find),
            .read("/v1/badges", .read, .preview, "List the badges of routes", RouteEndpoints.badges),
        ],
        "lists": [
            .read(
                "/v1/lists", .read, .preview, "List curated lists, most recently changed first",
                query: [.cursor, .owner, .subject],
                ListEndpoints.list),
            .read(
                "/v1/lists/{id_or_slug}", .read, .preview, "Show a list", query: [.format, .sort], ListEndpoints.find),
            .read(
                "/v1/lists/{id_or_slug}/items", .read, .preview, "List the items of a list", query: [.cursor, .sort],
                ListEndpoints.items),
            .read(
                "/v1/lists/{id_or_slug}/text", .read, .preview, "Show a list as plain text for sharing", query: [.sort],
                type: APIEndpoint.plainText, ListEndpoints.text),
            .read(
                "/v1/catalog/{kind}", .read, .preview, "List items of a catalog by title", query: [.cursor, .q],
                CatalogEndpoints.list),
            .read(
                "/v1/catalog/{kind}/{id}", .read, .preview, "Show a catalog item", CatalogEndpoints.find),
        ],
    ]
}
