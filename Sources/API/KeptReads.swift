// Responds to a read with the response in memory, and keeps a new one.
import HTTP
import Store

extension APISite {
    /// The kept response if it is current at the position; otherwise what `compute` returns, which is kept if it is a
    /// snapshot. Callers that need the same one at the same time share it.
    func kept(
        _ cache: ResponseCache, _ read: ReadCall, _ endpoint: APIEndpoint, _ position: ResponseCache.Position,
        _ headers: Headers, _ tag: String, _ compute: () async throws -> (response: Response, isSnapshot: Bool)
    ) async throws -> Response {
        let request = read.call.request
        let key = ResponseCache.Key(target: request.rawTarget, scope: read.reads.scope)
        var own: Response?
        var found = cache.find(key, at: position.publication)
        if found == nil {
            found = try await cache.share(key, at: position) {
                let (response, isSnapshot) = try await compute()
                own = response
                guard isSnapshot else { return nil }
                return KeptResponse(
                    response, to: request.rawTarget, endpoint.keeping, rowKey: read.rowKey, at: position)
            }
        }
        if let own { return own }
        guard let found else { return try await compute().response }
        cache.countHit()
        await cache.compress(found, key, for: request, compressed)
        // As it is, if too much is being compressed: reading it again would cost more.
        var response = found.response(to: request, headers, tag)
        PublicationHeader.add(position.publication, to: &response)
        return response
    }
}

extension ReadCall {
    /// The key of the row that the path names by its id; nil for a slug.
    fileprivate var rowKey: String? {
        guard let text = call.parameters["id_or_slug"], case .id(let id) = IDOrSlug(text) else { return nil }
        return id.description
    }
}
