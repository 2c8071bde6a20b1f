// Adds a person to the staff and writes the invitation (B60), writes it again, and lets the person in who accepts it.
import Domain
import Platform
import Store

package struct InvitePerson: Sendable {
    private let database: Database

    package init(database: Database) {
        self.database = database
    }

    /// Makes an account and writes its invitation, both or neither: an address that is there already gets nothing, and
    /// without published texts nobody is added.
    package func callAsFunction(
        email: String, name: String, role: Role?, locale: String, by actor: Actor
    ) async throws -> ID<Account> {
        try actor.require(.administer, "invite people")
        var errors = FieldErrors()
        let email = errors.collect { () throws(Failure) in try EmailAddress.check(email) }
        let name = errors.collect { () throws(Failure) in try AccountName.check(name) }
        let tag = LanguageTag(locale)
        if role == nil { errors.add("/role", "choice", "Choose a role.") }
        if tag == nil { errors.add("/locale", "format", LanguageTag.form) }
        try errors.throwIfAny()
        guard let email, let name, let role, let tag else { throw Failure.invalid(errors) }
        let id = ID<Account>(UUIDv7.make())
        let event = AuditEvent(
            "account.invite", on: "account", id.description,
            detail: ["email": .string(email), "role": .string(role.rawValue)])
        try await database.change(by: actor, event) { change in
            try await change.accounts.add(
                id: id, email: email, name: name, role: role, passwordHash: nil, locale: tag.text)
            try await Self.write(id, change)
        }
        return id
    }

    /// Writes the invitation again: a new mail, and the old link is dead.
    package func again(_ id: ID<Account>, by actor: Actor) async throws {
        try actor.require(.administer, "invite people")
        try await database.change(by: actor, AuditEvent("account.invite", on: "account", id.description)) { change in
            try await change.mails.withdrawLinks(of: id)
            try await Self.write(id, change)
        }
    }

    /// Makes the link of an invitation for an administrator to hand over, where no mail is sent. The waiting mail is taken
    /// back, so that there is one link and not two.
    package func link(for id: ID<Account>, hours: Int, by actor: Actor) async throws -> Token {
        try actor.require(.administer, "invite people")
        let token = Token.make()
        try await database.change(by: actor, AuditEvent("invitation.create", on: "account", id.description)) {
            change in
            try await change.mails.withdrawLinks(of: id)
            guard let account = try await change.accounts.invite(id) else { throw Failure.missing("account") }
            try Self.check(account)
            try await change.accounts.addLink(
                tokenHash: token.hash, account: id, for: .invitation, minutes: hours * 60)
        }
        return token
    }

    private static func write(_ id: ID<Account>, _ change: Change) async throws {
        guard let account = try await change.accounts.invite(id) else { throw Failure.missing("account") }
        try check(account)
        // The instant of the invitation tells one from the next; the row is locked by what set it.
        let instant = account.invitedAt.map { String(Int64($0.timeIntervalSince1970 * 1_000_000)) } ?? ""
        try await change.mails.write(
            .invitation, to: account.recipient, link: .invitation, dedupe: "invitation:\(id):\(instant)")
    }

    private static func check(_ account: AccountRow) throws(Failure) {
        if account.state == .invited { return }
        throw .refused(
            code: "no_invitation",
            message: account.isDisabled
                ? "This account is disabled. Enable it first." : "\(account.name) has a password already.")
    }
}
