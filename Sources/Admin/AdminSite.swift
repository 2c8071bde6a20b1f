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

struct AdminEndpoint: Sendable {
    let method: String
    let pattern: String
    let access: Access
    /// Requested by the page's script, not by the person: such requests don't extend the session.
    var isQuiet = false
    /// Available before the required second factor is set up.
    var isBeforeSecondFactor = false
    let handler: Handler

    typealias Handler = @Sendable (AdminRequest) async throws -> Response

    static func get(
        _ pattern: String, _ access: Access, isQuiet: Bool = false, isBeforeSecondFactor: Bool = false,
        _ handler: @escaping Handler
    ) -> AdminEndpoint {
        AdminEndpoint(
            method: "GET", pattern: pattern, access: access, isQuiet: isQuiet,
            isBeforeSecondFactor: isBeforeSecondFactor, handler: handler)
    }

    static func post(
        _ pattern: String, _ access: Access, isQuiet: Bool = false, isBeforeSecondFactor: Bool = false,
        _ handler: @escaping Handler
    ) -> AdminEndpoint {
        AdminEndpoint(
            method: "POST", pattern: pattern, access: access, isQuiet: isQuiet,
            isBeforeSecondFactor: isBeforeSecondFactor, handler: handler)
    }
}

package final class AdminSite: Sendable {
    private let context: AdminContext
    private let router: Router<AdminEndpoint>
    private let compressed = CompressedBodies()

    package init(context: AdminContext) {
        self.context = context
        var router = Router<AdminEndpoint>()
        for endpoint in Self.endpoints { router.add(endpoint.method, endpoint.pattern, endpoint) }
        self.router = router
    }

    /// The limit of a form's body, in bytes.
    package static let bodyLimit = 2 << 20

    /// Whether a request may upload an image, which has its own size limit.
    package static func takesImage(_ method: String, _ path: String) -> Bool {
        guard method == "POST" else { return false }
        return path == "/media" || path == "/entries" || path.hasPrefix("/entries/") && path.hasSuffix("/revisions")
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
            return AdminGate.secured(context.statics.response(name, for: request) ?? .status(404), isPage: false)
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
                request, Failure.refused(code: "method", message: "This page doesn't accept \(request.method)."),
                status: 405
            )
            .with("Allow", allowed.joined(separator: ", "))
        case .notFound:
            return await gate.refusal(request, Failure.missing("page"), status: 404)
        }
    }
}
