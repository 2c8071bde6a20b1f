// The published texts that are sent as mails, with their placeholders (B21, B60).

package enum MailText: String, Sendable, CaseIterable {
    case invitation = "mail.invitation"
    case passwordReset = "mail.password_reset"
    case releaseFailed = "mail.release_failed"
    case outcomeApproved = "mail.outcome_approved"
    case outcomeRejected = "mail.outcome_rejected"
    case outcomeChangesRequested = "mail.outcome_changes_requested"
    case statusLink = "mail.status_link"
    case submissionReceived = "mail.submission_received"
    case reportDecided = "mail.report_decided"

    /// The mail that notifies a contributor of a decision; nil for a verdict without a notification.
    package init?(outcome verdict: String) {
        switch verdict {
        case "approve": self = .outcomeApproved
        case "reject": self = .outcomeRejected
        case "request_changes": self = .outcomeChangesRequested
        default: return nil
        }
    }

    /// The key of the text of its subject.
    package var subjectKey: String { rawValue + ".subject" }

    /// The placeholders that are filled in; any other would be sent verbatim.
    package var placeholders: [String] {
        switch self {
        case .invitation, .passwordReset: ["name", "link"]
        case .releaseFailed: ["name", "title", "reason", "link"]
        case .outcomeApproved, .statusLink: ["name", "title", "link"]
        case .outcomeRejected: ["name", "title", "link", "reason", "message"]
        case .outcomeChangesRequested: ["name", "title", "link", "message"]
        // Anyone can have it sent to anyone, so it contains nothing that the sender wrote.
        case .submissionReceived: ["link"]
        case .reportDecided: ["name", "title", "outcome"]
        }
    }

    /// The required placeholders. The database enforces the same rule (`text_invitation` and similar constraints).
    package var required: [String] {
        switch self {
        case .invitation: ["name", "link"]
        case .passwordReset: ["link"]
        case .releaseFailed, .outcomeRejected: ["reason"]
        case .outcomeApproved: []
        case .reportDecided: ["outcome"]
        case .outcomeChangesRequested, .statusLink, .submissionReceived: ["link"]
        }
    }

    /// The placeholders that the text of a key may and must use; nil for a text that is not a mail. A subject contains
    /// no
    /// link.
    static func rule(for key: String) -> (allowed: [String], required: [String])? {
        for text in allCases {
            if key == text.rawValue { return (text.placeholders, text.required) }
            if key == text.subjectKey { return (text.placeholders.filter { $0 != "link" }, []) }
        }
        return nil
    }
}
