// Admits a request (session, permission, CSRF) and renders errors as pages.
import Domain
import HTTP
import Localization
import Platform
import Store

struct AdminGate: Sendable {
    let context: AdminContext

    func response(to request: Request, _ parameters: PathParameters, _ endpoint: AdminEndpoint) async -> Response {
        if Self.isSubresource(request, of: endpoint) {
            let message = tr("Open this page itself. Other pages can't load it as an image or script.")
            return FailurePage.response(.refused(code: "subresource", message: message), status: 403, request, context)
        }
        if endpoint.flags.contains(.cookieless) { return await cookielessResponse(to: request, parameters, endpoint) }
        var admitted: AdminRequest?
        do {
            guard let staff = try await admit(request, parameters, isQuiet: endpoint.flags.contains(.quiet)),
                let session = staff.session
            else {
                return try await visitorResponse(to: request, parameters, endpoint)
            }
            admitted = staff
            if !endpoint.flags.contains(.beforeSecondFactor), staff.lacksSecondFactor {
                return try Self.secondFactorFirst(staff)
            }
            if case .may(let action) = endpoint.access, !session.role.may(action) {
                throw Failure.forbidden(tr("Your role (\(session.role.label)) can't do this."))
            }
            if let refusal = forgery(staff) { return refusal }
            try await requireScope(of: staff, endpoint)
            return try await Caller.$current.withValue(.account(session.account.uuid)) {
                try await AccessScope.$current.withValue(session.scope) {
                    var response = try await ReopenedReleases.$current.withValue(ReopenedReleases()) {
                        try await ZoneClock.$current.withValue(ZoneClock.of(staff.zone)) {
                            try await handle(staff, endpoint)
                        }
                    }.secured(images: staff.images)
                    if request.method == "POST", response.status == 303 { await staff.finishAutosave() }
                    let proof = SignInProof.browser.renewal(for: session.account, in: request, context.proofKey)
                    if let proof { response.setCookie(proof) }
                    return response
                }
            }
        } catch {
            // Without a database nobody knows the session; the text of its form is nowhere else.
            let typed = admitted == nil && isOfFormerSession(request) ? RejectedInputs(all: request) : nil
            return FailurePage.response(
                for: error, request, context, admitted, parameters: parameters, typed: typed,
                unsaved: admitted.flatMap { unsavedForm(of: $0) })
        }
    }

    /// Whether a page loads this one as an image, script or the like. Contents name URLs of images: reading a submission must
    /// open no other page of this site, which may be expensive, or recorded in the reader's name.
    private static func isSubresource(_ request: Request, of endpoint: AdminEndpoint) -> Bool {
        guard let kind = request.headers["Sec-Fetch-Dest"], !endpoint.flags.contains(.image) else { return false }
        if kind == "iframe", endpoint.flags.contains(.cookieless) { return false }
        return kind != "document" && kind != "empty"
    }

    /// A form of our pages, from a browser in which somebody is or was signed in.
    private func isOfFormerSession(_ request: Request) -> Bool {
        request.method == "POST" && isSameOrigin(request)
            && SignInProof.browser.account(in: request, context.proofKey) != nil
    }

    /// Searches take turns with those of apps; nothing else waits for them.
    private func handle(_ staff: AdminRequest, _ endpoint: AdminEndpoint) async throws -> Response {
        if endpoint.flags.contains(.creates), let post = try await FormPost(staff) {
            return try await context.formPosts.response(to: post, of: staff.request, context.database) {
                try await endpoint.handler(staff)
            }
        }
        guard staff.request.method == "GET", staff.text("q") != nil else { return try await endpoint.handler(staff) }
        return try await context.services.quotas.searches.run { try await endpoint.handler(staff) }
    }

    /// Refuses what the endpoint's access scope excludes. The handler reports a missing object.
    private func requireScope(of staff: AdminRequest, _ endpoint: AdminEndpoint) async throws {
        let actor = staff.actor
        if actor.scope.isAll { return }
        let access = context.database.access
        switch endpoint.scope {
        case .submission(let name): try await access.require(actor, .submission(try staff.id(name)))
        case .entry(let name): try await access.require(actor, .entry(try staff.id(name)))
        case .bulkAction(let name): try await access.require(actor, .bulkAction(try staff.id(name)))
        case .reportCase(let name): try await access.require(actor, .reportCase(try staff.id(name)))
        case .image(let name): try await access.require(actor, .image(try staff.id(name)))
        case .release(let name): try await access.require(actor, .release(try staff.number(name)))
        case .type(let type):
            guard actor.scope.contains(type: type) else {
                throw Failure.forbidden(tr("This page is outside your access scope."))
            }
        case .unrestricted:
            throw Failure.forbidden(tr("This page is only for accounts without an access scope."))
        case .none, .own, .filtered, .operation: return
        }
    }

