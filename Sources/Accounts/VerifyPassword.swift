// Asks somebody who is signed in for the password once more, before what a stolen session must not do.
import Domain
import Platform
import Store

struct VerifyPassword: Sendable {
    let limits: SignInLimits

    /// Throws at the field unless it is the password. Wrong ones count like those at the sign-in. An account that has none,
    /// because an operator's link let it in, has nothing to prove.
    func callAsFunction(_ password: String, of account: AccountRow, pointer: String, by actor: Actor) async throws {
        guard let hash = account.passwordHash else { return }
        let subject = SignInLimits.password(account.email)
        let address = actor.address ?? ""
        if let wait = try await limits.wait(subject, from: address) { throw Self.tooMany(wait) }
        if try await Password.verify(password, against: hash) { return }
        try await limits.note(subject, from: address)
        throw Failure.invalid(FieldErrors(pointer, "wrong", "This is not your password."))
    }

    static func tooMany(_ seconds: Int) -> Failure {
        .refused(code: "too_many_attempts", message: "Too many attempts. Wait \(seconds / 60) minutes, then try again.")
    }
}
