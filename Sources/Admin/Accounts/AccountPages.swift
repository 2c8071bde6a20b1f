// The accounts of the staff: the list with its invitation form, and one account with its sessions and mails.
import Domain
import FoundationEssentials
import HTTP
import Localization
import Operations
import Store

enum AccountPages {
    private static let perPage = 50

    private struct Line: Encodable, Sendable {
        let account: AccountRow
        let role: String
        let state: AccountState
        /// The state of the newest invitation mail; nil unless invited.
        let mail: String?
        let seenAt: Date?

        init(_ line: AccountLine) {
            account = line.account
            role = account.role.label
            state = account.state
            mail = state == .invited ? Self.mail(line, account) : nil
            seenAt = line.seenAt
        }

        private static func mail(_ line: AccountLine, _ account: AccountRow) -> String? {
            switch line.mailState {
            case .waiting: tr("Invitation queued.") + (line.mailError.map { " " + $0 } ?? "")
            case .sent: tr("Invitation sent") + (account.invitedAt.map { " " + Instant($0).relative } ?? "") + "."
            case .failed: tr("Invitation failed. ") + (line.mailError ?? "")
            case .canceled, nil: tr("No invitation queued.")
            }
        }
    }

    // MARK: List

    private struct List: Encodable, Sendable {
        let isMailConfigured: Bool
        let states: [PageContext.Link]
        let emptyMessage: String
        let lines: [Line]
        let first: String?
        let next: String?
        let email: String
        let name: String
        let locale: String
        let roles: [Option]
        let emailErrors: [String]
        let nameErrors: [String]
        let roleErrors: [String]
        let localeErrors: [String]
        let problem: ErrorSummary?
    }

    static func list(_ request: AdminRequest, errors: FieldErrors = FieldErrors()) async throws -> Response {
        let state = request.query.first("state").flatMap { AccountState(rawValue: $0) }
        let cursor = request.cursor
        let page = try await request.database.accounts.page(state: state, cursor: cursor, limit: perPage)
        let states =
            [PageContext.Link(label: tr("All", context: "list"), url: AdminURL.accounts(), isHere: state == nil)]
            + AccountState.allCases.map { one in
                PageContext.Link(
                    label: one.label, url: AdminURL.accounts(query: ["state": one.rawValue]),
                    isHere: one == state)
            }
        let form = request.form
        let model = List(
            isMailConfigured: request.context.mail.isConfigured, states: states,
            emptyMessage: state.map { tr("No accounts in the state “\($0.label)”.") } ?? tr("No accounts."),
            lines: page.items.map(Line.init),
            first: cursor == nil ? nil : AdminURL.accounts(query: ["state": state?.rawValue]),
            next: page.next.map { AdminURL.accounts(query: ["state": state?.rawValue, "cursor": $0]) },
            email: form.first("email") ?? "", name: form.first("name") ?? "", locale: form.first("locale") ?? "en",
            roles: try await roles(request.database, chosen: form.first("role") ?? Role.curator.name),
            emailErrors: errors.messages(at: "/email"), nameErrors: errors.messages(at: "/name"),
            roleErrors: errors.messages(at: "/role"), localeErrors: errors.messages(at: "/locale"),
            problem: ErrorSummary(errors))
        return try request.page(
            "admin/accounts/list", model, title: tr("Accounts", context: "list"),
            status: errors.status)
    }

    private static func roles(_ stores: some Stores, chosen: String) async throws -> [Option] {
        try await stores.roles.list().map {
            Option(value: $0.name, label: $0.label, isChosen: $0.name == chosen, note: $0.meaning)
        }
    }

    static func invite(_ request: AdminRequest) async throws -> Response {
        let form = request.form
        return try await request.submit(orShow: list) {
            let id = try await request.services.invitePerson(
                email: form.first("email") ?? "", name: form.first("name") ?? "",
                role: try await role(in: request), locale: form.first("locale") ?? "",
                by: request.actor)
            let message =
                request.context.mail.isConfigured
                ? tr("The invitation is on its way.")
                : tr("Account created. The invitation is queued until mail is configured.")
            return request.redirect(to: AdminURL.account(id), Flash(message))
        }
    }

    /// The chosen role; nil without a choice, or if it was deleted meanwhile.
    static func role(in request: AdminRequest) async throws -> Role? {
        guard let name = request.form.first("role") else { return nil }
        return try await request.database.roles.find(name)
    }

    // MARK: One account

    private struct Show: Encodable, Sendable {
        let line: Line
        let isInvited: Bool
        let requiresSecondFactor: Bool
        let isMailConfigured: Bool
        let roles: [Option]
        let assignees: [Option]
        let isRestricted: Bool
        let types: [Option]
        let groups: [Option]
        let sessions: [SessionPages.Line]
        let tasks: [TaskPages.Line]
        let history: [HistoryEvent]
        let problem: ErrorSummary?
    }

    static func show(_ request: AdminRequest, errors: FieldErrors = FieldErrors()) async throws -> Response {
        let row = try await find(request)
        let stores = request.database
        let mails = try await stores.backgroundTasks.mails(to: row.id)
        let newest = mails.first { [MailText.invitation, .passwordReset].map(\.rawValue).contains($0.name) }
        let sessions = try await stores.sessions.list(
            of: row.id, idleMinutes: request.services.signInPolicy.idleMinutes)
        let assignees = try await stores.accounts.list(may: .decide).filter { $0.id != row.id }
        let model = Show(
            line: Line(
                AccountLine(
                    account: row, seenAt: sessions.first?.seenAt,
                    mailState: newest.flatMap { MailState(rawValue: $0.result) },
                    mailError: newest?.lastError)),
            isInvited: row.state == .invited,
            requiresSecondFactor: request.context.secondFactor.isRequired(of: row.role),
            isMailConfigured: request.context.mail.isConfigured,
            roles: try await roles(stores, chosen: row.role.name),
            assignees: assignees.map { Option(value: $0.id.description, label: $0.name, isChosen: false) },
            isRestricted: !row.scope.isAll,
            types: request.context.rules.types.all.map {
                Option(value: $0.name, label: $0.label, isChosen: row.scope.types.contains($0.name))
            },
            groups: try await stores.entries.choices(.categoryGroup).map {
                Option(value: $0.id.description, label: $0.title, isChosen: row.scope.groups.contains($0.id))
            },
            sessions: sessions.map {
                SessionPages.Line($0, request, revokeURL: AdminURL.accountSessionRevoke(row.id, $0.id))
            },
            tasks: mails.map { TaskPages.Line($0, request) },
            history: try await stores.auditTrail.about("account", row.id.description).map {
                HistoryEvent($0, title: row.name)
            },
            problem: ErrorSummary(errors))
        return try request.page(
            "admin/accounts/show", model, title: row.name,
            status: errors.status)
    }

    /// The account of the id in the path.
    static func find(_ request: AdminRequest) async throws -> AccountRow {
        try await request.database.accounts.find(try request.id()).orMissing("account")
    }
}
