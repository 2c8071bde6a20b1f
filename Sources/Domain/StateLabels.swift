// What pages call the states of accounts, webhooks, releases and the changes of a plan.
import Localization

extension AccountState {
    package var label: String {
        switch self {
        case .invited: tr("Invited", context: "account state")
        case .active: tr("Active", context: "account state")
        case .disabled: tr("Disabled", context: "account state")
        }
    }
}

extension WebhookState {
    package var label: String {
        switch self {
        case .active: tr("Active", context: "webhook state")
        case .paused: tr("Paused", context: "webhook state")
        case .disabled: tr("Disabled", context: "webhook state")
        }
    }
}

extension ReleaseState {
    package var label: String {
        switch self {
        case .open: tr("Open", context: "release state")
        case .scheduled: tr("Scheduled", context: "release state")
        case .published: tr("Published", context: "release state")
        case .failed: tr("Failed", context: "release state")
        case .canceled: tr("Canceled", context: "release state")
        }
    }
}
