// Where a submission stands: its latest decision, or pending where there is none.

package enum SubmissionState: String, Sendable, CaseIterable, Codable {
    case pending
    /// Sent back with a wish for changes.
    case changesRequested = "changes_requested"
    case approved
    case rejected
    case duplicate
}
