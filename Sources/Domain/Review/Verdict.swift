// A reviewer's verdict on a submission.
import Localization

package enum Verdict: String, Sendable, CaseIterable, Codable {
    case approve
    case reject
    case requestChanges = "request_changes"
    case duplicate

    package var label: String {
        switch self {
        case .approve: tr("Approve", context: "verdict")
        case .reject: tr("Reject", context: "verdict")
        case .requestChanges: tr("Request changes")
        case .duplicate: tr("Mark as duplicate")
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
