// The signed-in person's own account: sign-in methods, time zone and sessions.
import Domain
import HTTP
import Localization
import Operations
import Store

enum SessionPages {
    struct Line: Encodable, Sendable {
        let session: SessionLine
        /// In words.
        let browser: String
        /// The current session, which ends by signing out.
        let isHere: Bool
        /// The URL whose POST revokes it.
        let revokeURL: String

        init(_ line: SessionLine, _ request: AdminRequest, revokeURL: String) {
            session = line
            browser = BrowserName.shown(line.userAgent)
            isHere = line.id == request.session?.id
            self.revokeURL = revokeURL
        }
    }

    private struct Own: Encodable, Sendable {
        let name: String
        let email: String
        let role: String
        let hasPassword: Bool
        let hasSecondFactor: Bool
        let requiresSecondFactor: Bool
        let zone: String
        let zoneErrors: [String]
        let sessions: [Line]
        let problem: ErrorSummary?
    }

    static func show(_ request: AdminRequest, errors: FieldErrors = FieldErrors()) async throws -> Response {
        let session = try request.ownSession()
        let sessions = try await request.database.sessions.list(
            of: session.account, idleMinutes: request.services.signInPolicy.idleMinutes)
        let model = Own(
            name: session.name, email: session.email, role: session.role.label,
            hasPassword: try await request.ownAccount().passwordHash != nil,
            hasSecondFactor: session.hasSecondFactor,
            requiresSecondFactor: request.context.secondFactor.isRequired(of: session.role),
            zone: request.form.first("zone") ?? request.zone, zoneErrors: errors.messages(at: "/zone"),
            sessions: sessions.map { Line($0, request, revokeURL: AdminURL.ownSessionRevoke($0.id)) },
            problem: ErrorSummary(errors))
        return try request.page("admin/accounts/own", model, title: tr("Your account"), status: errors.status)
    }

    static func update(_ request: AdminRequest) async throws -> Response {
        try await request.submit(orShow: { try await show($0, errors: $1) }) {
            try await request.services.manageAccount.setZone(request.text("zone") ?? "", by: request.actor)
            return request.redirect(to: AdminURL.ownAccount(), Flash(tr("Time zone saved.")))
        }
    }

    private struct Current: Encodable, Sendable {}

    /// Who is signed in: for people after signing in beside an open form, and for its script, which goes on with the new token.
    static func current(_ request: AdminRequest) async throws -> Response {
        let session = try request.ownSession()
        guard request.request.headers["Accept"] == "application/json" else {
            return try request.page("admin/sign-in/session", Current(), title: tr("You're signed in"))
        }
        let members: [String: JSONValue] = [
            "account": .string(session.account.description), "csrf": .string(request.csrf.masked()),
        ]
        return .json(Array(JSONValue.object(members).canonicalText.utf8))
    }

    static func revoke(_ request: AdminRequest) async throws -> Response {
        let session = try request.ownSession()
        try await request.services.manageAccount.endSession(
            try request.id("session"), of: session.account, by: request.actor)
        return request.redirect(to: AdminURL.ownAccount(), Flash(tr("Session revoked.")))
    }
}
