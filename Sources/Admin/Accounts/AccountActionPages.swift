// The actions on one account: invitation, role, access scope, disable and enable, sessions, second factor.
import Domain
import HTTP
import Localization
import Operations
import Store

enum AccountActionPages {
    /// Runs the action, or shows the account page with its errors.
    private static func action(
        _ request: AdminRequest, _ done: String, _ body: (AccountRow, ManageAccount) async throws -> Void
    ) async throws -> Response {
        let account = try await AccountPages.find(request)
        return try await request.submit(orShow: AccountPages.show) {
            try await body(account, request.services.manageAccount)
            return request.redirect(to: AdminURL.account(account.id), Flash(done))
        }
    }

    static func invite(_ request: AdminRequest) async throws -> Response {
        try await action(request, tr("A new invitation is on its way. The previous link no longer works.")) {
            account, _ in
            try await request.services.invitePerson.resend(account.id, by: request.actor)
        }
    }

    private struct LinkPage: Encodable, Sendable {
        let id: ID<Account>
        let name: String
        let link: String
        let hours: Int
    }

    /// Shows an invitation link once, and only while no mail server is configured: the link gives control of the account,
    /// so with mail only the owner of the email address receives it.
    static func createLink(_ request: AdminRequest) async throws -> Response {
        let account = try await AccountPages.find(request)
        let rules = request.context.mail
        guard !rules.isConfigured else {
            throw Failure.refused(code: "mail_works", message: tr("Mail is configured. Resend the invitation instead."))
        }
        let token = try await request.services.invitePerson.link(
            for: account.id, hours: rules.invitationHours, by: request.actor)
        let model = LinkPage(
            id: account.id, name: account.name, link: "\(request.origin)/welcome/\(token.text)",
            hours: rules.invitationHours)
        return try request.page("admin/accounts/link", model, title: tr("Invitation link"))
    }

    static func setRole(_ request: AdminRequest) async throws -> Response {
        guard let role = try await AccountPages.role(in: request) else {
            return try await AccountPages.show(request, errors: FieldErrors("/role", "choice", tr("Choose a role.")))
        }
        return try await action(request, tr("Role changed to \(role.label).")) { account, manage in
            if account.role != role { try await manage.setRole(account.id, role, by: request.actor) }
        }
    }

    static func setScope(_ request: AdminRequest) async throws -> Response {
        let groups = Set(try await request.database.entries.choices(.categoryGroup).map(\.id))
        let types = request.context.rules.types
        return try await action(request, tr("Access scope saved.")) { account, manage in
            let scope = AccessScope(
                types: Set(request.form.all("types")), groups: Set(request.form.all("groups").compactMap { ID($0) }))
            var errors = FieldErrors()
            if !scope.types.allSatisfy({ types[$0] != nil }) {
                errors.add("/types", "choice", tr("Choose content types from the list."))
            }
            if !scope.groups.isSubset(of: groups) {
                errors.add("/groups", "choice", tr("Choose groups from the list."))
            }
            try errors.throwIfAny()
            try await manage.setScope(account, scope, by: request.actor)
        }
    }

    static func disable(_ request: AdminRequest) async throws -> Response {
        try await action(request, tr("Account disabled. Nobody can sign in with it.")) { account, manage in
            let assignee = try request.text("assignee").map { text in
                guard let id = ID<Account>(text) else {
                    throw Failure.invalid(FieldErrors("/assignee", "choice", tr("Choose an account from the list.")))
                }
                return id
            }
            try await manage.setDisabled(account.id, true, reassignTo: assignee, by: request.actor)
        }
    }

    static func enable(_ request: AdminRequest) async throws -> Response {
        try await action(request, tr("Account enabled.")) { account, manage in
            try await manage.setDisabled(account.id, false, by: request.actor)
        }
    }

    static func removeSecondFactor(_ request: AdminRequest) async throws -> Response {
        try await action(request, tr("Second factor removed. The next sign-in needs only the password.")) {
            account, _ in
            try await SecondFactor.remove(from: account.id, request.database, by: request.actor)
        }
    }

    static func revokeSession(_ request: AdminRequest) async throws -> Response {
        let session: ID<Session> = try request.id("session")
        return try await action(request, tr("Session revoked.")) { account, manage in
            try await manage.endSession(session, of: account.id, by: request.actor)
        }
    }
}
