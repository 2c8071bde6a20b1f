// What a curator decides about a submission.

package enum Verdict: String, Sendable, CaseIterable, Codable {
    case approve
    case reject
    /// Changes are asked for.
    case requestChanges = "request_changes"
    case duplicate

    package var label: String {
        switch self {
        case .approve: "Approve"
        case .reject: "Reject"
        case .requestChanges: "Ask for changes"
        case .duplicate: "Duplicate"
        }
    }

    /// Where a submission stands after it.
    package var state: SubmissionState {
        switch self {
        case .approve: .approved
        case .reject: .rejected
        case .requestChanges: .changesRequested
        case .duplicate: .duplicate
        }
    }
}
