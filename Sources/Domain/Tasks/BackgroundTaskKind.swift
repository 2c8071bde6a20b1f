// The kinds of background tasks, their states, and who may see and retry them.
import Localization

package enum BackgroundTaskKind: String, Sendable, CaseIterable, Codable {
    /// Work in the database; claim and effect share a transaction.
    case task
    case mail
    case webhookDelivery = "webhook_delivery"
    /// The notification about a decision.
    case outcome

    package var label: String {
        switch self {
        case .task: tr("Task", context: "background task")
        case .mail: tr("Mail", context: "background task")
        case .webhookDelivery: tr("Webhook delivery", context: "background task")
        case .outcome: tr("Outcome", context: "background task")
        }
    }

    /// Who may see them: mails and outcomes name people, deliveries name URLs.
    package var readPermission: Permission { self == .task ? .readQueue : .administer }

    package var retryPermission: Permission { self == .task ? .publish : .administer }
}

package enum BackgroundTaskState: String, Sendable, CaseIterable, Codable {
    case waiting, done, failed, canceled

    /// The state that a table has for a result.
    package init(result: String) {
        switch result {
        case "waiting", "failed": self = BackgroundTaskState(rawValue: result) ?? .waiting
        case "canceled", "superseded": self = .canceled
        default: self = .done
        }
    }

    package var label: String {
        switch self {
        case .waiting: tr("Waiting", context: "background task")
        case .done: tr("Done", context: "background task")
        case .failed: tr("Failed", context: "background task")
        case .canceled: tr("Canceled", context: "background task")
        }
    }

    /// What a page calls a result.
    package static func label(of result: String) -> String {
        switch result {
        case "sent": tr("Sent", context: "background task")
        case "delivered": tr("Delivered", context: "background task")
        case "notified": tr("Notified", context: "background task")
        case "no_email": tr("No email address", context: "background task")
        case "no_text": tr("No published text", context: "background task")
        case "superseded": tr("Superseded", context: "background task")
        default: BackgroundTaskState(result: result).label
        }
    }
}
