// The published texts that the program itself sends, and what it fills into them (B21, B60).

package enum MailText: String, Sendable, CaseIterable {
    case invitation = "mail.invitation"
    case passwordReset = "mail.password_reset"
    case releaseFailed = "mail.release_failed"
    case outcomeAccepted = "mail.outcome_accepted"
    case outcomeRejected = "mail.outcome_rejected"
    case outcomeReturned = "mail.outcome_returned"

    /// What tells a contributor of a decision; nil for a verdict that nobody is told of.
    package init?(outcome verdict: String) {
        switch verdict {
        case "accept": self = .outcomeAccepted
        case "reject": self = .outcomeRejected
        case "return": self = .outcomeReturned
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
        case .outcomeAccepted: ["name", "title", "link"]
        case .outcomeRejected: ["name", "title", "link", "reason", "message"]
        case .outcomeReturned: ["name", "title", "link", "message"]
        }
    }

    /// What must not be missing. The same stands in the database (`text_invitation` and its like).
    package var needed: [String] {
        switch self {
        case .invitation: ["name", "link"]
        case .passwordReset: ["link"]
        case .releaseFailed, .outcomeRejected: ["reason"]
        case .outcomeAccepted: []
        case .outcomeReturned: ["link"]
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
