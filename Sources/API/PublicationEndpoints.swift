// The newest publication: the version of all published content.
import Domain
import Store

enum PublicationEndpoints {
    /// `GET /v1/publication`
    static func newest(_ read: ReadCall) async throws -> ReadResponse {
        guard let document = try await read.reads.publications.newestDocument() else {
            throw Failure.missing("publication")
        }
        return .document(document)
    }
}
