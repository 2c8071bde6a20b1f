// The flash messages about what became of a change: of an entry, of categories or feeds, or by a decision.
import Domain
import Publishing
import Review

extension Flash {
    /// After an action on an entry with the requested timing.
    init(_ outcome: ChangeOutcome, _ requested: PublishTiming) {
        let version = "Version \(outcome.revision)"
        // A cookie has little room; what is missing here shows in the comparison with the older version.
        let removed = outcome.warnings.items.prefix(2).map { " \($0.message.prefix(300))" }.joined()
        if let publication = outcome.publication {
            self.init(
                "\(version) published (publication \(publication)).\(removed)", link: "/publications",
                linkLabel: "Publications")
        } else if let release = outcome.release {
            self.init(
                "\(version) approved and \(outcome.place(release)).\(removed)", link: "/schedule",
                linkLabel: "Schedule")
        } else if outcome.isApproved {
            self.init(
                requested == .now
                    ? "\(version) was already published." : "\(version) approved, not published yet.\(removed)")
        } else if requested != .draft {
            self.init(
                "\(version) saved with your approval. More approvals are required before it is published.\(removed)")
        } else {
            self.init("\(version) saved as a draft.\(removed)")
        }
    }

    /// After a decision, with its undo. `version` is the submission's version before the decision.
    init(
        _ outcome: DecisionOutcome, about title: String, _ draft: Decision.Draft, of id: ID<Submission>, version: Int
    ) {
        // The message is stored in a cookie.
        let name = "“\(title.count > 80 ? "\(title.prefix(79))…" : title)”"
        let isPartial = outcome.isPartialApproval(draft.verdict)
        let entry = outcome.change?.entry
        let message =
            switch draft.verdict {
            case .reject: "Rejected \(name)."
            case .requestChanges: "Requested changes to \(name)."
            case .duplicate: "Marked \(name) as a duplicate."
            case .approve:
                isPartial
                    ? "Approval of \(name) recorded. More approvals are required."
                    : "Approved \(name). \(outcome.change?.approvedSentence ?? "")"
            }
        self.init(
            message, undo: isPartial ? "/queue/\(id)/approval/withdraw" : "/queue/\(id)/undo",
            version: isPartial ? version : version + 1,
            link: entry.map { "/entries/\($0)" } ?? "/queue/\(id)",
            linkLabel: entry == nil ? "View submission" : "View entry")
    }
}

extension ChangeOutcome {
    /// After an edit of categories or feeds. `published` is the message after a publication, `pending` the one for a draft
    /// or a release, without a full stop.
    func message(published: String, pending: String) -> String {
        if let publication { return "\(published) (publication \(publication))." }
        if let release { return "\(pending); added to release \(release)." }
        return "\(pending); saved as a draft."
    }

    fileprivate var approvedSentence: String {
        if let publication { return "Published in publication \(publication)." }
        if let release, let time { return "Scheduled for \(time.label) in release \(release)." }
        return isApproved
            ? "It is ready to publish." : "An editor must approve the entry before it can be published."
    }

    fileprivate func place(_ release: Int64) -> String {
        time.map { "scheduled for \($0.label) (release \(release))" } ?? "added to release \(release)"
    }
}
