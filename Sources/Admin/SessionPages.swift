// One's own account: where one is signed in, and ending that.
import Accounts
import Domain
import HTTP
import Store

enum SessionPages {
    static let routes = [
        AdminEndpoint(method: "GET", pattern: "/account", access: .may(.readQueue), handler: show),
        AdminEndpoint(method: "POST", pattern: "/account/sessions/{session}/revoke", access: .may(.readQueue), handler: end),
    ]

    struct Line: Encodable, Sendable {
        let from: String
        let agent: String
        let since: Instant
        let used: Instant
        /// The one that this page is seen in; it ends by signing out.
        let isHere: Bool
        /// Where a POST ends it.
        let end: String
        let csrf: String

        init(_ line: SessionLine, _ request: AdminRequest, end: String) {
            from = line.address
            agent = line.agent
            since = Instant(line.createdAt)
            used = Instant(line.seenAt)
            isHere = line.id == request.session?.id
            self.end = end
            csrf = request.csrf
        }
    }

    private struct Own: Encodable, Sendable {
        let name: String
        let email: String
        let role: String
        let hasSecondFactor: Bool
        let needsSecondFactor: Bool
        let sessions: [Line]
    }

    private static func show(_ request: AdminRequest) async throws -> Response {
        guard let session = request.session else { throw Failure.missing("session") }
        let sessions = try await request.database.sessions.list(
            of: session.account, idleMinutes: request.context.sessionIdleMinutes)
        let model = Own(
            name: session.name, email: session.email, role: session.role.label,
            hasSecondFactor: session.hasSecondFactor,
            needsSecondFactor: request.context.secondFactor.roles.contains(session.role),
            sessions: sessions.map { Line($0, request, end: "/account/sessions/\($0.id)/revoke") })
        return try request.page("admin/accounts/own", model, title: "Your account")
    }

    private static func end(_ request: AdminRequest) async throws -> Response {
        guard let session = request.session else { throw Failure.missing("session") }
        try await ManageAccount(database: request.database).endSession(
            try request.id("session"), of: session.account, by: request.actor)
        return request.redirect(to: "/account", Flash("The session is ended."))
    }
}
