// Reviews of places: of one place, newest first, or one (B56).
import API
import Domain
import Store

enum ReviewEndpoints {
    /// `GET /v1/places/{id_or_slug}/reviews`
    static func ofPlace(_ read: ReadCall) async throws -> ReadResponse {
        let page = try await read.reads.reviews.page(of: read.idOrSlug, cursor: read.cursor)
        return try await .members(
            page, of: "place", read.idOrSlug, in: read.reads, path: "/v1/places/", suffix: "/reviews" + read.suffix)
    }

    /// `GET /v1/reviews/{id}`: reviews have no slug.
    static func find(_ read: ReadCall) async throws -> ReadResponse {
        guard let id = ID<Entry>(read.call.path("id")) else { throw Failure.missing("review") }
        if let document = try await read.reads.reviews.find(id) { return .document(document) }
        return try await .elsewhere("review", .id(id), in: read.reads, path: "/v1/reviews/")
    }
}
