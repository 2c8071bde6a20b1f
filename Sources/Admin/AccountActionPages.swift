// What is done to an account: invited again, given another role, disabled, enabled, signed out.
import Accounts
import Domain
import HTTP
import Store

enum AccountActionPages {
    static let routes = [
        route("/accounts/{id}/invite", inviteAgain), route("/accounts/{id}/link", showLink),
        route("/accounts/{id}/role", setRole), route("/accounts/{id}/disable", disable),
        route("/accounts/{id}/enable", enable), route("/accounts/{id}/sessions/{session}/revoke", endSession),
        route("/accounts/{id}/scope", setScope), route("/accounts/{id}/second-factor/remove", removeSecondFactor),
    ]

    private static func route(
        _ pattern: String, _ handler: @escaping @Sendable (AdminRequest) async throws -> Response
    ) -> AdminEndpoint {
        AdminEndpoint(method: "POST", pattern: pattern, access: .may(.administer), handler: handler)
    }

    private static func back(_ request: AdminRequest, _ account: AccountRow, _ sentence: String) -> Response {
        request.redirect(to: "/accounts/\(account.id)", Flash(sentence))
    }

    /// Does it, or shows the account again with what was wrong.
    private static func action(
        _ request: AdminRequest, _ sentence: String, _ body: (AccountRow, ManageAccount) async throws -> Void
    ) async throws -> Response {
        let account = try await AccountPages.find(request)
        do {
            try await body(account, ManageAccount(database: request.database))
        } catch Failure.invalid(let errors) {
            return try await AccountPages.show(request, errors: errors)
        } catch Failure.refused(let code, let message) {
            return try await AccountPages.show(request, errors: FieldErrors("", code, message))
        }
        return back(request, account, sentence)
    }

    private static func inviteAgain(_ request: AdminRequest) async throws -> Response {
        try await action(request, "Another invitation is on its way; the old link is dead.") { account, _ in
            try await InvitePerson(database: request.database).again(account.id, by: request.actor)
        }
    }

    private struct LinkPage: Encodable, Sendable {
        let id: ID<Account>
        let name: String
        let link: String
        let hours: Int
    }

    /// Shows the link of an invitation, this once and only while no mail can be sent: whoever holds the link takes the
    /// account, so where mail works, only the owner of the address gets to see it.
    private static func showLink(_ request: AdminRequest) async throws -> Response {
        let account = try await AccountPages.find(request)
        let rules = request.context.mail
        guard !rules.isConfigured else {
            throw Failure.refused(code: "mail_works", message: "Mail is set up: send another invitation instead.")
        }
        let token = try await InvitePerson(database: request.database).link(
            for: account.id, hours: rules.invitationHours, by: request.actor)
        let model = LinkPage(
            id: account.id, name: account.name, link: "\(request.origin)/welcome/\(token.text)",
            hours: rules.invitationHours)
        return try request.page("admin/accounts/link", model, title: "Invitation link")
    }

    private static func setRole(_ request: AdminRequest) async throws -> Response {
        guard let role = request.form.first("role").flatMap({ Role(rawValue: $0) }) else {
            return try await AccountPages.show(request, errors: FieldErrors("/role", "choice", "Choose a role."))
        }
        return try await action(request, "The role is \(role.label) now.") { account, manage in
            if account.role != role { try await manage.setRole(account.id, role, by: request.actor) }
        }
    }

    private static func setScope(_ request: AdminRequest) async throws -> Response {
        let groups = Set(try await request.database.entries.choices(.categoryGroup).map(\.id))
        let types = request.context.rules.types
        return try await action(request, "What the account works on is changed.") { account, manage in
            let scope = AccessScope(
                types: Set(request.form.all("types")), groups: Set(request.form.all("groups").compactMap { ID($0) }))
            var errors = FieldErrors()
            if !scope.types.allSatisfy({ types[$0] != nil }) {
                errors.add("/types", "choice", "Choose content types of the list.")
            }
            if !scope.groups.isSubset(of: groups) { errors.add("/groups", "choice", "Choose groups of the list.") }
            try errors.throwIfAny()
            try await manage.setScope(account, scope, by: request.actor)
        }
    }

    private static func disable(_ request: AdminRequest) async throws -> Response {
        try await action(request, "The account is disabled. Nobody can sign in with it.") { account, manage in
            let heir = try request.text("heir").map { text in
                guard let id = ID<Account>(text) else {
                    throw Failure.invalid(FieldErrors("/heir", "choice", "Choose somebody of the list."))
                }
                return id
            }
            try await manage.setDisabled(account.id, true, handOverTo: heir, by: request.actor)
        }
    }

    private static func enable(_ request: AdminRequest) async throws -> Response {
        try await action(request, "The account is enabled again.") { account, manage in
            try await manage.setDisabled(account.id, false, by: request.actor)
        }
    }

    private static func removeSecondFactor(_ request: AdminRequest) async throws -> Response {
        try await action(request, "The second factor is taken away. The password alone counts at the next sign-in.") {
            account, _ in
            try await SecondFactor.remove(from: account.id, request.database, by: request.actor)
        }
    }

    private static func endSession(_ request: AdminRequest) async throws -> Response {
        let session: ID<Session> = try request.id("session")
        return try await action(request, "The session is ended.") { account, manage in
            try await manage.endSession(session, of: account.id, by: request.actor)
        }
    }
}
