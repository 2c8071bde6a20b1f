// Search over all published content (A27).
import Domain
import Store

enum SearchEndpoints {
    /// `GET /v1/search`
    static func list(_ read: ReadCall) async throws -> ReadResponse {
        guard let words = read.query["q"] else {
            throw Failure.invalid(FieldErrors("/query/q", "required", "Enter a search query."))
        }
        let found: SearchPage
        do {
            found = try await read.reads.search.page(words, type: try read.type(), cursor: read.cursor)
        } catch is SearchWithoutTerm {
            throw Failure.invalid(
                FieldErrors(
                    "/query/q", "term_required",
                    "Enter a word to find; a query, or an alternative after “or”, can't have exclusions only."))
        }
        let corrected = found.correctedQuery.map(JSONValue.string)?.canonicalText ?? "null"
        return .pageWith(found.page, ",\"searched\":\(corrected)")
    }
}
