// Signed addresses: a feed reader has no credentials, so the address itself says which client answers for it.
import Domain
import HTTP
import Platform
import Store

/// A key follows from the client's id, the feed or category and a secret of the daemon; it stands in no table. It opens what
/// it was made for as long as that client may read everything, and nothing else.
enum SyndicationKey {
    /// Nil while no key can be made.
    static func text(_ kind: String, _ id: ID<Entry>, for client: ID<APIClient>, _ site: APISite) -> String? {
        site.context.delivery.key?.narrowed(to: "\(kind) \(id)").text(for: client.bytes, edition: 1)
    }

    /// Whose eyes an address without credentials reads with. Throws a `Problem`: 403 for a key that opens nothing (any
    /// more), 429 for too many requests from one address.
    static func scope(of call: APICall) async throws -> ReadScope {
        if let allowance = call.site.openReads.take(call.request.remoteAddress), !allowance.isGranted {
            throw Problem.tooManyRequests(retryAfter: allowance.seconds)
        }
        guard let key = call.query["key"] else { return .guest }
        let kind = call.request.path.hasPrefix("/v1/feeds/") ? "feed" : "category"
        guard case .id(let subject) = IDOrSlug(call.path("address")),
            let bytes = LinkKey.id(in: key), let client = ID<APIClient>(bytes: bytes),
            call.site.context.delivery.key?.narrowed(to: "\(kind) \(subject)").isValid(key, edition: 1) == true,
            try await call.site.gate.scopes(of: client)?.contains(.readFull) == true
        else { throw Problem.needsSignedURL }
        return .reader
    }
}
