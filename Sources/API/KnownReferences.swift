// The rule for references in queries: an unknown one is 404, an unpublished one 410, never an empty list.
import Domain
import Store

extension ReadCall {
    /// Throws for the first reference of a filter that readers do not see. An unknown one shows in an empty page, so
    /// only then, or where other references may have filled the page, is there anything to ask.
    func requireKnown(
        _ kind: String, _ references: [IDOrSlug], in parameter: String, whenEmpty isEmpty: Bool
    ) async throws {
        guard isEmpty || references.count > 1, !references.isEmpty,
            let unknown = try await reads.slugs.unknown(kind, references)
        else { return }
        if let found = try await reads.slugs.find(kind, unknown), found.kind == kind, found.state == .gone {
            throw Problem.gone(found)
        }
        throw Problem.unknownReference(kind.replacing("_", with: " "), unknown.text, in: parameter)
    }

    /// The same for the categories of a filter.
    func requireKnownCategories(whenEmpty page: DocumentPage) async throws {
        try await requireKnown("category", categories(), in: "category", whenEmpty: page.count == 0)
    }
}

extension Problem {
    /// A reference in the query to something that was never public.
    static func unknownReference(_ noun: String, _ text: String, in parameter: String) -> Problem {
        var problem = Problem(404, "not_found", "There is no \(noun) \u{201C}\(text)\u{201D}.")
        problem.errors = FieldErrors("/query/\(parameter)", "reference", problem.detail).items
        return problem
    }
}
