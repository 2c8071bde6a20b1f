// The admin pages: who may use an endpoint, and the dispatch of requests to the endpoint table.
import Domain
import HTTP
import Localization
import Platform
import Store

/// Who may use an endpoint. Every endpoint has one.
enum Access: Sendable {
    /// Everyone, signed in or not.
    case anyone
    /// Staff whose role has this permission.
    case may(Permission)
}

/// How an endpoint respects the access scope of restricted accounts. Every endpoint declares it.
enum EndpointScope: Sendable {
    /// It shows and changes nothing that an access scope restricts.
    case none
    /// Only what belongs to the signed-in account.
    case own
    /// It shows only what is in the scope.
    case filtered
    /// The submission or entry of this path parameter: the gate refuses one outside the scope.
    case submission(String)
    case entry(String)
    /// The operation refuses content outside the scope: which content a change concerns is in the form or the database.
    case operation
}

struct AdminEndpoint: Sendable {
    let method: String
    let url: AdminURL
    let access: Access
    let scope: EndpointScope
    let flags: Set<Flag>
    let handler: Handler

    enum Flag {
        /// Requested by the page's script, not by the person: such requests don't extend the session.
        case quiet
        /// Available before the required second factor is set up.
        case beforeSecondFactor
        /// Its form may upload an image, which has its own size limit.
        case takesImage
    }

    typealias Handler = @Sendable (AdminRequest) async throws -> Response

    var pattern: String { url.rawValue }

    static func get(
        _ url: AdminURL, _ access: Access, _ scope: EndpointScope, flags: Set<Flag> = [],
        _ handler: @escaping Handler
    ) -> AdminEndpoint {
        AdminEndpoint(method: "GET", url: url, access: access, scope: scope, flags: flags, handler: handler)
    }

    static func post(
        _ url: AdminURL, _ access: Access, _ scope: EndpointScope, flags: Set<Flag> = [],
        _ handler: @escaping Handler
    ) -> AdminEndpoint {
        AdminEndpoint(method: "POST", url: url, access: access, scope: scope, flags: flags, handler: handler)
    }
}

package final class AdminSite: Sendable {
    private let context: AdminContext
    let router: Router<AdminEndpoint>

    private let compressed = CompressedBodies()

    package init(context: AdminContext) {
        self.context = context
        router = Self.router(context.services.database.packs)
    }

    static func router(_ packs: StorePacks) -> Router<AdminEndpoint> {
        var router = Router<AdminEndpoint>()
        for endpoint in endpoints(packs) { router.add(endpoint.method, endpoint.pattern, endpoint) }
        return router
    }

    /// The limit of a form's body, in bytes.
    package static let bodyLimit = 2 << 20

    /// Whether a request may upload an image.
    package func takesImage(_ method: String, _ path: String) -> Bool {
        guard case .found(let endpoint, _) = router.match(method, path) else { return false }
        return endpoint.flags.contains(.takesImage)
    }

    /// The page for a request that the HTTP layer refused, such as a form that is too large.
    package func refusal(_ status: Int, _ message: String, _ request: Request) -> Response {
        FailurePage.response(.refused(code: "http", message: message), status: status, request, context)
    }

    /// Nil if the body of this request may be sent; otherwise the response to send instead.
    package func admission(_ head: Request) async -> Response? {
        let gate = AdminGate(context: context)
        guard case .found(let endpoint, _) = router.match(head.method, head.path) else {
            return await gate.refusal(head, Failure.missing("page"), status: 404)
        }
        return await gate.admission(head, endpoint)
    }

    package func respond(_ request: Request) async -> Response {
        guard let messages = context.messages else { return await response(to: request) }
        return await MessageCatalog.$current.withValue(messages) { await response(to: request) }
    }

    private func response(to request: Request) async -> Response {
        if request.path.hasPrefix("/static/") {
            let name = String(request.path.dropFirst("/static/".count))
            return (context.statics.response(name, for: request) ?? .status(404)).secured(isPage: false)
        }
        let gate = AdminGate(context: context)
        switch router.match(request.method, request.path) {
        case .found(let endpoint, let parameters):
            var response = await gate.response(to: request, parameters, endpoint)
            // The CSRF token is masked, but the token of a link is in the URLs of its page, next to text from others: the
            // length of a compressed page could reveal it (BREACH).
            if parameters["token"] == nil { await compressed.apply(to: &response, for: request) }
            return response
        case .methodNotAllowed(let allowed):
            return await gate.refusal(
                request, Failure.refused(code: "method", message: tr("This page doesn't accept \(request.method).")),
                status: 405
            )
            .with("Allow", allowed.joined(separator: ", "))
        case .notFound:
            return await gate.refusal(request, Failure.missing("page"), status: 404)
        }
    }
}
