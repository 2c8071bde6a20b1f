// The pages to sign in with a password or one-time link, and to sign out.
import Accounts
import Domain
import HTTP
import Localization
import Platform

enum SignInPages {
    private struct Model: Encodable, Sendable {
        var email = ""
        var next = AdminURL.home()
        var password = PasswordField.signIn
        var problem: ErrorSummary?
        /// The form that is shown after signing in.
        var unsaved: String?
    }

    private struct LinkModel: Encodable, Sendable {
        let token: String
    }

    static func show(_ request: AdminRequest) async throws -> Response {
        if request.session != nil { return request.redirect(to: AdminURL.home()) }
        return try request.page("admin/sign-in/password", Model(next: next(request)), title: tr("Sign in"))
    }

    /// The page for a form whose session has ended.
    static func signedOut(_ request: AdminRequest, _ unsaved: UnsavedForm) throws -> Response {
        try request.page(
            "admin/sign-in/password", Model(next: unsaved.form, unsaved: unsaved.text), title: tr("Sign in"),
            status: 403)
    }

    static func signIn(_ request: AdminRequest) async throws -> Response {
        let email = request.form.first("username") ?? ""
        var model = Model(email: email, next: next(request), unsaved: request.form.first(UnsavedForm.field))
        if PasswordField.isToggle(request) {
            model.password = PasswordField.signIn.typed(request)
            return try request.page("admin/sign-in/password", model, title: tr("Sign in"))
        }
        let outcome = try await request.services.signIn(
            email: email, password: request.form.first("password") ?? "", remoteAddress: request.request.remoteAddress,
            userAgent: request.request.headers["User-Agent"] ?? "")
        switch outcome {
        case .signedIn(let session): return try await signedIn(request, session, to: next(request))
        case .needsCode(let token): return try SignInCode.request(request, token, next: next(request))
        case .wrong:
            model.problem = ErrorSummary(FieldErrors("/username", "wrong", tr("Wrong email or password.")))
            return try request.page("admin/sign-in/password", model, title: tr("Sign in"), status: 422)
        case .tooMany(let seconds):
            let message = tr("Too many attempts. Try again in \(seconds / 60) minutes.")
            model.problem = ErrorSummary(FieldErrors("/username", "too_many_attempts", message))
            return try request.page("admin/sign-in/password", model, title: tr("Sign in"), status: 429)
                .with("Retry-After", String(seconds))
        }
    }

    /// Opening the link doesn't use it: mail programs and browsers prefetch URLs.
    static func showLink(_ request: AdminRequest) async throws -> Response {
        let token = try token(request)
        let owner = try await request.database.accounts.findLink(tokenHash: token.hash, for: .signIn)
        guard owner != nil else { throw linkExpired }
        return try request.page(
            "admin/sign-in/link", LinkModel(token: token.text), title: tr("Sign in"))
    }

    static func useLink(_ request: AdminRequest) async throws -> Response {
        let step = try await request.services.signIn.withLink(
            try token(request), remoteAddress: request.request.remoteAddress,
            userAgent: request.request.headers["User-Agent"] ?? "")
        guard let step else { throw linkExpired }
        return try await next(request, step, to: AdminURL.home())
    }

    /// Completes the sign-in, or redirects to the page that asks for the code.
    static func next(_ request: AdminRequest, _ step: SignInStep, to url: String) async throws -> Response {
        switch step {
        case .signedIn(let session): try await signedIn(request, session, to: url)
        case .needsCode(let token): try SignInCode.request(request, token, next: url)
        }
    }

    static func signOut(_ request: AdminRequest) async throws -> Response {
        if let token = request.token { try await request.services.signIn.signOut(token, by: request.actor) }
        var response = request.redirect(to: AdminURL.login(), Flash(tr("You're signed out.")))
        if let cookie = Cookie(name: AdminRequest.sessionCookie, value: "", maxAge: 0) { response.setCookie(cookie) }
        return response
    }

    /// Opens `url`, or the form that was open when the session ended.
    static func signedIn(_ request: AdminRequest, _ session: SignedIn, to url: String) async throws -> Response {
        await keepZone(request, session)
        var response = request.redirect(to: url, Flash(tr("Welcome, \(session.name).", context: "link model")))
        if let unsaved = request.form.first(UnsavedForm.field).flatMap({ UnsavedForm(text: $0) }) {
            do {
                try await unsaved.keep(for: session.account, request.services)
                response = request.redirect(to: unsaved.form)
            } catch let failure as Failure {
                // The text can still be copied.
                response = FailurePage.response(
                    for: failure, request.request.with(unsaved.fields), request.context)
            }
        }
        if let cookie = Cookie(name: AdminRequest.sessionCookie, value: session.token.text) {
            response.setCookie(cookie)
        }
        return response
    }

    /// The browser's time zone becomes that of a person without one, unless the database doesn't know it.
    private static func keepZone(_ request: AdminRequest, _ signedIn: SignedIn) async {
        guard let zone = request.text("zone"), let own = try? await request.reopened(as: signedIn.token),
            own.session?.zone == nil
        else { return }
        try? await request.services.manageAccount.setZone(ZoneName.current(zone), by: own.actor)
    }

    private static func token(_ request: AdminRequest) throws(Failure) -> Token {
        guard let token = request.parameters["token"].flatMap({ Token(text: $0) }) else { throw linkExpired }
        return token
    }

    private static var linkExpired: Failure {
        .refused(
            code: "link_used", message: tr("This sign-in link was already used or has expired. Request a new one."))
    }

    /// The URL to open after signing in: on this site, and not a sign-in page.
    static func next(_ request: AdminRequest) -> String {
        let wanted = request.form.first("next") ?? request.query.first("next") ?? AdminURL.home()
        return Response.isLocal(wanted) && !wanted.hasPrefix(AdminURL.login()) ? wanted : AdminURL.home()
    }
}
