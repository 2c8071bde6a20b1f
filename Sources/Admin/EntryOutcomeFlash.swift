// The flash message after an action on an entry.
import Domain
import Editorial

extension Flash {
    /// `wanted` is the requested timing; `time` is the text of a scheduled time.
    init(_ outcome: EntryOutcome, wanted: PublishTiming?, time: String) {
        let version = "Version \(outcome.revision)"
        // A cookie has little room; what is missing here shows in the comparison with the older version.
        let removed = outcome.warnings.items.prefix(2).map { " \($0.message.prefix(300))" }.joined()
        if let publication = outcome.publication {
            self.init(
                "\(version) published (publication \(publication)).\(removed)", link: "/publications",
                linkLabel: "Publications")
        } else if let release = outcome.release {
            self.init(
                "\(version) approved and scheduled for \(time) (release \(release)).\(removed)", link: "/schedule",
                linkLabel: "Schedule")
        } else if outcome.isApproved {
            self.init(
                wanted == .now
                    ? "\(version) was already published."
                    : "\(version) approved, not published yet.\(removed)")
        } else if wanted != nil {
            self.init(
                "\(version) saved with your approval. More approvals are required before it is published.\(removed)")
        } else {
            self.init("\(version) saved as a draft.\(removed)")
        }
    }
}
