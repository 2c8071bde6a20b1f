// Signed URLs: a feed reader has no credentials, so the URL identifies the responsible client.
import Domain
import HTTP
import Platform
import Store

/// A key is derived from the client's id, the feed or category and a secret of the daemon; it is not stored. It is
/// valid
/// for that feed or category only, and as long as the client has full access.
enum SyndicationKey {
    /// Nil while no key can be derived.
    static func text(_ kind: String, _ id: ID<Entry>, for client: ID<APIClient>, _ site: APISite) -> String? {
        site.context.delivery.key?.key(for: "\(kind) \(id)").text(for: client.bytes, edition: 1)
    }

    /// The access scope of a URL without credentials. Throws a `Problem`: 403 for an invalid or expired key,
    /// 429 for too many requests from one IP address.
    static func scope(of call: APICall) async throws -> ReadScope {
        if let allowance = call.site.openReads.take(from: call.request.remoteAddress), !allowance.isGranted {
            throw Problem.tooManyRequests(retryAfter: allowance.seconds)
        }
        guard let key = call.query["key"] else { return .guest }
        let kind = call.request.path.hasPrefix("/v1/feeds/") ? "feed" : "category"
        guard case .id(let subject) = IDOrSlug(call.path("id_or_slug")),
            let bytes = LinkKey.id(in: key), let client = ID<APIClient>(bytes: bytes),
            call.site.context.delivery.key?.key(for: "\(kind) \(subject)").isValid(key, edition: 1) == true,
            try await call.site.gate.scopes(of: client)?.contains(.readFull) == true
        else {
            var problem = Problem.needsSignedURL
            problem.errors = FieldErrors("/query/key", "signature", problem.detail).items
            throw problem
        }
        return .reader
    }
}
