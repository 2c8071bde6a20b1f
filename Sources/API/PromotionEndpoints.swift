// Promotions: of a city, of some places, or one (B48, B49, B53).
import Domain
import Store

enum PromotionEndpoints {
    private static let path = "/v1/promotions/"

    /// `GET /v1/promotions`
    static func list(_ read: ReadCall) async throws -> ReadResponse {
        let origin = try read.query.position()
        let city = read.query.idsOrSlugs("city").first.map { IDOrSlug($0) }
        let filter: PromotionReadFilter
        switch (city, read.query.ids("places")) {
        case (nil, nil): filter = .all
        case (let city?, nil): filter = .city(city)
        case (nil, let places?): filter = .places(places)
        default:
            throw Failure.invalid(FieldErrors("/query/places", "alone", "Set either city or places."))
        }
        let page = try await read.reads.promotions.page(filter, from: origin, cursor: read.cursor)
        guard let city else { return .page(page) }
        return try await .members(
            page, of: "city", city, in: read.reads, path: "/v1/promotions?city=",
            suffix: PathText.rest(of: read.call.request, without: "city"))
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
