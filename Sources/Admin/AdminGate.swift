// Lets a request in: session, permission, CSRF; and turns what went wrong into a page.
import Domain
import HTTP
import Platform
import Store

struct AdminGate: Sendable {
    static let sessionCookie = "__Host-vitrine_session"
    /// The same cookie binds the sign-in form to the browser that asked for it, before there is a session; signing in
    /// replaces it with a new token.
    static let visitorCookie = sessionCookie

    let context: AdminContext

    func answer(_ request: Request, _ parameters: PathParameters, _ route: AdminEndpoint) async -> Response {
        var admitted: AdminRequest?
        do {
            guard let staff = try await admit(request, parameters, isQuiet: route.isQuiet), let session = staff.session
            else {
                return try await answerVisitor(request, parameters, route)
            }
            admitted = staff
            if !route.isBeforeSecondFactor, staff.lacksSecondFactor { return try Self.secondFactorFirst(staff) }
            if case .may(let action) = route.access, !session.role.may(action) {
                throw Failure.forbidden("Your role (\(session.role.label)) may not do this.")
            }
            if let refusal = forgery(staff) { return refusal }
            return Self.secured(try await route.handler(staff))
        } catch {
            return FailurePage.response(for: error, request, context, admitted)
        }
    }

    /// A role that needs a second factor is led to where it is set up, and nowhere else (S48).
    private static func secondFactorFirst(_ staff: AdminRequest) throws -> Response {
        guard staff.request.method == "GET" else {
            throw Failure.forbidden("Set up your second factor first, under \"Your account\". Nothing was changed.")
        }
        return secured(staff.redirect(to: SecondFactorPages.address))
    }

    /// What can be told of a request without its body: nil where that may come.
    func admission(_ head: Request, _ route: AdminEndpoint) async -> Response? {
        do {
            guard case .may(let action) = route.access else { return nil }
            guard isSameOrigin(head),
                let staff = try await admit(head, isQuiet: false), let session = staff.session
            else {
                throw Failure.forbidden(
                    "You were signed out, so what you sent was not read. Sign in on another page, then send it again.")
            }
            if staff.lacksSecondFactor { return try Self.secondFactorFirst(staff) }
            guard session.role.may(action) else {
                throw Failure.forbidden("Your role (\(session.role.label)) may not do this.")
            }
            return nil
        } catch {
            return FailurePage.response(for: error, head, context, nil)
        }
    }

    /// The request of somebody who is signed in; nil for all others.
    private func admit(
        _ request: Request, _ parameters: PathParameters = .none, isQuiet: Bool
    ) async throws -> AdminRequest? {
        guard let token = request.cookies[Self.sessionCookie].flatMap({ Token(text: $0) }),
            let session = try await context.database.sessions.find(
                tokenHash: token.hash, idleMinutes: context.sessionIdleMinutes, isQuiet: isQuiet)
        else { return nil }
        return AdminRequest(
            request: request, parameters: parameters, session: session, token: token, csrf: session.csrf,
            context: context, flash: Flash(cookie: request.cookies[Flash.cookieName]))
    }

    /// Somebody without a session: sees the open pages, and is led to the sign-in from all others.
    private func answerVisitor(
        _ request: Request, _ parameters: PathParameters, _ route: AdminEndpoint
    ) async throws -> Response {
        guard case .anyone = route.access else {
            let wanted = request.method == "GET" ? request.rawTarget : "/"
            if !RejectedInput.all(in: request).isEmpty { return Self.signedOut(request, context) }
            let place = FormFields([FormFields.Field(name: "next", value: wanted)]).urlEncoded
            return Self.secured(Response.redirect(303, to: "/login?\(place)"))
        }
        let known = request.cookies[Self.visitorCookie].flatMap { Token(text: $0) }
        let visitor = known ?? Token.make()
        let admitted = AdminRequest(
            request: request, parameters: parameters, session: nil, token: nil, csrf: Self.csrf(of: visitor),
            context: context, flash: Flash(cookie: request.cookies[Flash.cookieName]))
        if let refusal = forgery(admitted, isKnown: known != nil) { return refusal }
        var response = try await route.handler(admitted)
        if known == nil, let cookie = Cookie(name: Self.visitorCookie, value: visitor.text) {
            response.setCookie(cookie)
        }
        return Self.secured(response)
    }

    /// A form that was open for longer than the session: a way to the sign-in would lose what was typed.
    private static func signedOut(_ request: Request, _ context: AdminContext) -> Response {
        let sentence =
            "You were signed out while this form was open, so nothing was saved. Copy what you typed from below, "
            + "sign in, and enter it again."
        return FailurePage.response(.forbidden(sentence), status: 403, request, context)
    }

    /// The form's token follows from the cookie, and the cookie not from the form's token.
    private static func csrf(of visitor: Token) -> String {
        SHA256.hex("csrf:" + visitor.text)
    }

    /// Refuses a POST that our own page did not send: wrong token or foreign origin (S12).
    private func forgery(_ admitted: AdminRequest, isKnown: Bool = true) -> Response? {
        let request = admitted.request
        guard request.method != "GET", request.method != "HEAD" else { return nil }
        let isOurs =
            isKnown && isSameOrigin(request)
            && ConstantTime.equal(request.form.first("csrf") ?? "", admitted.csrf)
        if isOurs { return nil }
        let sentence =
            "This form was not sent from our page, or the page was open for too long. Nothing was changed. "
            + "Go back, reload the page and send it again."
        return FailurePage.response(
            .forbidden(sentence), status: 403, request, context, admitted.session == nil ? nil : admitted)
    }

    private func isSameOrigin(_ request: Request) -> Bool {
        if let site = request.headers["Sec-Fetch-Site"], site != "same-origin", site != "none" { return false }
        guard let origin = request.headers["Origin"] else { return true }
        if origin == context.publicURL { return true }
        guard let host = request.headers["Host"] else { return false }
        return origin == "http://\(host)" || origin == "https://\(host)"
    }

    /// The page for what has no route; to who is signed in, with the way back.
    func refusal(_ request: Request, _ error: any Error, status: Int? = nil) async -> Response {
        let admitted = try? await admit(request, isQuiet: false)
        return FailurePage.response(for: error, status: status, request, context, admitted)
    }

    /// The headers that every answer of the admin carries (S20, S21, S24, S26).
    static func secured(_ response: Response, isPage: Bool = true) -> Response {
        var response = response
        response.headers.set("X-Content-Type-Options", "nosniff")
        response.headers.set("Referrer-Policy", "same-origin")
        response.headers.set("Cross-Origin-Opener-Policy", "same-origin")
        response.headers.set("Content-Security-Policy", contentSecurityPolicy)
        if isPage { response.headers.set("Cache-Control", "private, no-store") }
        return response
    }

    private static let contentSecurityPolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: https:; connect-src 'self'; "
        + "font-src 'self'; frame-ancestors 'none'; form-action 'self'; base-uri 'none'; object-src 'none'; "
        + "require-trusted-types-for 'script'"
}
