// Changes the signed-in account's own password: requires the current one and ends all other sessions (S14).
import Domain
import Localization
import Platform
import Store

package struct ChangePassword: Sendable {
    let database: Database
    let limits: SignInLimits

    package func callAsFunction(
        of account: AccountRow, from current: String, to password: String, keeping session: ID<Session>, by actor: Actor
    ) async throws {
        guard actor.kind == .account, actor.id == account.id.uuid else {
            throw Failure.forbidden(tr("You can change only your own password."))
        }
        var errors = FieldErrors()
        for problem in PasswordRules.objections(to: password, email: account.email, name: account.name) {
            errors.add("/password", "password", problem)
        }
        try errors.throwIfAny()
        try await VerifyPassword(limits: limits)(current, of: account, pointer: "/current", by: actor)
        if password == current {
            throw Failure.invalid(FieldErrors("/password", "same", tr("Choose a password other than the current one.")))
        }
        let hash = try await Password.hash(password)
        let event = AuditEvent("password.update", on: "account", account.id.description)
        try await database.transaction(by: actor.signingIn, event) { transaction in
            try await transaction.accounts.setPassword(account.id, hash: hash)
            try await transaction.sessions.removeAll(of: account.id, except: session)
            try await transaction.mails.revokeLinks(of: account.id)
            try await transaction.attempts.clear(
                SignInLimits.clearedByPassword(account.email, from: actor.remoteAddress ?? ""))
        }
    }
}
