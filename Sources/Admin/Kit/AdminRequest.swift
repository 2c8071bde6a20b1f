// An admitted request to the admin pages, with its session, parameters and context.
import Domain
import FoundationEssentials
import HTTP
import Localization
import Operations
import Platform
import Store

package struct AdminRequest: Sendable {
    static let sessionCookie = "__Host-vitrine_session"
    /// Before there is a session, the same cookie binds the sign-in form to the browser that requested it; signing in
    /// replaces it with a new token.
    static let visitorCookie = sessionCookie

    package let request: Request
    /// The path parameters.
    let parameters: PathParameters
    /// Nil on pages that need no sign-in.
    let session: SessionRow?
    let token: Token?
    /// The token in the forms of this page.
    let csrf: CSRFToken
    package let context: AdminContext
    /// The message of the last action, shown once.
    let flash: Flash?
    /// The number in the form of a page without cookies, instead of a CSRF token.
    var pass: String?
    /// The forms of the page whose text is saved while somebody types.
    var autosaves: [Autosaved] = []
    /// The languages in which published texts are missing; none for requests of a page's script, and for people whose
    /// access scope has no texts.
    var missingTexts: [MissingTexts] = []

    package var services: Services { context.services }
    package var database: Database { context.database }
    package var form: FormFields { request.form }
    package var query: FormFields { request.query }

    /// Which images of contents this page loads.
    var images: ContentImages { ContentImages(request, context) }

    /// The signed-in account, with request id and IP address for the audit trail.
    package var actor: Actor {
        guard let session else {
            return Actor(kind: .visitor, name: "visitor", requestID: request.id, remoteAddress: request.remoteAddress)
        }
        return Actor(
            kind: .account, id: session.account.uuid, name: session.name, role: session.role, scope: session.scope,
            requestID: request.id, remoteAddress: request.remoteAddress, credential: token.map { Credential($0.bytes) })
    }

    /// The time zone in which the person reads and enters times.
    package var zone: String { session?.zone ?? ZoneName.standard }

    /// Whether the role requires a second factor that is not set up.
    var lacksSecondFactor: Bool {
        session.map { !$0.hasSecondFactor && context.secondFactor.isRequired(of: $0.role) } ?? false
    }

    /// The session of the person who is signed in.
    func ownSession() throws -> SessionRow {
        try session.orMissing("session")
    }

    /// The account of that session, as it is now.
    func ownAccount() async throws -> AccountRow {
        try await database.accounts.find(try ownSession().account).orMissing("session")
    }

    /// The same request in the session of another token, to render a page in a session that was just created.
    func reopened(as token: Token) async throws -> AdminRequest {
        let found = try await database.sessions.find(
            tokenHash: token.hash, idleMinutes: context.services.signInPolicy.idleMinutes, isQuiet: true)
        guard let session = found else { throw Failure.missing("session") }
        return AdminRequest(
            request: request, parameters: parameters, session: session, token: token, csrf: CSRFToken(of: session.csrf),
            context: context, flash: nil)
    }

    /// Scheme, host and port of links to share: the configured ones, whatever the `Host` header says. Only when the public
    /// URL is plain http (a development machine), the `Host` header is used.
    var origin: String {
        guard context.publicURL.hasPrefix("http:"), let host = request.headers["Host"] else { return context.publicURL }
        return "http://" + host
    }

    /// The id in the path; throws `missing` when it is malformed.
    package func id<Noun>(_ name: String = "id") throws(Failure) -> ID<Noun> {
        guard let id = parameters[name].flatMap({ ID<Noun>($0) }) else { throw .missing("page") }
        return id
    }

    /// The number in the path; throws `missing` when it is malformed.
    func number(_ name: String = "number") throws(Failure) -> Int64 {
        guard let number = parameters[name].flatMap({ Int64($0) }) else { throw .missing("page") }
        return number
    }

    /// A whole number from the form, query or path.
    package func integer(_ name: String) throws(Failure) -> Int {
        guard let text = form.first(name) ?? query.first(name) ?? parameters[name], let number = Int(text) else {
            throw .invalid(FieldErrors("/\(name)", "format", tr("Enter a whole number.")))
        }
        return number
    }

    /// Renders a page: its model with the context that all pages share. The title says when a form was not carried out. `type`: the
    /// content type of the entry that the page is about.
    package func page(
        _ template: String, _ model: some Encodable & Sendable, title: String, status: Int = 200, type: String? = nil
    ) throws -> Response {
        try rendered(
            template, model, title: status < 400 ? title : tr("Error: \(title)", context: "admin request"),
            status: status, type: type)
    }

    func rendered(
        _ template: String, _ model: some Encodable & Sendable, title: String, status: Int, type: String? = nil
    ) throws -> Response {
        var response = try context.page(
            template, Page(page: PageContext(self, title: title, type: type), model: model), status: status)
        if flash != nil, let cleared = Flash.cleared { response.setCookie(cleared) }
        return response
    }

    /// Redirects to another page, which shows `flash` once, and which releases the request has opened again.
    package func redirect(to url: String, _ flash: Flash? = nil) -> Response {
        var response = Response.redirect(303, to: url)
        let reopened = ReopenedReleases.current?.messages ?? []
        let shown = flash.map { $0.adding(reopened) } ?? (reopened.isEmpty ? nil : Flash("").adding(reopened))
        if let cookie = shown?.cookie { response.setCookie(cookie) }
        return response
    }
}

/// Encodes the model's members beside `page`, so that templates write `{{page.title}}` and `{{submission.title}}`.
private struct Page<Model: Encodable>: Encodable {
    package let page: PageContext
    let model: Model

    private enum CodingKeys: String, CodingKey { case page }

    func encode(to encoder: any Encoder) throws {
        try model.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(page, forKey: .page)
    }
}
