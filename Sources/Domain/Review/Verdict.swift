// A reviewer's verdict on a submission.

package enum Verdict: String, Sendable, CaseIterable, Codable {
    case approve
    case reject
    case requestChanges = "request_changes"
    case duplicate

    package var label: String {
        switch self {
        case .approve: "Approve"
        case .reject: "Reject"
        case .requestChanges: "Request changes"
        case .duplicate: "Mark as duplicate"
        }
    }

    /// The state of the submission after this verdict.
    package var state: SubmissionState {
        switch self {
        case .approve: .approved
        case .reject: .rejected
        case .requestChanges: .changesRequested
        case .duplicate: .duplicate
        }
    }
}
