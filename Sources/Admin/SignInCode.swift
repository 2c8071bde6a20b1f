// The second step of signing in: the code of the authenticator app, or a recovery code.
import Accounts
import Domain
import HTTP
import Platform

enum SignInCode {
    /// Carries what the password has opened, for as long as the code may take. It opens nothing by itself.
    private static let cookie = "__Host-vitrine_code"
    private static let seconds = 300

    private struct Model: Encodable, Sendable {
        var next = "/"
        var code = ""
        var problem: ErrorSummary?
    }

    /// From the password on to the code.
    static func ask(_ request: AdminRequest, _ token: Token, next: String) -> Response {
        let place = FormFields([FormFields.Field(name: "next", value: next)]).urlEncoded
        var response = request.redirect(to: "/login/code?\(place)")
        if let cookie = Cookie(name: cookie, value: token.text, maxAge: seconds) { response.setCookie(cookie) }
        return response
    }

    static func show(_ request: AdminRequest) async throws -> Response {
        guard let token = token(request),
            try await request.database.accounts.findLink(tokenHash: token.hash, for: .secondFactor) != nil
        else { return passwordFirst(request) }
        return try page(request, Model(next: SignInPages.next(request)))
    }

    static func send(_ request: AdminRequest) async throws -> Response {
        guard let token = token(request) else { return passwordFirst(request) }
        let code = request.form.first("code") ?? ""
        let outcome = try await SignInPages.action(request).withCode(
            token, code, request.secondFactor, address: request.request.remoteAddress,
            agent: request.request.headers["User-Agent"] ?? "")
        var model = Model(next: SignInPages.next(request))
        switch outcome {
        case .signedIn(let session):
            var response = SignInPages.signedIn(request, session, to: model.next)
            if let gone = Cookie(name: cookie, value: "", maxAge: 0) { response.setCookie(gone) }
            return response
        case .needsCode, nil: return passwordFirst(request)
        case .wrong:
            model.code = code
            model.problem = ErrorSummary(FieldErrors("/code", "wrong", SecondFactor.wrong))
            return try page(request, model, status: 422)
        case .tooMany(let seconds):
            let sentence = "Too many attempts. Wait \(seconds / 60) minutes, then begin again with the password."
            model.problem = ErrorSummary(FieldErrors("/code", "too_many", sentence))
            return try page(request, model, status: 429).with("Retry-After", String(seconds))
        }
    }

    private static func page(_ request: AdminRequest, _ model: Model, status: Int = 200) throws -> Response {
        let title = (model.problem == nil ? "" : "Error: ") + "Your code"
        return try request.page("admin/sign-in/code", model, title: title, status: status)
    }

    private static func passwordFirst(_ request: AdminRequest) -> Response {
        let place = FormFields([FormFields.Field(name: "next", value: SignInPages.next(request))]).urlEncoded
        return request.redirect(to: "/login?\(place)", Flash("The code took too long. Begin again with the password."))
    }

    private static func token(_ request: AdminRequest) -> Token? {
        request.request.cookies[cookie].flatMap { Token(text: $0) }
    }
}

extension AdminRequest {
    var secondFactor: SecondFactor {
        SecondFactor(
            database: database, rules: context.secondFactor, attemptsPerAccount: context.attemptsPerAccount,
            attemptsPerIP: context.attemptsPerIP)
    }
}
