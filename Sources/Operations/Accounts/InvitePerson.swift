// Invites a staff member (B60): creates the account, queues the invitation mail, resends it, or creates its link.
import Domain
import Localization
import Platform
import Store

package struct InvitePerson: Sendable {
    let database: Database

    /// Creates an account and queues its invitation in one transaction: an email address that already has an account gets
    /// no mail, and without published mail texts no account is created.
    package func callAsFunction(
        email: String, name: String, role: Role?, locale: String, by actor: Actor
    ) async throws -> ID<Account> {
        try actor.require(.administer, tr("invite people"))
        var errors = FieldErrors()
        let email = errors.collect { () throws(Failure) in try EmailAddress.check(email) }
        let name = errors.collect { () throws(Failure) in try AccountName.check(name) }
        let tag = LanguageTag(locale)
        if role == nil { errors.add("/role", "choice", tr("Choose a role.")) }
        if tag == nil { errors.add("/locale", "format", LanguageTag.formatMessage) }
        try errors.throwIfAny()
        guard let email, let name, let role, let tag else { throw Failure.invalid(errors) }
        let id = ID<Account>(UUIDv7.make())
        let event = AuditEvent(
            "account.invite", on: "account", id.description,
            detail: ["email": .string(email), "role": .string(role.name)])
        try await database.transaction(by: actor, event) { transaction in
            try await transaction.accounts.add(
                id: id, email: email, name: name, role: role, passwordHash: nil, locale: tag.text)
            try await Self.write(id, transaction)
        }
        return id
    }

    /// Queues a new invitation mail; the old link stops working.
    package func resend(_ id: ID<Account>, by actor: Actor) async throws {
        try actor.require(.administer, tr("invite people"))
        try await database.transaction(by: actor, AuditEvent("account.invite", on: "account", id.description)) {
            transaction in
            try await transaction.mails.revokeLinks(of: id)
            try await Self.write(id, transaction)
        }
    }

    /// Creates an invitation link for an administrator to share when no mail server is configured. Cancels the pending
    /// mail, so that only one link exists.
    package func link(for id: ID<Account>, hours: Int, by actor: Actor) async throws -> Token {
        try actor.require(.administer, tr("invite people"))
        let token = Token.make()
        let event = AuditEvent("invitation.create", on: "account", id.description)
        try await database.transaction(by: actor.signingIn, event) { transaction in
            try await transaction.mails.revokeLinks(of: id)
            guard let account = try await transaction.accounts.invite(id) else { throw Failure.missing("account") }
            try Self.check(account)
            try await transaction.accounts.addLink(
                tokenHash: token.hash, account: id, for: .invitation, minutes: hours * 60)
        }
        return token
    }

    private static func write(_ id: ID<Account>, _ transaction: AuditedTransaction) async throws {
        guard let account = try await transaction.accounts.invite(id) else { throw Failure.missing("account") }
        try check(account)
        // Each invitation has its own instant, so it makes the key unique; the row is locked by the statement that set it.
        let instant = account.invitedAt.map { String(Int64($0.timeIntervalSince1970 * 1_000_000)) } ?? ""
        try await transaction.mails.write(
            .invitation, to: account.recipient, link: .invitation, dedupe: "invitation:\(id):\(instant)")
    }

    private static func check(_ account: AccountRow) throws(Failure) {
        if account.state == .invited { return }
        throw .refused(
            code: "no_invitation",
            message: account.isDisabled
                ? tr("This account is disabled. Enable it first.")
                : tr("\(account.name) has already accepted the invitation."))
    }
}
