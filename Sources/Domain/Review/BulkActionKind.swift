// What can be done with many submissions at once.

package enum BulkActionKind: String, Sendable, CaseIterable, Codable {
    case approve, reject, requestChanges = "request_changes", snooze, assign
    /// Give a priority.
    case rank

    package var label: String {
        switch self {
        case .approve: "Approve"
        case .reject: "Reject"
        case .requestChanges: "Ask for changes"
        case .snooze: "Put off"
        case .assign: "Hand on"
        case .rank: "Set the priority"
        }
    }

    /// At once.
    package static let limit = 5000
}

/// How it is done: what a curator filled in on the page that asks for confirmation.
package enum BulkActionRequest: Sendable {
    /// Approve, reject or return; with the same reason, message, feeds and categories for all.
    case decide(Decision.Draft)
    /// Nil: bring them back.
    case snooze(SnoozeTime?)
    /// Nil: for everybody.
    case assign(Assignee?, words: String?)
    case rank(Priority)
}
