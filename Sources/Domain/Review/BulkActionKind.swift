// The bulk actions: what can be done with many submissions at once.
import Localization

package enum BulkActionKind: String, Sendable, CaseIterable, Codable {
    case approve, reject, requestChanges = "request_changes", snooze, assign
    /// Sets the priority.
    case update

    package var label: String {
        switch self {
        case .approve: tr("Approve", context: "bulk action kind")
        case .reject: tr("Reject", context: "bulk action kind")
        case .requestChanges: tr("Request changes")
        case .snooze: tr("Snooze", context: "bulk action kind")
        case .assign: tr("Assign", context: "bulk action kind")
        case .update: tr("Set priority")
        }
    }

    /// Submissions per bulk action.
    package static let limit = 5000
}

/// The parameters of a bulk action, from its confirmation page or the command line.
package enum BulkActionRequest: Sendable {
    /// Approve, reject or request changes, with the same reason, message, feeds and categories for all.
    case decide(Decision.Draft)
    /// Nil unsnoozes.
    case snooze(SnoozeTime?)
    /// Nil unassigns.
    case assign(Assignee?, note: String?)
    case update(priority: Priority)
}
