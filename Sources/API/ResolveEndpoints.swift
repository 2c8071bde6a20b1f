// Resolves an id or slug (A19, A33).
import Domain
import Store

enum ResolveEndpoints {
    /// `GET /v1/resolve?id=` or `?kind=&slug=`: live, moved or gone; 404 if it was never public.
    static func find(_ read: ReadCall) async throws -> ReadResponse {
        guard let finding = try await finding(read) else {
            throw Problem.notFound(
                "Nothing was ever published here.", in: read.query["id"] == nil ? "slug" : "id")
        }
        var document: [String: JSONValue] = [
            "state": .string(finding.state.rawValue), "kind": .string(finding.kind),
            "id": .string(finding.id.description), "slug": finding.slug.map(JSONValue.string) ?? .null,
        ]
        if let type = finding.type { document["type"] = .string(type) }
        if finding.state == .gone {
            document["publication"] = finding.publication.map(JSONValue.int) ?? .null
            document["gone_at"] = finding.goneAt.map(JSONValue.string) ?? .null
        } else if let path = read.reads.packs.path(of: finding.kind) {
            document["path"] = .string(path + finding.id.description)
        }
        return .document(Array(JSONValue.object(document).canonicalText.utf8))
    }

    private static func finding(_ read: ReadCall) async throws -> ResolvedURL? {
        switch (read.query.ids("id")?.first, read.query["kind"], read.query["slug"]) {
        case (let id?, nil, nil): try await read.reads.slugs.find(id)
        case (nil, let kind?, let slug?): try await read.reads.slugs.find(kind, slug: slug)
        case (nil, nil, _?), (nil, _?, nil):
            let missing = read.query["kind"] == nil ? "kind" : "slug"
            throw Failure.invalid(FieldErrors("/query/\(missing)", "required", "Set kind and slug together."))
        default:
            throw Failure.invalid(FieldErrors("/query/id", "required", "Set either id, or kind and slug."))
        }
    }
}
