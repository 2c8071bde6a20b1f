// Responds with 304 synchronously if nothing needs waiting: the most frequent request of polling apps.
import HTTP
import Store

extension APISite {
    /// The 304 for a recently authenticated client whose condition matches the current version; nil for every
    /// other request, which `respond` handles with the same result.
    package func notModifiedFastPath(_ request: Request) -> Response? {
        guard let condition = request.headers["If-None-Match"], let header = request.headers["Authorization"],
            case .found(let endpoint, _) = router.match(request.method, request.path),
            case .client(let scopes) = endpoint.access, case .read(let form, _) = endpoint.work,
            case .none = endpoint.moments,
            // Clients with a rate limit are counted in `respond`.
            let caller = gate.remembered(header), caller.perMinute == nil, !caller.scopes.isDisjoint(with: scopes),
            let publication = context.reads.clock.publication,
            let query = try? QueryValues(request.query, endpoint.query),
            let scope = try? scope(form, caller, view: query["view"])
        else { return nil }
        let tag = EntityTag.text(publication: publication, scope: scope, target: request.rawTarget)
        guard EntityTag.isNamed(tag, in: condition) else { return nil }
        var response = unchanged(request, scope == .guest ? headers.preview : headers.full, tag)
        addCommon(to: &response, for: request)
        return response
    }
}
