// The pages to sign in with a password or one-time link, and to sign out.
import Domain
import HTTP
import Localization
import Operations
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
        return try page(request, Model(next: next(request)))
    }

    /// The page for a form whose session has ended.
    static func signedOut(_ request: AdminRequest, _ unsaved: UnsavedForm) throws -> Response {
        try page(request, Model(next: unsaved.form, unsaved: unsaved.text), status: 403)
    }

    /// The page with the form that it carried before.
    static func startOver(_ request: AdminRequest, _ message: String) throws -> Response {
        var model = Model(next: next(request), unsaved: request.carriedForm)
        model.problem = ErrorSummary(FieldErrors("/username", "expired", message))
        return try page(request, model, status: 422)
    }

    private static func page(_ request: AdminRequest, _ model: Model, status: Int = 200) throws -> Response {
        try request.page("admin/sign-in/password", model, title: tr("Sign in"), status: status)
            .allowingDraft(model.unsaved, request)
    }

    static func signIn(_ request: AdminRequest) async throws -> Response {
        let email = request.form.first("username") ?? ""
        // No address is longer.
        let shown = email.utf8.count > 254 ? "" : email
        var model = Model(email: shown, next: next(request), unsaved: request.carriedForm)
        if PasswordField.isToggle(request) {
            model.password = PasswordField.signIn.typed(request)
            return try page(request, model)
        }
        let outcome = try await request.services.signIn(
            email: email, password: request.form.first("password") ?? "", remoteAddress: request.request.remoteAddress,
            userAgent: request.request.headers["User-Agent"] ?? "")
        switch outcome {
        case .signedIn(let session): return try await signedIn(request, session, to: next(request))
        case .needsCode(let token): return try SignInCode.request(request, token, next: next(request))
        case .wrong:
            model.problem = ErrorSummary(FieldErrors("/username", "wrong", tr("Wrong email or password.")))
            return try page(request, model, status: 422)
        case .tooMany(let seconds):
            let message = tr("Too many attempts. Try again in \(seconds / 60) minutes.")
            model.problem = ErrorSummary(FieldErrors("/username", "too_many_attempts", message))
            return try page(request, model, status: 429).with("Retry-After", String(seconds))
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
        var flash = Flash(tr("You're signed out."))
        flash.isSignedOut = true
        var response = request.redirect(to: AdminURL.login(), flash)
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
                response = unsaved.page(for: failure, request)
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
        try? await request.services.manageAccount.setZone(zone, by: own.actor)
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

extension AdminRequest {
    /// The form that the sign-in page carries; nil for a stranger, who gets nothing of what was sent.
    var carriedForm: String? {
        formerAccount == nil ? nil : form.first(UnsavedForm.field)
    }
}

extension Response {
    /// The page that carries a form, with the cookie that lets the browser send it back, however long it is.
    func allowingDraft(_ unsaved: String?, _ request: AdminRequest) -> Response {
        guard unsaved != nil, let account = request.formerAccount,
            let cookie = SignInProof.draft.cookie(for: account, request.context.proofKey)
        else { return self }
        var response = self
        response.setCookie(cookie)
        return response
    }
}
