// The accounts of the staff: who they are, inviting another, and one account with its sessions and mails.
import Accounts
import Domain
import FoundationEssentials
import HTTP
import Store

enum AccountPages {
    static let routes =
        [
            AdminEndpoint(method: "GET", pattern: "/accounts", access: .may(.administer)) { try await list($0) },
            AdminEndpoint(method: "POST", pattern: "/accounts", access: .may(.administer), handler: invite),
            AdminEndpoint(method: "GET", pattern: "/accounts/{id}", access: .may(.administer)) { try await show($0) },
        ] + AccountActionPages.routes

    private static let perPage = 50

    struct Choice: Encodable, Sendable {
        let value: String
        let label: String
        let note: String
        let isChosen: Bool

        static func roles(chosen: Role?) -> [Choice] {
            Role.allCases.map {
                Choice(value: $0.rawValue, label: $0.label, note: $0.meaning, isChosen: $0 == chosen)
            }
        }
    }

    struct Line: Encodable, Sendable {
        let id: ID<Account>
        let name: String
        let email: String
        let role: String
        let state: String
        let tone: String
        let hasSecondFactor: Bool
        /// What became of the newest mail with a link, where that matters.
        let mail: String?
        let seen: Instant?

        init(_ line: AccountLine) {
            let account = line.account
            id = account.id
            name = account.name
            email = account.email
            role = account.role.label
            state = account.state.rawValue
            tone =
                switch account.state {
                case .active: "ok"
                case .invited: "wait"
                case .disabled: ""
                }
            hasSecondFactor = account.hasSecondFactor
            seen = line.seenAt.map { Instant($0) }
            mail = account.state == .invited ? Self.mail(line, account) : nil
        }

        private static func mail(_ line: AccountLine, _ account: AccountRow) -> String? {
            switch line.mailState {
            case .waiting: "The mail waits to be sent." + (line.mailError.map { " " + $0 } ?? "")
            case .sent: "The mail was sent" + (account.invitedAt.map { " " + Instant($0).distance } ?? "") + "."
            case .failed: "The mail failed. " + (line.mailError ?? "")
            case .canceled, nil: "No mail is on its way."
            }
        }
    }

    // MARK: All of them

    private struct List: Encodable, Sendable {
        let isMailSetUp: Bool
        let states: [PageContext.Link]
        let emptyState: String
        let lines: [Line]
        let first: String?
        let next: String?
        let email: String
        let name: String
        let locale: String
        let roles: [Choice]
        let emailErrors: [String]
        let nameErrors: [String]
        let roleErrors: [String]
        let localeErrors: [String]
        let problem: ErrorSummary?
    }

    private static func list(_ request: AdminRequest, errors: FieldErrors = FieldErrors()) async throws -> Response {
        let state = request.query.first("state").flatMap { AccountState(rawValue: $0) }
        let cursor = request.query.first("cursor")
        let page = try await request.database.accounts.page(state: state, cursor: cursor, limit: perPage)
        let here = "/accounts" + (state.map { "?state=\($0.rawValue)" } ?? "")
        let states =
            [PageContext.Link(label: "All", address: "/accounts", isHere: state == nil)]
            + AccountState.allCases.map { one in
                PageContext.Link(
                    label: one.rawValue.capitalized, address: "/accounts?state=\(one.rawValue)", isHere: one == state)
            }
        let form = request.form
        let model = List(
            isMailSetUp: request.context.mail.isConfigured, states: states, emptyState: state?.rawValue ?? "here",
            lines: page.items.map(Line.init), first: cursor == nil ? nil : here,
            next: page.next.map { "\(here)\(state == nil ? "?" : "&")cursor=\($0)" },
            email: form.first("email") ?? "", name: form.first("name") ?? "", locale: form.first("locale") ?? "en",
            roles: Choice.roles(chosen: form.first("role").flatMap { Role(rawValue: $0) } ?? .curator),
            emailErrors: errors.messages(at: "/email"), nameErrors: errors.messages(at: "/name"),
            roleErrors: errors.messages(at: "/role"), localeErrors: errors.messages(at: "/locale"),
            problem: ErrorSummary(errors))
        return try request.page(
            "admin/accounts/list", model, title: (errors.isEmpty ? "" : "Error: ") + "Accounts",
            status: errors.isEmpty ? 200 : 422)
    }

