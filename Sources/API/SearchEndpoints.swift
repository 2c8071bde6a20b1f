// The search over everything published (A27).
import Domain
import Store

enum SearchEndpoints {
    /// `GET /v1/search`
    static func list(_ read: ReadCall) async throws -> ReadAnswer {
        guard let words = read.query["q"] else {
            throw Failure.invalid(FieldErrors("/query/q", "required", "Say what to look for."))
        }
        return .page(try await read.reads.search.page(words, type: try read.type(), cursor: read.cursor))
    }
}
