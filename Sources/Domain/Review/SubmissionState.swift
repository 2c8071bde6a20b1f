// The state of a submission: that of its latest decision, or pending without one.

package enum SubmissionState: String, Sendable, CaseIterable, Codable {
    case pending
    case changesRequested = "changes_requested"
    case approved
    case rejected
    case duplicate

    package var label: String {
        switch self {
        case .pending: "Pending"
        case .changesRequested: "Changes requested"
        case .approved: "Approved"
        case .rejected: "Rejected"
        case .duplicate: "Duplicate"
        }
    }
}