    /// Redirects a role that requires a second factor to its setup page (S48).
    private static func secondFactorFirst(_ staff: AdminRequest) throws -> Response {
        guard staff.request.method == "GET" else {
            throw Failure.forbidden(tr("Set up your second factor first, under “Your account”. Nothing was changed."))
        }
        return staff.redirect(to: AdminURL.secondFactor()).secured()
    }

    /// Checks a request by its head, before its large body is read.
    func admission(_ head: Request, _ endpoint: AdminEndpoint) async -> Admission {
        // The sign-in page carries a text only in the browser of somebody who was signed in.
        if endpoint.flags.contains(.takesDraft), case .anyone = endpoint.access {
            let isProved = SignInProof.draft.account(in: head, context.proofKey) != nil
            return isProved ? .known : .refused(Self.signInPage(head))
        }
        do {
            guard case .may(let action) = endpoint.access else { return .unknown }
            guard isSameOrigin(head) else { throw Self.forged }
            // A form without files is read for everybody who is or was signed in: the response shows its text.
            let length = head.headers["Content-Length"].flatMap { Int($0) } ?? 0
            let isQuiet = endpoint.flags.contains(.quiet)
            guard let staff = try await admit(head, isQuiet: isQuiet, counts: false), let session = staff.session else {
                guard SignInProof.browser.account(in: head, context.proofKey) != nil else {
                    return .refused(Self.signInPage(head))
                }
                guard length <= AdminSite.bodyLimit else {
                    throw Failure.forbidden(
                        tr("You're signed out, so the form was not read. Sign in in another tab, then submit it again.")
                    )
                }
                return .known
            }
            if length <= AdminSite.bodyLimit { return .known }
            if staff.lacksSecondFactor { return .refused(try Self.secondFactorFirst(staff)) }
            guard session.role.may(action) else {
                throw Failure.forbidden(tr("Your role (\(session.role.label)) can't do this."))
            }
            return .known
        } catch {
            // The text is read, so that the page of the error has it.
            let length = head.headers["Content-Length"].flatMap { Int($0) } ?? .max
            if isOfFormerSession(head), length <= AdminSite.bodyLimit { return .known }
            return .refused(FailurePage.response(for: error, head, context, nil))
        }
    }

    /// The request with its session; nil when not signed in.
    private func admit(
        _ request: Request, _ parameters: PathParameters = .none, isQuiet: Bool, counts: Bool = true
    ) async throws -> AdminRequest? {
        guard let token = request.cookie(AdminRequest.sessionCookie).flatMap({ Token(text: $0) }),
            let session = try await context.database.sessions.find(
                tokenHash: token.hash, idleMinutes: context.services.signInPolicy.idleMinutes, isQuiet: isQuiet,
                counts: counts)
        else { return nil }
        return AdminRequest(
            request: try await request.resolvingZones(context.database), parameters: parameters, session: session,
            token: token, csrf: CSRFToken(of: session.csrf), context: context,
            flash: Flash(cookie: request.cookie(Flash.cookieName)), missingTexts: try await missingTexts(session))
    }

    private func missingTexts(_ session: SessionRow) async throws -> [MissingTexts] {
        guard let counts = session.counts, session.scope.contains(type: "text") else { return [] }
        return try await context.missingTexts.languages(at: counts.publication, context.database)
    }

    func isSignedIn(_ request: Request) async -> Bool { (try? await admit(request, isQuiet: true)) != nil }

    private func cookielessResponse(
        to request: Request, _ parameters: PathParameters, _ endpoint: AdminEndpoint
    ) async -> Response {
        do {
            return try await endpoint.handler(
                AdminRequest(
                    request: try await request.resolvingZones(context.database), parameters: parameters, session: nil,
                    token: nil, csrf: CSRFToken(of: request.id), context: context, flash: nil))
        } catch {
            return FailurePage.response(for: error, request, context, parameters: parameters)
        }
    }

