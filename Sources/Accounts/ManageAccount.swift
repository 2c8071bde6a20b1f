// Makes accounts, gives them a role, a password or a one-time sign-in link, disables and enables them.
import Domain
import Platform
import Store

package struct ManageAccount: Sendable {
    private let database: Database

    package init(database: Database) {
        self.database = database
    }

    /// Makes an account without a password; its owner signs in by a link first.
    package func add(email: String, name: String, role: Role, password: String? = nil, by actor: Actor) async throws
        -> ID<Account>
    {
        try actor.require(.administer, "manage accounts")
        let email = try EmailAddress.check(email)
        let name = try AccountName.check(name)
        let hash = try await hashed(password, email: email, name: name)
        let id = ID<Account>(UUIDv7.make())
        let event = AuditEvent(
            "account.create", on: "account", id.description,
            detail: ["email": .string(email), "role": .string(role.rawValue)])
        try await database.change(by: actor, event) { change in
            try await change.accounts.add(id: id, email: email, name: name, role: role, passwordHash: hash)
        }
        return id
    }

    package func setRole(_ id: ID<Account>, _ role: Role, by actor: Actor) async throws {
        try actor.require(.administer, "manage accounts")
        guard let account = try await database.accounts.find(id) else { throw Failure.missing("account") }
        let event = AuditEvent(
            "role.update", on: "account", id.description,
            detail: ["from": .string(account.role.rawValue), "to": .string(role.rawValue)])
        try await database.change(by: actor, event) { change in
            try await change.accounts.setRole(id, role)
            try await change.sessions.removeAll(of: id)
        }
    }

    /// Says what of the content somebody works on; from the next click on.
    package func setScope(_ account: AccountRow, _ scope: AccessScope, by actor: Actor) async throws {
        try actor.require(.administer, "manage accounts")
        func words(_ scope: AccessScope) -> JSONValue {
            .object([
                "types": .array(scope.types.sorted().map { .string($0) }),
                "groups": .array(scope.groups.map(\.description).sorted().map { .string($0) }),
            ])
        }
        let event = AuditEvent(
            "access_scope.update", on: "account", account.id.description,
            detail: ["before": words(account.scope), "after": words(scope)])
        try await database.change(by: actor, event) { try await $0.accounts.setScope(account.id, scope) }
    }

    /// Sets a password and ends all sessions of the account (S14).
    package func setPassword(_ account: AccountRow, _ password: String, by actor: Actor) async throws {
        let isOwn = actor.kind == .account && actor.id == account.id.uuid
        if !isOwn { try actor.require(.administer, "manage accounts") }
        guard let hash = try await hashed(password, email: account.email, name: account.name) else { return }
        let event = AuditEvent("password.update", on: "account", account.id.description)
        try await database.change(by: actor, event) { change in
            try await change.accounts.setPassword(account.id, hash: hash)
            try await change.sessions.removeAll(of: account.id)
            try await change.mails.withdrawLinks(of: account.id)
        }
    }

    /// Keeps an account out, or lets it in again. What a disabled account had taken of the queue goes to `heir`, or is free
    /// for anybody.
    package func setDisabled(
        _ id: ID<Account>, _ isDisabled: Bool, handOverTo heir: ID<Account>? = nil, by actor: Actor
    ) async throws {
        try actor.require(.administer, "manage accounts")
        if isDisabled, actor.kind == .account, actor.id == id.uuid {
            throw Failure.refused(code: "own_account", message: "You cannot disable your own account.")
        }
        if let heir {
            let found = try await database.accounts.find(heir)
            guard let found, !found.isDisabled, heir != id else {
                throw Failure.invalid(FieldErrors("/heir", "choice", "Choose somebody who can sign in."))
            }
        }
        let event = AuditEvent(
            isDisabled ? "account.disable" : "account.enable", on: "account", id.description,
            detail: heir.map { ["claims_to": .string($0.description)] } ?? [:])
        try await database.change(by: actor, event) { change in
            try await change.accounts.setDisabled(id, isDisabled)
            guard isDisabled else { return }
            try await change.mails.withdrawLinks(of: id)
            _ = try await change.accounts.handOver(from: id, to: heir)
        }
    }

    /// Ends a session of an account: one's own, or for administrators anybody's.
    package func endSession(_ session: ID<Session>, of account: ID<Account>, by actor: Actor) async throws {
        let isOwn = actor.kind == .account && actor.id == account.uuid
        if !isOwn { try actor.require(.administer, "end sessions of others") }
        let event = AuditEvent("session.revoke", on: "account", account.description)
        let isEnded = try await database.change(by: actor, event) { try await $0.sessions.remove(session, of: account) }
        if !isEnded { throw Failure.missing("session") }
    }

    /// Makes a link that signs in once within `minutes`; the token is shown to nobody else.
    package func signInLink(for id: ID<Account>, minutes: Int = 15, by actor: Actor) async throws -> Token {
        try actor.require(.administer, "make sign-in links")
        let token = Token.make()
        let event = AuditEvent("sign_in_link.create", on: "account", id.description)
        try await database.change(by: actor, event) { change in
            try await change.accounts.addLink(
                tokenHash: token.hash, account: id, for: .signIn, minutes: minutes)
        }
        return token
    }

    private func hashed(_ password: String?, email: String, name: String) async throws -> String? {
        guard let password else { return nil }
        var errors = FieldErrors()
        for objection in PasswordRules.objections(to: password, email: email, name: name) {
            errors.add("/password", "password", objection)
        }
        try errors.throwIfAny()
        return try await Password.hash(password)
    }
}
