// Says what became of an action on an entry, in one sentence.
import Domain
import Editorial

extension Flash {
    /// `wanted` is what the actor asked for; `time` names the time for a scheduled action.
    init(_ outcome: EntryOutcome, wanted: PublishTiming?, time: String) {
        let version = "Version \(outcome.revision)"
        if let publication = outcome.publication {
            self.init(
                "\(version) is live: publication \(publication).", link: "/publications", linkLabel: "Publications")
        } else if let release = outcome.release {
            self.init(
                "\(version) is approved and goes live with release \(release), at \(time).", link: "/schedule",
                linkLabel: "Schedule")
        } else if outcome.isApproved {
            self.init(
                wanted == .now
                    ? "\(version) was live already; nothing had to be published."
                    : "\(version) is approved. It goes live with the next publication.")
        } else if wanted != nil {
            self.init("\(version) is saved and has your consent. More people have to agree before it goes live.")
        } else {
            self.init("\(version) is saved as a draft. Readers see it after it is approved and published.")
        }
    }
}
