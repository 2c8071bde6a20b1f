// The state of an account.

package enum AccountState: String, Sendable, CaseIterable, Codable {
    /// Invited, without a password yet.
    case invited
    case active
    case disabled
}
