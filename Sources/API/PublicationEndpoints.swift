// The newest publication: the version of all published content.
import Domain
import Store

enum PublicationEndpoints {
    /// `GET /v1/publication`
    static func newest(_ read: ReadCall) async throws -> ReadResponse {
        let document = try await read.reads.publications.newestDocument().orMissing("publication")
        return .document(document)
    }
}
