// Whether somebody of the staff can sign in.

package enum AccountState: String, Sendable, CaseIterable, Codable {
    /// Has an invitation and no password so far.
    case invited
    case active
    case disabled
}
