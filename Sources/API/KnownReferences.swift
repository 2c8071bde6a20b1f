// The rule for references in queries: unknown ones are 404, unpublished ones 410, never an empty list.
import Domain
import Store

extension ReadCall {
    /// Throws if an empty page is the result of a filter that names nothing readers see. Of several references one is
    /// enough: a category that lost its last member does not make the others useless.
    func requireKnown(
        _ kind: String, _ references: [IDOrSlug], in parameter: String, whenEmpty page: DocumentPage
    ) async throws {
        guard page.count == 0, let first = references.first, try await !reads.slugs.knowsAny(kind, references) else {
            return
        }
        if let found = try await reads.slugs.find(kind, first), found.kind == kind, found.state == .gone {
            throw Problem.gone(found)
        }
        let text = references.map(\.text).joined(separator: ",")
        throw Problem.unknownReference(kind.replacing("_", with: " "), text, in: parameter)
    }

    /// The same for the categories of a filter.
    package func requireKnownCategories(whenEmpty page: DocumentPage) async throws {
        try await requireKnown("category", categories(), in: "category", whenEmpty: page)
    }
}

extension Problem {
    /// A reference in the query to something that was never public.
    package static func unknownReference(_ noun: String, _ text: String, in parameter: String) -> Problem {
        var problem = Problem(404, "not_found", "There is no \(noun) \u{201C}\(text)\u{201D}.")
        problem.errors = FieldErrors("/query/\(parameter)", "reference", problem.detail).items
        return problem
    }
}
