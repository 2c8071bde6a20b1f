// The admin pages: the dispatch of requests to the endpoint table.
import Domain
import HTTP
import Localization
import Platform
import Store

package final class AdminSite: Sendable {
    private let context: AdminContext
    let router: Router<AdminEndpoint>

    private let compressed = CompressedBodies()

    package init(context: AdminContext) {
        self.context = context
        router = Self.router(context.services.database.packs)
    }

    static func router(_ packs: PackSet) -> Router<AdminEndpoint> {
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

extension AdminSite {
    /// The patterns of all paths by name, for `{{url name}}` in templates.
    package static func urls(of packs: [Pack]) -> [String: String] {
        packs.flatMap(\.parts).compactMap { $0 as? PackPages }.reduce(AdminURL.patterns) { urls, pages in
            urls.merging(pages.patterns) { core, _ in core }
        }
    }
}