    private static func invite(_ request: AdminRequest) async throws -> Response {
        let form = request.form
        do {
            let id = try await InvitePerson(database: request.database)(
                email: form.first("email") ?? "", name: form.first("name") ?? "",
                role: form.first("role").flatMap { Role(rawValue: $0) }, locale: form.first("locale") ?? "",
                by: request.actor)
            let sentence =
                request.context.mail.isConfigured
                ? "The invitation is on its way." : "The account is made; its invitation waits until mail is set up."
            return request.redirect(to: "/accounts/\(id)", Flash(sentence))
        } catch Failure.invalid(let errors) {
            return try await list(request, errors: errors)
        } catch Failure.refused(let code, let message) {
            // Nothing typed is lost.
            return try await list(request, errors: FieldErrors("", code, message))
        }
    }

    // MARK: One of them

    private struct Trail: Encodable, Sendable {
        let when: Instant
        let actor: String
        let action: String
    }

    private struct Show: Encodable, Sendable {
        let account: Line
        let locale: String
        let isInvited: Bool
        let isDisabled: Bool
        let hasSecondFactor: Bool
        let needsSecondFactor: Bool
        let isMailSetUp: Bool
        let roles: [Choice]
        let heirs: [Choice]
        let isNarrowed: Bool
        let types: [Choice]
        let groups: [Choice]
        let sessions: [SessionPages.Line]
        let mails: [MailPages.Line]
        let trail: [Trail]
        let problem: ErrorSummary?
    }

    static func show(_ request: AdminRequest, errors: FieldErrors = FieldErrors()) async throws -> Response {
        let row = try await find(request)
        let stores = request.database
        let mails = try await stores.mails.list(to: row.id)
        let newest = mails.first { $0.link != nil }
        let sessions = try await stores.sessions.list(of: row.id, idleMinutes: request.context.sessionIdleMinutes)
        let heirs = try await stores.accounts.who(may: .decide).filter { $0.id != row.id }
        let model = Show(
            account: Line(
                AccountLine(
                    account: row, seenAt: sessions.first?.seenAt, mailState: newest?.state,
                    mailError: newest?.lastError)),
            locale: row.locale, isInvited: row.state == .invited, isDisabled: row.isDisabled,
            hasSecondFactor: row.hasSecondFactor,
            needsSecondFactor: request.context.secondFactor.roles.contains(row.role),
            isMailSetUp: request.context.mail.isConfigured, roles: Choice.roles(chosen: row.role),
            heirs: heirs.map { Choice(value: $0.id.description, label: $0.name, note: "", isChosen: false) },
            isNarrowed: !row.scope.isAll,
            types: request.context.rules.types.all.map {
                Choice(value: $0.name, label: $0.label, note: "", isChosen: row.scope.types.contains($0.name))
            },
            groups: try await stores.entries.choices(.categoryGroup).map {
                Choice(
                    value: $0.id.description, label: $0.title, note: "", isChosen: row.scope.groups.contains($0.id))
            },
            sessions: sessions.map {
                SessionPages.Line($0, request, end: "/accounts/\(row.id)/sessions/\($0.id)/revoke")
            },
            mails: mails.map { MailPages.Line($0, request) },
            trail: try await stores.auditTrail.about("account", row.id.description).map {
                Trail(when: Instant($0.happenedAt), actor: $0.actor, action: $0.action)
            },
            problem: ErrorSummary(errors))
        return try request.page(
            "admin/accounts/show", model, title: (errors.isEmpty ? "" : "Error: ") + row.name,
            status: errors.isEmpty ? 200 : 422)
    }

    /// The account whose id stands in the path.
    static func find(_ request: AdminRequest) async throws -> AccountRow {
        guard let account = try await request.database.accounts.find(try request.id()) else {
            throw Failure.missing("account")
        }
        return account
    }
}
