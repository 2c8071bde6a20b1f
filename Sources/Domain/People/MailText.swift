// The published texts that the program itself sends, and what it fills into them (B21, B60).

package enum MailText: String, Sendable, CaseIterable {
    case invitation = "mail.invitation"
    case passwordReset = "mail.password_reset"
    case releaseFailed = "mail.release_failed"
    case outcomeApproved = "mail.outcome_approved"
    case outcomeRejected = "mail.outcome_rejected"
    case outcomeChangesRequested = "mail.outcome_changes_requested"

    /// What tells a contributor of a decision; nil for a verdict that nobody is told of.
    package init?(outcome verdict: String) {
        switch verdict {
        case "approve": self = .outcomeApproved
        case "reject": self = .outcomeRejected
        case "request_changes": self = .outcomeChangesRequested
        default: return nil
        }
    }

    /// The key of the text that stands above it.
    package var subjectKey: String { rawValue + ".subject" }

    /// What is filled in; another placeholder would reach people as it is.
    package var placeholders: [String] {
        switch self {
        case .invitation, .passwordReset: ["name", "link"]
        case .releaseFailed: ["name", "title", "reason", "link"]
        case .outcomeApproved: ["name", "title", "link"]
        case .outcomeRejected: ["name", "title", "link", "reason", "message"]
        case .outcomeChangesRequested: ["name", "title", "link", "message"]
        }
    }

    /// What must not be missing. The same stands in the database (`text_invitation` and its like).
    package var needed: [String] {
        switch self {
        case .invitation: ["name", "link"]
        case .passwordReset: ["link"]
        case .releaseFailed, .outcomeRejected: ["reason"]
        case .outcomeApproved: []
        case .outcomeChangesRequested: ["link"]
        }
    }

    /// The placeholders that the text of a key may use and those that it must; nil for a text that others fill in. A
    /// subject holds no link.
    static func rule(for key: String) -> (allowed: [String], needed: [String])? {
        for text in allCases {
            if key == text.rawValue { return (text.placeholders, text.needed) }
            if key == text.subjectKey { return (text.placeholders.filter { $0 != "link" }, []) }
        }
        return nil
    }
}
