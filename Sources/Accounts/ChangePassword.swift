// Changes one's own password while signed in: the old one is asked for, and all other sessions end (S14).
import Domain
import Platform
import Store

package struct ChangePassword: Sendable {
    private let database: Database
    private let limits: SignInLimits

    package init(database: Database, attemptsPerAccount: Int, attemptsPerIP: Int) {
        self.database = database
        limits = SignInLimits(database: database, perAccount: attemptsPerAccount, perIP: attemptsPerIP)
    }

    package func callAsFunction(
        of account: AccountRow, from current: String, to password: String, keeping session: ID<Session>, by actor: Actor
    ) async throws {
        guard actor.kind == .account, actor.id == account.id.uuid else {
            throw Failure.forbidden("You may change your own password only.")
        }
        var errors = FieldErrors()
        for objection in PasswordRules.objections(to: password, email: account.email, name: account.name) {
            errors.add("/password", "password", objection)
        }
        try errors.throwIfAny()
        try await VerifyPassword(limits: limits)(current, of: account, pointer: "/current", by: actor)
        if password == current {
            throw Failure.invalid(FieldErrors("/password", "same", "This is the password that you have."))
        }
        let hash = try await Password.hash(password)
        let event = AuditEvent("password.update", on: "account", account.id.description)
        try await database.change(by: actor, event) { change in
            try await change.accounts.setPassword(account.id, hash: hash)
            try await change.sessions.removeAll(of: account.id, except: session)
            try await change.mails.withdrawLinks(of: account.id)
            try await change.accounts.forgetFailures(subject: SignInLimits.password(account.email))
        }
    }
}
