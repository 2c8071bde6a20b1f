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
            throw Problem.gone(found, in: parameter)
        }
        throw Problem.unknownReference(kind, references.map(\.text).joined(separator: ","), in: parameter)
    }

    /// The response for a list of something that readers don't see: its new slug in the same query, or a problem at the
    /// parameter. Nil if they see it.
    package func elsewhere(_ kind: String, _ reference: IDOrSlug, in parameter: String) async throws -> ReadResponse? {
        guard let found = try await reads.slugs.find(kind, reference), found.kind == kind else {
            throw Problem.unknownReference(kind, reference.text, in: parameter)
        }
        switch found.state {
        case .live: return nil
        case .gone: throw Problem.gone(found, in: parameter)
        case .moved:
            let rest = PathText.rest(of: call.request, without: parameter)
            let slug = PathText.segment(found.slug ?? "")
            return ReadResponse.moved("\(call.request.path)?\(parameter)=\(slug)\(rest)")
        }
    }

    /// The same for the categories of a filter.
    package func requireKnownCategories(whenEmpty page: DocumentPage) async throws {
        try await requireKnown("category", categories(), in: "category", whenEmpty: page)
    }
}

extension Problem {
    /// A reference in the query to something that was never public.
    package static func unknownReference(_ kind: String, _ text: String, in parameter: String) -> Problem {
        let noun = kind.replacing("_", with: " ")
        return notFound("There is no \(noun) \u{201C}\(text)\u{201D}.", in: parameter)
    }

    /// A parameter that finds nothing.
    static func notFound(_ detail: String, in parameter: String) -> Problem {
        var problem = Problem(404, "not_found", detail)
        problem.errors = FieldErrors("/query/\(parameter)", "reference", detail).items
        return problem
    }

    /// A reference in the query to something that was unpublished.
    static func gone(_ finding: ResolvedURL, in parameter: String) -> Problem {
        var problem = gone(finding)
        problem.errors = FieldErrors("/query/\(parameter)", "gone", problem.detail).items
        return problem
    }
}
