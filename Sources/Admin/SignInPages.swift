// Signing in by password or one-time link, and signing out.
import Accounts
import Domain
import HTTP
import Platform

enum SignInPages {
    static let routes = [
        AdminEndpoint(method: "GET", pattern: "/login", access: .anyone, handler: show),
        AdminEndpoint(method: "POST", pattern: "/login", access: .anyone, handler: signIn),
        AdminEndpoint(method: "GET", pattern: "/login/code", access: .anyone) { try await SignInCode.show($0) },
        AdminEndpoint(method: "POST", pattern: "/login/code", access: .anyone, handler: SignInCode.send),
        AdminEndpoint(method: "GET", pattern: "/login/{token}", access: .anyone, handler: showLink),
        AdminEndpoint(method: "POST", pattern: "/login/{token}", access: .anyone, handler: useLink),
        AdminEndpoint(
            method: "POST", pattern: "/logout", access: .may(.readQueue), isBeforeSecondFactor: true, handler: signOut),
    ]

    private struct Model: Encodable, Sendable {
        var email = ""
        var next = "/"
        var password = PasswordField.signIn
        var problem: String?
    }

    private struct LinkModel: Encodable, Sendable {
        let address: String
    }

    private static func show(_ request: AdminRequest) async throws -> Response {
        if request.session != nil { return request.redirect(to: "/queue") }
        return try request.page("admin/sign-in/password", Model(next: next(request)), title: "Sign in")
    }

    private static func signIn(_ request: AdminRequest) async throws -> Response {
        let email = request.form.first("username") ?? ""
        if PasswordField.isToggle(request) {
            let model = Model(email: email, next: next(request), password: PasswordField.signIn.typed(request))
            return try request.page("admin/sign-in/password", model, title: "Sign in")
        }
        let outcome = try await action(request)(
            email: email, password: request.form.first("password") ?? "", address: request.request.remoteAddress,
            agent: request.request.headers["User-Agent"] ?? "")
        switch outcome {
        case .signedIn(let session): return signedIn(request, session, to: next(request))
        case .needsCode(let token): return SignInCode.ask(request, token, next: next(request))
        case .wrong:
            let model = Model(email: email, next: next(request), problem: "Email or password is wrong.")
            return try request.page("admin/sign-in/password", model, title: "Error: Sign in", status: 422)
        case .tooMany(let seconds):
            let sentence = "Too many attempts. Wait \(seconds / 60) minutes, then try again."
            let model = Model(email: email, next: next(request), problem: sentence)
            return try request.page("admin/sign-in/password", model, title: "Error: Sign in", status: 429)
                .with("Retry-After", String(seconds))
        }
    }

    /// Looking at the link does not use it: mail programs and browsers fetch addresses ahead.
    private static func showLink(_ request: AdminRequest) async throws -> Response {
        let token = try token(request)
        let owner = try await request.database.accounts.findLink(tokenHash: token.hash, for: .signIn)
        guard owner != nil else { throw gone }
        return try request.page(
            "admin/sign-in/link", LinkModel(address: "/login/\(token.text)"), title: "Sign in")
    }

    private static func useLink(_ request: AdminRequest) async throws -> Response {
        let entered = try await action(request).withLink(
            try token(request), address: request.request.remoteAddress,
            agent: request.request.headers["User-Agent"] ?? "")
        guard let entered else { throw gone }
        return self.entered(request, entered, to: "/queue")
    }

    /// Signed in, or on to the code.
    static func entered(_ request: AdminRequest, _ entered: Entered, to place: String) -> Response {
        switch entered {
        case .signedIn(let session): signedIn(request, session, to: place)
        case .needsCode(let token): SignInCode.ask(request, token, next: place)
        }
    }

    private static func signOut(_ request: AdminRequest) async throws -> Response {
        if let token = request.token { try await action(request).out(token, by: request.actor) }
        var response = request.redirect(to: "/login", Flash("You are signed out."))
        if let cookie = Cookie(name: AdminGate.sessionCookie, value: "", maxAge: 0) { response.setCookie(cookie) }
        return response
    }

    static func action(_ request: AdminRequest) -> SignIn {
        SignIn(
            database: request.database, attemptsPerAccount: request.context.attemptsPerAccount,
            attemptsPerIP: request.context.attemptsPerIP, sessionHours: request.context.sessionHours)
    }

    static func signedIn(_ request: AdminRequest, _ session: SignedIn, to place: String) -> Response {
        var response = request.redirect(to: place, Flash("Welcome, \(session.name)."))
        if let cookie = Cookie(name: AdminGate.sessionCookie, value: session.token.text) { response.setCookie(cookie) }
        return response
    }

    private static func token(_ request: AdminRequest) throws(Failure) -> Token {
        guard let token = request.parameters["token"].flatMap({ Token(text: $0) }) else { throw gone }
        return token
    }

    private static let gone = Failure.refused(
        code: "link_used", message: "This sign-in link was used or is too old. Ask the operator for a new one.")

    /// Where to go after signing in: a place on this site, and not the sign-in itself.
    static func next(_ request: AdminRequest) -> String {
        let wanted = request.form.first("next") ?? request.query.first("next") ?? "/"
        return Response.isLocal(wanted) && !wanted.hasPrefix("/login") ? wanted : "/queue"
    }
}
