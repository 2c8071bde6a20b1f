// The purpose of a one-time link; a link is valid only for its purpose.

package enum LinkPurpose: String, Sendable, CaseIterable {
    case signIn = "sign_in"
    case invitation
    case passwordReset = "password_reset"
    /// The password was correct; the second factor is pending.
    case secondFactor = "second_factor"
}
