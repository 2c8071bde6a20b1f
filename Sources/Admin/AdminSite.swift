// The admin's table of contents: every page and action, who may use it, and what answers.
import Domain
import HTTP
import Platform
import Store

/// Who may use a route. There is no route without one.
enum Access: Sendable {
    /// Everybody, signed in or not.
    case anyone
    /// Staff whose role may do this.
    case may(Permission)
}

struct AdminEndpoint: Sendable {
    let method: String
    let pattern: String
    let access: Access
    /// The page itself asks, not the person: that the session is used so does not keep it from ending.
    var isQuiet = false
    /// Open to who has still to set up the second factor that the role needs.
    var isBeforeSecondFactor = false
    let handler: @Sendable (AdminRequest) async throws -> Response
}

package final class AdminSite: Sendable {
    private let context: AdminContext
    private let router: Router<AdminEndpoint>

    package init(context: AdminContext) {
        self.context = context
        var router = Router<AdminEndpoint>()
        for route in Self.routes { router.add(route.method, route.pattern, route) }
        self.router = router
    }

    static let routes: [AdminEndpoint] =
        SignInPages.routes + HomePages.routes + QueuePages.routes + BulkActionPages.routes + QueueMetricsPages.routes
        + ReviewPages.routes + SubmissionActionPages.routes + SimilarityPages.routes + ScreeningPages.routes
        + ReviewStagePages.routes
        + StatusPages.routes
        + EntryPages.routes + FeedPages.routes + CategoryPages.routes + ReleasePages.routes + PreviewPages.routes
        + RoutePages.routes
        + SchedulePages.routes + PublicationPages.routes + WebhookPages.routes + OnboardingPages.routes
        + TextPages.routes
        + SettingPages.routes
        + PromotionPages.routes + ImportPages.routes
        + MediaPages.routes + CatalogPages.routes
        + AccountPages.routes + SessionPages.routes + ChangePasswordPages.routes + SecondFactorPages.routes
        + PasswordPages.routes + MailPages.routes + ClientPages.routes + AuditPages.routes

    /// How many bytes a form may bring.
    package static let bodyLimit = 2 << 20

    /// Whether a request may bring an image, whose size has a limit of its own.
    package static func takesImage(_ method: String, _ path: String) -> Bool {
        guard method == "POST" else { return false }
        return path == "/media" || path == "/entries" || path.hasPrefix("/entries/") && path.hasSuffix("/revisions")
    }

    /// The page for what HTTP itself refused: a form that is too large, say.
    package func refusal(_ status: Int, _ message: String, _ request: Request) -> Response {
        FailurePage.response(.refused(code: "http", message: message), status: status, request, context)
    }

    /// Nil where the sender of this head may send its body; else what to answer instead.
    package func admission(_ head: Request) async -> Response? {
        let gate = AdminGate(context: context)
        guard case .found(let route, _) = router.match(head.method, head.path) else {
            return await gate.refusal(head, Failure.missing("page"), status: 404)
        }
        return await gate.admission(head, route)
    }

    package func respond(_ request: Request) async -> Response {
        if request.path.hasPrefix("/static/") {
            let name = String(request.path.dropFirst("/static/".count))
            return AdminGate.secured(context.statics.response(name, for: request) ?? .status(404), isPage: false)
        }
        let gate = AdminGate(context: context)
        switch router.match(request.method, request.path) {
        case .found(let route, let parameters):
            return await gate.answer(request, parameters, route)
        case .methodNotAllowed(let allowed):
            return await gate.refusal(
                request, Failure.refused(code: "method", message: "This page does not take \(request.method)."),
                status: 405
            )
            .with("Allow", allowed.joined(separator: ", "))
        case .notFound:
            return await gate.refusal(request, Failure.missing("page"), status: 404)
        }
    }
}
