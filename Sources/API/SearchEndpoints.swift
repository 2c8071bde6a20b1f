// Search over all published content (A27).
import Domain
import Store

enum SearchEndpoints {
    /// `GET /v1/search`
    static func list(_ read: ReadCall) async throws -> ReadResponse {
        guard let words = read.query["q"] else {
            throw Failure.invalid(FieldErrors("/query/q", "required", "Enter a search query."))
        }
        let found = try await read.reads.search.page(words, type: try read.type(), cursor: read.cursor)
        let corrected = found.correctedQuery.map(JSONValue.string)?.canonicalText ?? "null"
        return .pageWith(found.page, ",\"searched\":\(corrected)")
    }
}