    /// The sign-in page, for a request without a session. It leads back to the page, or home from a form.
    private static func signInPage(_ request: Request) -> Response {
        let wanted = request.method == "GET" ? request.rawTarget : AdminURL.home()
        return Response.redirect(303, to: AdminURL.login(query: ["next": wanted])).secured()
    }

    /// Serves public pages to visitors without a session, and redirects all other requests to the sign-in page. A form
    /// is shown again only to browsers in which somebody was signed in: strangers get nothing of what they send.
    private func visitorResponse(
        to request: Request, _ parameters: PathParameters, _ endpoint: AdminEndpoint
    ) async throws -> Response {
        var request = request
        if case .anyone = endpoint.access { request = try await request.resolvingZones(context.database) }
        let known = request.cookie(AdminRequest.visitorCookie).flatMap { Token(text: $0) }
        let visitor = known ?? Token.make()
        let admitted = AdminRequest(
            request: request, parameters: parameters, session: nil, token: nil, csrf: CSRFToken(of: visitor.text),
            context: context, flash: Flash(cookie: request.cookie(Flash.cookieName)))
        var response: Response
        if case .anyone = endpoint.access {
            if let refusal = forgery(admitted, isKnown: known != nil) { return refusal }
            response = try await endpoint.handler(admitted)
        } else {
            guard isOfFormerSession(request) else { return Self.signInPage(request) }
            if let unsaved = UnsavedForm(request) {
                response = try SignInPages.signedOut(admitted, unsaved)
            } else {
                let typed = RejectedInputs(all: request)
                return typed.list.isEmpty ? Self.signInPage(request) : Self.signedOut(request, context, typed)
            }
        }
        if known == nil, let cookie = Cookie(name: AdminRequest.visitorCookie, value: visitor.text) {
            response.setCookie(cookie)
        }
        return response.secured(images: admitted.images)
    }

    /// A form that was open longer than the session: a redirect to the sign-in page would lose the input.
    private static func signedOut(
        _ request: Request, _ context: AdminContext, _ typed: RejectedInputs
    ) -> Response {
        let message =
            tr(
                "You were signed out while this form was open, so nothing was saved. Copy your text from below, "
                    + "sign in, then enter it again.")
        return FailurePage.response(.forbidden(message), status: 403, request, context, typed: typed)
    }

    /// Refuses a POST with a wrong CSRF token or a foreign origin (S12).
    private func forgery(_ admitted: AdminRequest, isKnown: Bool = true) -> Response? {
        let request = admitted.request
        guard request.method != "GET", request.method != "HEAD" else { return nil }
        let isOurs =
            isKnown && isSameOrigin(request)
            && admitted.csrf.matches(request.form.first("csrf") ?? "")
        if isOurs { return nil }
        // The token may be that of an earlier session of the same account.
        return FailurePage.response(
            Self.forged, status: 403, request, context, admitted.session == nil ? nil : admitted,
            unsaved: unsavedForm(of: admitted))
    }

    private static var forged: Failure {
        .forbidden(
            tr(
                "This form has expired or was sent from another site. Nothing was changed. "
                    + "Go back, reload the page, then submit it again."))
    }

    /// The submitted form of somebody who is signed in, if it can be shown again with its text.
    private func unsavedForm(of admitted: AdminRequest) -> UnsavedForm? {
        guard let account = admitted.session?.account, isSameOrigin(admitted.request),
            let unsaved = UnsavedForm(admitted.request), unsaved.account == account.description
        else { return nil }
        return unsaved
    }

    private func isSameOrigin(_ request: Request) -> Bool {
        if let site = request.headers["Sec-Fetch-Site"], site != "same-origin", site != "none" { return false }
        guard let origin = request.headers["Origin"] else { return true }
        if origin == context.publicURL { return true }
        guard let host = request.headers["Host"] else { return false }
        return origin == "http://\(host)" || origin == "https://\(host)"
    }

    /// The error page of a request without an endpoint; with the navigation when signed in.
    func refusal(_ request: Request, _ error: any Error, status: Int? = nil) async -> Response {
        let admitted = try? await admit(request, isQuiet: false)
        return FailurePage.response(for: error, status: status, request, context, admitted)
    }
}
