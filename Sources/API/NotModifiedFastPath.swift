// Answers 304 in place, where nothing has to be waited for: what an app that looks for news asks most.
import HTTP
import Store

extension APISite {
    /// The answer to a client that was let in a moment ago and whose condition names what it would read now; nil for every
    /// other request, which goes the whole way (`respond`) and gets the same answer there.
    package func notModifiedFastPath(_ request: Request) -> Response? {
        guard let condition = request.headers["If-None-Match"], let header = request.headers["Authorization"],
            case .found(let route, _) = router.match(request.method, request.path),
            case .client(let scopes) = route.access, case .read(let form, _) = route.work, case .none = route.moments,
            // One that may send so many a minute is counted on the way.
            let caller = gate.remembered(header), caller.perMinute == nil, !caller.scopes.isDisjoint(with: scopes),
            let publication = context.reads.clock.number,
            let query = try? QueryValues(request.query, route.query),
            let scope = try? scope(form, caller, view: query["view"])
        else { return nil }
        let tag = EntityTag.text(publication: publication, scope: scope, target: request.rawTarget)
        guard EntityTag.isNamed(tag, in: condition) else { return nil }
        var response = unchanged(request, scope == .guest ? headers.preview : headers.full, tag)
        addCommon(to: &response, for: request)
        return response
    }
}
