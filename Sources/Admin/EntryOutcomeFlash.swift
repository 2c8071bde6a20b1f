// The flash message after an action on an entry.
import Domain
import Editorial

extension Flash {
    /// `wanted` is the requested timing; `time` is the text of a scheduled time.
    init(_ outcome: EntryOutcome, wanted: PublishTiming?, time: String) {
        let version = "Version \(outcome.revision)"
        if let publication = outcome.publication {
            self.init(
                "\(version) published (publication \(publication)).", link: "/publications", linkLabel: "Publications")
        } else if let release = outcome.release {
            self.init(
                "\(version) approved and scheduled for \(time) (release \(release)).", link: "/schedule",
                linkLabel: "Schedule")
        } else if outcome.isApproved {
            self.init(
                wanted == .now
                    ? "\(version) was already published."
                    : "\(version) approved, not published yet.")
        } else if wanted != nil {
            self.init("\(version) saved with your approval. More approvals are required before it is published.")
        } else {
            self.init("\(version) saved as a draft.")
        }
    }
}
