// Promotions: of a city, a box, places or categories, by start or by distance, or one (B48, B49, B50, B53).
import API
import Domain
import Store

enum PromotionEndpoints {
    private static let path = "/v1/promotions/"

    /// `GET /v1/promotions`
    static func list(_ read: ReadCall) async throws -> ReadResponse {
        var filter = PromotionReadFilter()
        filter.city = read.query.idsOrSlugs("city").first.map { IDOrSlug($0) }
        filter.places = read.query.ids("places")
        filter.categories = read.categories()
        filter.box = read.query.box("box")
        filter.state = read.query["state"].flatMap(PromotionReadFilter.State.init)
        filter.order = read.query["order"].flatMap(PromotionReadFilter.Order.init) ?? .start
        filter.origin = try read.query.position()
        if filter.order == .distance, filter.city == nil, filter.box == nil, filter.origin == nil {
            throw Failure.invalid(
                FieldErrors("/query/order", "required", "For this order set lat and lon, a box or a city."))
        }
        let page = try await read.reads.promotions.page(filter, cursor: read.cursor)
        try await read.requireKnownCategories(whenEmpty: page)
        if page.count == 0, let city = filter.city, let response = try await read.elsewhere("city", city, in: "city") {
            return response
        }
        guard let places = filter.places else { return .page(page) }
        // A set of ids, like `ids` elsewhere: the response lists unpublished ones.
        let gone = try await read.reads.places.missing(among: places).map { "\"\($0)\"" }.joined(separator: ",")
        return .pageWith(page, #","gone":[\#(gone)]"#)
    }

    /// `GET /v1/promotions/{id_or_slug}`
    static func find(_ read: ReadCall) async throws -> ReadResponse {
        let origin = try read.query.position()
        if let document = try await read.reads.promotions.find(read.idOrSlug, from: origin) {
            return .document(document)
        }
        return try await .elsewhere("promotion", read.idOrSlug, in: read.reads, path: path, suffix: read.suffix)
    }
}
