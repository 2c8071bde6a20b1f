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
        let subject = SignInLimits.password(account.email)
        let remoteAddress = actor.remoteAddress ?? ""
        if let wait = try await limits.wait(subject, from: remoteAddress) { throw Self.tooMany(wait) }
        if try await Password.verify(password, against: hash) { return }
        try await limits.recordFailure(subject, from: remoteAddress)
        throw Failure.invalid(FieldErrors(pointer, "wrong", tr("Wrong password.")))
    }

    static func tooMany(_ seconds: Int) -> Failure {
        .refused(code: "too_many_attempts", message: tr("Too many attempts. Try again in \(seconds / 60) minutes."))
    }
}
