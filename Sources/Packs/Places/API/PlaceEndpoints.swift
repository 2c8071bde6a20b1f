// Places: nearest first, in a box, by ids, or one.
import API
import Domain
import Store

enum PlaceEndpoints {
    /// The key of the text that an app shows if nothing matches (B38, B41).
    private static let noMatch = "places.no_match"
    /// The least width and height of the box around suggestions, in meters: a map can show it.
    static let leastExtent = 1000.0

    /// `GET /v1/places`
    static func list(_ read: ReadCall) async throws -> ReadResponse {
        let origin = try read.query.position()
        if let ids = try read.setOfIDs(allowing: ["lat", "lon", "locale"]) {
            let (page, missing) = try await read.reads.places.set(ids, from: origin, read.language())
            return .set(page, missing: missing)
        }
        var filter = PlaceReadFilter()
        filter.city = read.query.idsOrSlugs("city").first.map { IDOrSlug($0) }
        filter.categories = read.categories()
        filter.box = read.query.box("box")
        filter.origin = origin
        filter.sort = read.query["sort"].flatMap(PlaceSort.init) ?? .distance
        // Means have two decimals. The epsilon keeps 1.1 (stored as 1.1000…01) from becoming 1.11.
        filter.minRating = read.query.decimal("min_rating").map { Int64(($0 * 100 - 1e-6).rounded(.up)) }
        guard filter.city != nil || filter.box != nil || origin != nil || filter.sort == .rating else {
            throw Failure.invalid(
                FieldErrors("/query/city", "required", "Set a city, lat and lon, or a box."))
        }
        let found = try await read.reads.places.page(filter, read.language(), cursor: read.cursor)
        if let city = filter.city, !found.hasCity, let response = try await read.elsewhere("city", city, in: "city") {
            return response
        }
        try await read.requireKnownCategories(whenEmpty: found.page)
        if found.page.count > 0 || read.cursor != nil { return .page(found.page) }
        return .pageWith(found.page, try members(found, filter))
    }

    /// Members added to an empty list: a text to show, the closest places, and for a box one that contains its center and
    /// them (B41).
    private static func members(_ found: PlacePage, _ filter: PlaceReadFilter) throws -> String {
        let closest = String(decoding: found.closest.documents, as: UTF8.self)
        var members = #","message":"\#(noMatch)","closest":[\#(closest)]"#
        if let box = filter.box {
            let points = (box.center.map { [$0] } ?? []) + found.closestPoints
            let around = GeoBox.around(points, atLeast: leastExtent) ?? box
            let edges = [around.west, around.south, around.east, around.north].map { JSONValue.number($0) }
            members += ",\"box\":" + JSONValue.array(edges).canonicalText
        }
        return members
    }

    /// `GET /v1/places/{id_or_slug}`
    static func find(_ read: ReadCall) async throws -> ReadResponse {
        let origin = try read.query.position()
        if let document = try await read.reads.places.find(read.idOrSlug, from: origin, read.language()) {
            return .document(document)
        }
        return try await .elsewhere("place", read.idOrSlug, in: read.reads, path: "/v1/places/", suffix: read.suffix)
    }
}
