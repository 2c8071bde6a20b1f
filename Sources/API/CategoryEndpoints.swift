// The two category groups and their categories (A23, B31).
import Domain
import Store

enum CategoryEndpoints {
    /// `GET /v1/categories`
    static func list(_ read: ReadCall) async throws -> ReadResponse {
        .page(try await read.reads.categories.groups(read.language()))
    }

    /// `GET /v1/categories/{id_or_slug}`
    static func find(_ read: ReadCall) async throws -> ReadResponse {
        if let document = try await read.reads.categories.find(read.idOrSlug, read.language()) {
            return .document(document)
        }
        return try await .elsewhere(
            "category", read.idOrSlug, in: read.reads, path: "/v1/categories/", suffix: read.suffix)
    }
}
