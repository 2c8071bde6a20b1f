// The second step of signing in: an authenticator or recovery code.
import Domain
import HTTP
import Localization
import Operations
import Platform

enum SignInCode {
    /// Carries the token of the first step while the code is entered. It allows nothing by itself.
    private static let cookie = "__Host-vitrine_code"
    private static let seconds = 300

    private struct Model: Encodable, Sendable {
        var next = AdminURL.home()
        var problem: ErrorSummary?
        /// The form that is shown after signing in.
        var unsaved: String?
    }

    /// Redirects to the page that asks for the code; shows it at once if it has to carry a form.
    static func request(_ request: AdminRequest, _ token: Token, next: String) throws -> Response {
        let unsaved = request.carriedForm
        var response =
            unsaved == nil
            ? request.redirect(to: AdminURL.loginCode(query: ["next": next]))
            : try page(request, Model(next: next, unsaved: unsaved))
        if let cookie = Cookie(name: cookie, value: token.text, maxAge: seconds) { response.setCookie(cookie) }
        return response
    }

    static func show(_ request: AdminRequest) async throws -> Response {
        guard let token = token(request),
            try await request.database.accounts.findLink(tokenHash: token.hash, for: .secondFactor) != nil
        else { return try passwordFirst(request) }
        return try page(request, Model(next: SignInPages.next(request)))
    }

    static func send(_ request: AdminRequest) async throws -> Response {
        guard let token = token(request) else { return try passwordFirst(request) }
        let outcome = try await request.services.signIn.withCode(
            token, request.form.first("code") ?? "", request.secondFactor, remoteAddress: request.request.remoteAddress,
            userAgent: request.request.headers["User-Agent"] ?? "")
        var model = Model(next: SignInPages.next(request), unsaved: request.carriedForm)
        switch outcome {
        case .signedIn(let session):
            var response = try await SignInPages.signedIn(request, session, to: model.next)
            if let cleared = Cookie(name: cookie, value: "", maxAge: 0) { response.setCookie(cleared) }
            return response
        case .needsCode, nil: return try passwordFirst(request)
        case .wrong:
            model.problem = ErrorSummary(FieldErrors("/code", "wrong", SecondFactor.wrongCode))
            return try page(request, model, status: 422)
        case .tooMany(let seconds):
            let message = tr("Too many attempts. Wait \(seconds / 60) minutes, then sign in with your password again.")
            model.problem = ErrorSummary(FieldErrors("/code", "too_many", message))
            return try page(request, model, status: 429).with("Retry-After", String(seconds))
        }
    }

    private static func page(_ request: AdminRequest, _ model: Model, status: Int = 200) throws -> Response {
        try request.page("admin/sign-in/code", model, title: tr("Enter your code"), status: status)
            .allowingDraft(model.unsaved, request)
    }

    private static func passwordFirst(_ request: AdminRequest) throws -> Response {
        let message = tr("The sign-in expired. Enter your password again.")
        if request.carriedForm != nil { return try SignInPages.startOver(request, message) }
        return request.redirect(to: AdminURL.login(query: ["next": SignInPages.next(request)]), Flash(message))
    }

    private static func token(_ request: AdminRequest) -> Token? {
        request.request.cookie(cookie).flatMap { Token(text: $0) }
    }
}

extension AdminRequest {
    var secondFactor: SecondFactor { services.secondFactor(context.secondFactor) }
}
