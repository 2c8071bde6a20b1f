// The confirmation message of a decision, with its undo.
import Domain
import Review

extension Flash {
    /// `version` is the submission's version before the decision.
    init(
        _ outcome: DecisionOutcome, about title: String, _ draft: Decision.Draft, of id: ID<Submission>, version: Int
    ) {
        // The message is stored in a cookie.
        let name = title.count > 80 ? "\(title.prefix(79))…" : title
        self.init(
            Self.message(outcome, "“\(name)”", draft),
            undo: outcome.isPartialApproval(draft.verdict) ? "/queue/\(id)/approval/withdraw" : "/queue/\(id)/undo",
            version: outcome.isPartialApproval(draft.verdict) ? version : version + 1,
            link: outcome.entry.map { "/entries/\($0)" } ?? "/queue/\(id)",
            linkLabel: outcome.entry == nil ? "View submission" : "View entry")
    }

    private static func message(_ outcome: DecisionOutcome, _ name: String, _ draft: Decision.Draft) -> String {
        switch draft.verdict {
        case .reject: return "Rejected \(name)."
        case .requestChanges: return "Requested changes to \(name)."
        case .duplicate: return "Marked \(name) as a duplicate."
        case .approve: break
        }
        if outcome.isPartialApproval(draft.verdict) {
            return "Approval of \(name) recorded. More approvals are required."
        }
        if let publication = outcome.publication {
            return "Approved \(name). Published in publication \(publication)."
        }
        if let release = outcome.release, let time = outcome.time {
            let when = "\(time.local.replacing("T", with: " ").dropLast(3)) \(time.zone)"
            return "Approved \(name). Scheduled for \(when) in release \(release)."
        }
        if outcome.isApproved { return "Approved \(name). It is ready to publish." }
        return "Approved \(name). An editor must approve the entry before it can be published."
    }
}
