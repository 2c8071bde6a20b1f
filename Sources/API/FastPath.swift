// Responds synchronously if nothing needs waiting: with 304, and with responses that are kept in memory.
import HTTP
import Store

extension APISite {
    /// The 304 for a recently authenticated client whose condition matches the current version, or the response if it
    /// is kept; nil for every other request, which `respond` handles with the same result.
    package func fastPath(_ request: Request) -> Response? {
        let condition = request.headers["If-None-Match"]
        // Of `*` only the tables know whether the resource exists.
        guard condition != "*", condition != nil || cache != nil, let header = request.headers["Authorization"],
            case .found(let endpoint, _) = router.match(request.method, request.path),
            case .client(let scopes) = endpoint.access, case .read(let form, _) = endpoint.work,
            case .none = endpoint.moments, condition != nil || endpoint.isKept,
            // Clients with a rate limit are counted in `respond`.
            let caller = gate.remembered(header), caller.perMinute == nil, !caller.scopes.isDisjoint(with: scopes),
            let publication = context.reads.clock.publication,
            let oldest = try? (PublicationHeader.oldest(request.headers) ?? 0), publication.number >= oldest,
            let query = try? QueryValues(request.query, endpoint.query),
            let scope = try? scope(form, caller, view: query["view"])
        else { return nil }
        let tag = EntityTag.text(publication: publication, scope: scope, target: request.rawTarget)
        var response: Response
        if let condition, EntityTag.isNamed(tag, in: condition) {
            response = unchanged(request, scope == .guest ? headers.preview : headers.full, tag, publication)
        } else {
            guard endpoint.isKept, let cache,
                let kept = cache.find(ResponseCache.Key(target: request.rawTarget, scope: scope), at: publication),
                kept.isReady(for: request)
            else { return nil }
            cache.countHit()
            response = kept.response(to: request, scope == .guest ? headers.preview : headers.full, tag)
            PublicationHeader.add(publication, to: &response)
        }
        addCommon(to: &response, for: request)
        return response
    }
}
