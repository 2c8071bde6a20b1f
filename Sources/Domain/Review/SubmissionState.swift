// The state of a submission: that of its latest decision, or pending without one.
import Localization

package enum SubmissionState: String, Sendable, CaseIterable, Codable {
    case pending
    case changesRequested = "changes_requested"
    case approved
    case rejected
    case duplicate

    package var label: String {
        switch self {
        case .pending: tr("Pending", context: "submission state")
        case .changesRequested: tr("Changes requested")
        case .approved: tr("Approved", context: "submission state")
        case .rejected: tr("Rejected", context: "submission state")
        case .duplicate: tr("Duplicate", context: "submission state")
        }
    }
}
