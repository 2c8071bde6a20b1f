// Videos with their streams (A37, A38).
import Domain
import Store

enum VideoEndpoints {
    /// `GET /v1/videos/{id_or_slug}`
    static func find(_ read: ReadCall) async throws -> ReadResponse {
        if let document = try await read.reads.videos.find(read.idOrSlug) { return .document(document) }
        return try await .elsewhere("item", read.idOrSlug, in: read.reads, path: "/v1/videos/", suffix: read.suffix)
    }
}
