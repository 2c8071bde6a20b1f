// The state of an account.
import Localization

package enum AccountState: String, Sendable, CaseIterable, Codable {
    /// Invited, without a password yet.
    case invited
    case active
    case disabled
}

extension AccountState {
    package var label: String {
        switch self {
        case .invited: tr("Invited", context: "account state")
        case .active: tr("Active", context: "account state")
        case .disabled: tr("Disabled", context: "account state")
        }
    }
}
