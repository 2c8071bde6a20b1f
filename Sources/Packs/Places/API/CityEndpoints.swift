// Cities, and the categories that have places in them (B26, B27, K8).
import API
import Store

enum CityEndpoints {
    private static let path = "/v1/cities/"

    /// `GET /v1/cities`
    static func list(_ read: ReadCall) async throws -> ReadResponse {
        let hasPlaces = read.query.flag("has_places")
        return .page(try await read.reads.cities.page(read.query["q"], hasPlaces: hasPlaces, cursor: read.cursor))
    }

    /// `GET /v1/cities/{id_or_slug}`
    static func find(_ read: ReadCall) async throws -> ReadResponse {
        if let document = try await read.reads.cities.find(read.idOrSlug) { return .document(document) }
        return try await .elsewhere("city", read.idOrSlug, in: read.reads, path: path, suffix: read.suffix)
    }

    /// `GET /v1/cities/{id_or_slug}/categories`
    static func categories(_ read: ReadCall) async throws -> ReadResponse {
        if let page = try await read.reads.cities.categories(of: read.idOrSlug, read.language()) {
            return .page(page)
        }
        return try await .elsewhere(
            "city", read.idOrSlug, in: read.reads, path: path, suffix: "/categories" + read.suffix)
    }
}
