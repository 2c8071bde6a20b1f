// The admin pages: the dispatch of requests to the endpoint table.
import Domain
import HTTP
import Localization
import Operations
import Platform
import Store

package final class AdminSite: Sendable {
    private let context: AdminContext
    let router: Router<AdminEndpoint>

    private let compressed = CompressedBodies { _, work in try? await Quotas.compressors.run(work) }

    package init(context: AdminContext) {
        let packs = context.services.database.packs
        router = Self.router(packs)
        let pages = Self.endpoints(packs).filter { $0.method == "GET" }.map { ($0.pattern, $0) }
        var context = context
        context.pages = Dictionary(pages) { first, _ in first }
        self.context = context
    }

    static func router(_ packs: PackSet) -> Router<AdminEndpoint> {
        var router = Router<AdminEndpoint>()
        for endpoint in endpoints(packs) { router.add(endpoint.method, endpoint.pattern, endpoint) }
        return router
    }

    /// The limit of a form's body, in bytes.
    package static let bodyLimit = 2 << 20

    /// The limit of a body that is read from everybody, in bytes.
    package static let admittedLength = 64 << 10

    /// The limit of a body with what was typed into another form, in bytes.
    package static let draftLimit = AutosaveStore.maxBytes + (64 << 10)

    /// Whether a request may upload an image.
    package func takesImage(_ method: String, _ path: String) -> Bool { has(.takesImage, method, path) }

    /// Whether a request may contain what was typed into another form.
    package func takesDraft(_ method: String, _ path: String) -> Bool { has(.takesDraft, method, path) }

    /// Whether nobody sends much: a form for people without a session that is not for content.
    package func takesLittle(_ method: String, _ path: String) -> Bool {
        guard case .found(let endpoint, _) = router.match(method, path), case .anyone = endpoint.access else {
            return false
        }
        return endpoint.flags.isDisjoint(with: [.takesImage, .takesDraft])
    }

    private func has(_ flag: AdminEndpoint.Flag, _ method: String, _ path: String) -> Bool {
        guard case .found(let endpoint, _) = router.match(method, path) else { return false }
        return endpoint.flags.contains(flag)
    }

    /// The page for a request that the HTTP layer refused, such as a form that is too large.
    package func refusal(_ status: Int, _ message: String, _ request: Request) -> Response {
        MessageCatalog.$current.withValue(context.languages.configured.messages) {
            FailurePage.response(.refused(code: "http", message: message), status: status, request, context)
        }
    }

    /// Whether the body of this request may be sent.
    package func admission(_ head: Request) async -> Admission {
        await MessageCatalog.$current.withValue(context.languages.configured.messages) { await admit(head) }
    }

    private func admit(_ head: Request) async -> Admission {
        if let refusal = misdirected(head) { return .refused(refusal) }
        let gate = AdminGate(context: context)
        guard case .found(let endpoint, _) = router.match(head.method, head.path) else {
            return .refused(await gate.refusal(head, Failure.missing("page"), status: 404))
        }
        return await gate.admission(head, endpoint)
    }

    /// The refusal of a request for another host. A page of another site whose name leads to this server would be of the same
    /// origin as these pages (DNS rebinding). Only browsers matter, and they always send the host.
    private func misdirected(_ request: Request) -> Response? {
        guard let host = request.headers["Host"], !PublicURL.isOwn(host: host, of: context.publicURL) else {
            return nil
        }
        let message = tr(
            "These pages aren't served for the host in this URL. Open \(context.publicURL), or set public.url to the URL that you use."
        )
        return FailurePage.response(.refused(code: "host", message: message), status: 421, request, context)
    }

    package func respond(_ request: Request) async -> Response {
        await Caller.$current.withValue(.at(request.remoteAddress)) {
            await MessageCatalog.$current.withValue(context.languages.configured.messages) {
                await response(to: request)
            }
        }
    }

    private func response(to request: Request) async -> Response {
        if request.path.hasPrefix("/static/") {
            let name = String(request.path.dropFirst("/static/".count))
            return (context.statics.response(name, for: request) ?? .status(404)).secured(isPage: false)
        }
        if let refusal = misdirected(request) { return refusal }
        let gate = AdminGate(context: context)
        switch router.match(request.method, request.path) {
        case .found(let endpoint, let parameters):
            var response = await written(gate.response(to: request, parameters, endpoint), request, parameters)
            // The CSRF token is masked, but the token of a link is in the URLs of its page, next to text from others: the
            // length of a compressed page could reveal it (BREACH).
            if parameters["token"] == nil { await compressed.apply(to: &response, for: request) }
            return response
        case .methodNotAllowed(let allowed):
            if let url = formPage(of: request), await gate.isSignedIn(request) {
                return Response.redirect(303, to: url).secured()
            }
            let refusal = await gate.refusal(
                request, Failure.refused(code: "method", message: tr("This page doesn't accept \(request.method).")),
                status: 405)
            return await written(refusal.with("Allow", allowed.joined(separator: ", ")), request)
        case .notFound:
            return await written(gate.refusal(request, Failure.missing("page"), status: 404), request)
        }
    }

    /// Writes a long page on a thread for long work, in turns with other callers. If that fails, the page of the failure takes its
    /// place, without what was sent: the browser still has the form.
    private func written(
        _ page: Response, _ request: Request, _ parameters: PathParameters = .none
    ) async -> Response {
        guard case .unwritten(let write) = page.body else { return page }
        var response = page
        do {
            let bytes = try await Quotas.writers.run { Result<[UInt8], any Error> { try write() } }
            response.body = .bytes(try bytes.get())
        } catch {
            let failure = FailurePage.response(for: error, request, context, parameters: parameters)
            (response.status, response.body) = (failure.status, failure.body)
            if let wait = failure.headers["Retry-After"] { response.headers.set("Retry-After", wait) }
        }
        return response
    }
}

extension AdminSite {
    /// The page with the form whose action this request reads, as somebody does who opens the URL of an error again: the nearest
    /// page of the team above it, with the same query. Nil for other requests, and for the forms of people without an account.
    private func formPage(of request: Request) -> String? {
        guard request.method == "GET" || request.method == "HEAD",
            case .found(let action, _) = router.match("POST", request.path), case .may = action.access
        else { return nil }
        let target = request.rawTarget.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var path = target[0]
        while let slash = path.lastIndex(of: "/") {
            path = path[..<slash]
            let url = path.isEmpty ? AdminURL.home() : String(path)
            guard let decoded = try? PercentCoding.decode(url.utf8, plusIsSpace: false),
                case .found(let page, _) = router.match("GET", decoded), case .may = page.access
            else { continue }
            return target.count > 1 ? "\(url)?\(target[1])" : url
        }
        return nil
    }

    /// The patterns of all paths by name, for `{{url name}}` in templates.
    package static func urls(of packs: [Pack]) -> [String: String] {
        packs.flatMap(\.parts).compactMap { $0 as? PackPages }.reduce(AdminURL.patterns) { urls, pages in
            urls.merging(pages.patterns) { core, _ in core }
        }
    }
}
