// What a one-time link is good for; one for the one purpose is nothing for another.

package enum LinkPurpose: String, Sendable, CaseIterable {
    case signIn = "sign_in"
    case invitation
    case passwordReset = "password_reset"
    /// The password was right; the second factor is asked for.
    case secondFactor = "second_factor"
}
