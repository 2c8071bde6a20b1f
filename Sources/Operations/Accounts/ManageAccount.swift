// Creates accounts; sets their role, access scope, password and time zone; creates sign-in links; disables and enables
// accounts.
import Domain
import Localization
import Platform
import Store

package struct ManageAccount: Sendable {
    let database: Database

    /// Creates an account. Without a password its owner signs in by a link first.
    package func create(email: String, name: String, role: Role, password: String? = nil, by actor: Actor) async throws
        -> ID<Account>
    {
        try actor.require(.administer, tr("manage accounts"))
        let email = try EmailAddress.check(email)
        let name = try AccountName.check(name)
        let hash = try await hashed(password, email: email, name: name)
        let id = ID<Account>(UUIDv7.make())
        let event = AuditEvent(
            "account.create", on: "account", id.description,
            detail: ["email": .string(email), "role": .string(role.name)])
        try await database.transaction(by: actor, event) { transaction in
            try await transaction.accounts.add(id: id, email: email, name: name, role: role, passwordHash: hash)
        }
        return id
    }

    package func setRole(_ id: ID<Account>, _ role: Role, by actor: Actor) async throws {
        try actor.require(.administer, tr("manage accounts"))
        guard let account = try await database.accounts.find(id) else { throw Failure.missing("account") }
        let event = AuditEvent(
            "role.update", on: "account", id.description,
            detail: ["from": .string(account.role.name), "to": .string(role.name)])
        try await database.transaction(by: actor, event) { transaction in
            try await transaction.accounts.setRole(id, role)
            try await transaction.sessions.removeAll(of: id)
        }
    }

    /// Sets the access scope of an account, effective from its next request.
    package func setScope(_ account: AccountRow, _ scope: AccessScope, by actor: Actor) async throws {
        try actor.require(.administer, tr("manage accounts"))
        func json(_ scope: AccessScope) -> JSONValue {
            .object([
                "types": .array(scope.types.sorted().map { .string($0) }),
                "groups": .array(scope.groups.map(\.description).sorted().map { .string($0) }),
            ])
        }
        let event = AuditEvent(
            "access_scope.update", on: "account", account.id.description,
            detail: ["before": json(account.scope), "after": json(scope)])
        try await database.transaction(by: actor, event) { try await $0.accounts.setScope(account.id, scope) }
    }

    /// Sets the time zone in which somebody enters times: their own.
    package func setZone(_ zone: String, by actor: Actor) async throws {
        guard actor.kind == .account, let account = actor.id else {
            throw Failure.forbidden(tr("Only people have a time zone."))
        }
        let zone = ZoneName.current(zone)
        guard ZoneName.hasForm(zone), try await database.zones.contains(zone) else {
            throw Failure.invalid(FieldErrors("/zone", "choice", tr("Enter a time zone such as Europe/London.")))
        }
        let id = ID<Account>(account)
        let event = AuditEvent("account.update", on: "account", id.description, detail: ["zone": .string(zone)])
        try await database.transaction(by: actor, event) { try await $0.accounts.setZone(id, zone) }
    }

    /// Sets a password and ends all sessions of the account (S14).
    package func setPassword(_ account: AccountRow, _ password: String, by actor: Actor) async throws {
        let isOwn = actor.kind == .account && actor.id == account.id.uuid
        if !isOwn { try actor.require(.administer, tr("manage accounts")) }
        guard let hash = try await hashed(password, email: account.email, name: account.name) else { return }
        let event = AuditEvent("password.update", on: "account", account.id.description)
        try await database.transaction(by: actor.signingIn, event) { transaction in
            try await transaction.accounts.setPassword(account.id, hash: hash)
            try await transaction.sessions.removeAll(of: account.id)
            try await transaction.mails.revokeLinks(of: account.id)
        }
    }

    /// Disables or enables an account. The claims of a disabled account are reassigned to `assignee`, or released.
    package func setDisabled(
        _ id: ID<Account>, _ isDisabled: Bool, reassignTo assignee: ID<Account>? = nil, by actor: Actor
    ) async throws {
        try actor.require(.administer, tr("manage accounts"))
        if isDisabled, actor.kind == .account, actor.id == id.uuid {
            throw Failure.refused(code: "own_account", message: tr("You can't disable your own account."))
        }
        if let assignee {
            let found = try await database.accounts.find(assignee)
            guard let found, !found.isDisabled, assignee != id else {
                throw Failure.invalid(FieldErrors("/assignee", "choice", tr("Choose an active account.")))
            }
        }
        let event = AuditEvent(
            isDisabled ? "account.disable" : "account.enable", on: "account", id.description,
            detail: assignee.map { ["claims_to": .string($0.description)] } ?? [:])
        try await database.transaction(by: actor, event) { transaction in
            try await transaction.accounts.setDisabled(id, isDisabled)
            guard isDisabled else { return }
            try await transaction.mails.revokeLinks(of: id)
            _ = try await transaction.accounts.transferClaims(from: id, to: assignee)
        }
    }

    /// Revokes a session: one of your own, or anyone's for administrators.
    package func endSession(_ session: ID<Session>, of account: ID<Account>, by actor: Actor) async throws {
        let isOwn = actor.kind == .account && actor.id == account.uuid
        if !isOwn { try actor.require(.administer, tr("end other people's sessions")) }
        let event = AuditEvent("session.revoke", on: "account", account.description)
        let isEnded = try await database.transaction(by: actor, event) {
            try await $0.sessions.remove(session, of: account)
        }
        if !isEnded { throw Failure.missing("session") }
    }

    /// Creates a link that signs in once within `minutes`; only its hash is stored.
    package func signInLink(for id: ID<Account>, minutes: Int = 15, by actor: Actor) async throws -> Token {
        try actor.require(.administer, tr("create sign-in links"))
        let token = Token.make()
        let event = AuditEvent("sign_in_link.create", on: "account", id.description)
        try await database.transaction(by: actor.signingIn, event) { transaction in
            try await transaction.accounts.addLink(
                tokenHash: token.hash, account: id, for: .signIn, minutes: minutes)
        }
        return token
    }

    private func hashed(_ password: String?, email: String, name: String) async throws -> String? {
        guard let password else { return nil }
        var errors = FieldErrors()
        for problem in PasswordRules.objections(to: password, email: email, name: name) {
            errors.add("/password", "password", problem)
        }
        try errors.throwIfAny()
        return try await Password.hash(password)
    }
}
