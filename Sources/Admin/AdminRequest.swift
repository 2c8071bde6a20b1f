// One request to the admin, after the gate: who asks, with which parameters.
import Domain
import FoundationEssentials
import HTTP
import Platform
import Store

struct AdminRequest: Sendable {
    let request: Request
    /// The named parts of the path.
    let parameters: PathParameters
    /// Nil on pages that need no sign-in.
    let session: SessionRow?
    let token: Token?
    /// What forms of this page must send back in their field `csrf`.
    let csrf: String
    let context: AdminContext
    /// The message of the last action, shown once.
    let flash: Flash?

    var database: Database { context.database }
    var form: FormFields { request.form }
    var query: FormFields { request.query }

    /// The account that actions, with the address and request for the audit trail.
    var actor: Actor {
        guard let session else {
            return Actor(kind: .system, name: "system", requestID: request.id, address: request.remoteAddress)
        }
        return Actor(
            kind: .account, id: session.account.uuid, name: session.name, role: session.role, scope: session.scope,
            requestID: request.id, address: request.remoteAddress)
    }

    /// Whether the role needs a second factor that is not set up.
    var lacksSecondFactor: Bool {
        session.map { !$0.hasSecondFactor && context.secondFactor.roles.contains($0.role) } ?? false
    }

    /// Whether an entry is within what the asker works on.
    func worksOn(_ entry: EntryRow) async throws -> Bool {
        let scope = actor.scope
        guard !scope.groups.isEmpty else { return scope.holds(type: entry.type) }
        return scope.holds(type: entry.type, groups: try await database.entries.groups(of: entry.id))
    }

    /// The account that is signed in.
    func ownAccount() async throws -> AccountRow {
        guard let session, let account = try await database.accounts.find(session.account) else {
            throw Failure.missing("session")
        }
        return account
    }

    /// The same request in the session of another token: for a page that is shown in a session that has just begun.
    func reopened(as token: Token) async throws -> AdminRequest {
        let found = try await database.sessions.find(
            tokenHash: token.hash, idleMinutes: context.sessionIdleMinutes, isQuiet: true)
        guard let session = found else { throw Failure.missing("session") }
        return AdminRequest(
            request: request, parameters: parameters, session: session, token: token, csrf: session.csrf,
            context: context, flash: nil)
    }

    /// Scheme, host and port of links that are handed on: the configured ones, whatever host was asked for. Only where the
    /// public address is this machine itself (plain http), the asker's own name for it counts.
    var origin: String {
        guard context.publicURL.hasPrefix("http:"), let host = request.headers["Host"] else { return context.publicURL }
        return "http://" + host
    }

    /// The id in the path; anything else is not there.
    func id<Noun>(_ name: String = "id") throws(Failure) -> ID<Noun> {
        guard let id = parameters[name].flatMap({ ID<Noun>($0) }) else { throw .missing("page") }
        return id
    }

    /// A whole number that a form or an address carries.
    func integer(_ name: String) throws(Failure) -> Int {
        guard let text = form.first(name) ?? query.first(name) ?? parameters[name], let number = Int(text) else {
            throw .invalid(FieldErrors("/\(name)", "format", "A whole number is needed here."))
        }
        return number
    }

    /// A field of the form or the address, without blanks around it; nil when it is empty.
    func text(_ name: String) -> String? {
        let text = PlainText.singleLine(form.first(name) ?? query.first(name) ?? "")
        return text.isEmpty ? nil : text
    }

    /// Renders a page: its model with the frame that all pages share.
    func page(_ template: String, _ model: some Encodable & Sendable, title: String, status: Int = 200) throws
        -> Response
    {
        let bytes = try context.templates.render(template, Page(frame: PageContext(self, title: title), model: model))
        var response = Response.html(bytes, status: status)
        if flash != nil, let cleared = Flash.cleared { response.setCookie(cleared) }
        return response
    }

    /// Leads to another page, which shows `flash` once.
    func redirect(to place: String, _ flash: Flash? = nil) -> Response {
        var response = Response.redirect(303, to: place)
        if let cookie = flash?.cookie { response.setCookie(cookie) }
        return response
    }
}

/// The names of the model stand beside `frame`, so that templates write `{{frame.title}}` and `{{submission.title}}`.
private struct Page<Model: Encodable>: Encodable {
    let frame: PageContext
    let model: Model

    private enum CodingKeys: String, CodingKey { case frame }

    func encode(to encoder: any Encoder) throws {
        try model.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(frame, forKey: .frame)
    }
}
