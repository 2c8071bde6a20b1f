// Verifies the password of a signed-in account again, before actions that a stolen session must not allow.
import Domain
import Localization
import Platform
import Store

struct VerifyPassword: Sendable {
    let limits: SignInLimits

    /// Throws at `pointer` when the password is wrong; failures count as failed sign-ins. An account without a password,
    /// which signed in by an operator's link, passes.
    func callAsFunction(_ password: String, of account: AccountRow, pointer: String, by actor: Actor) async throws {
        guard let hash = account.passwordHash else { return }
        let attempt: CountedAttempt
        do {
            attempt = try await limits.countPassword(account.email, from: actor.remoteAddress ?? "")
        } catch let error as TooManyAttempts {
            throw error.failure
        }
        if try await Password.verify(password, against: hash) {
            return try await limits.database.attempts.forgive(attempt)
        }
        throw Failure.invalid(FieldErrors(pointer, "wrong", tr("Wrong password.")))
    }
}
