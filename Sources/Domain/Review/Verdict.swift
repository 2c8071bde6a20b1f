// What a curator decides about a submission.

package enum Verdict: String, Sendable, CaseIterable, Codable {
    case accept
    case reject
    /// Changes are asked for.
    case `return`
    case duplicate

    package var label: String {
        switch self {
        case .accept: "Accept"
        case .reject: "Reject"
        case .return: "Ask for changes"
        case .duplicate: "Duplicate"
        }
    }

    /// Where a submission stands after it.
    package var state: SubmissionState {
        switch self {
        case .accept: .accepted
        case .reject: .rejected
        case .return: .returned
        case .duplicate: .duplicate
        }
    }
}
