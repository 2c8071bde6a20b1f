// Says what a decision led to, in one sentence with its undo.
import Domain
import Review

extension Flash {
    /// `version` is the one that the submission had before the decision.
    init(
        _ outcome: DecisionOutcome, about title: String, _ draft: Decision.Draft, of id: ID<Submission>, version: Int
    ) {
        // The sentence travels in a cookie.
        let name = title.count > 80 ? "\(title.prefix(79))…" : title
        self.init(
            Self.sentence(outcome, "“\(name)”", draft),
            undo: outcome.isAgreement(draft.verdict) ? "/queue/\(id)/approval/withdraw" : "/queue/\(id)/undo",
            version: outcome.isAgreement(draft.verdict) ? version : version + 1,
            link: outcome.entry.map { "/entries/\($0)" } ?? "/queue/\(id)",
            linkLabel: outcome.entry == nil ? "Look again" : "See the entry")
    }

    private static func sentence(_ outcome: DecisionOutcome, _ name: String, _ draft: Decision.Draft) -> String {
        switch draft.verdict {
        case .reject: return "Rejected \(name)."
        case .requestChanges: return "Asked for changes to \(name)."
        case .duplicate: return "Marked \(name) as a duplicate."
        case .approve: break
        }
        if outcome.isAgreement(draft.verdict) {
            return "You agreed to \(name). More people have to, before it is accepted."
        }
        if let publication = outcome.publication {
            return "Approved \(name) – live now in publication \(publication)."
        }
        if let release = outcome.release, case .at(let time) = draft.publishTiming {
            let words = "\(time.local.replacing("T", with: " ").dropLast(3)) \(time.zone)"
            return "Approved \(name) – goes live \(words) with release \(release)."
        }
        if outcome.isApproved { return "Approved \(name) – approved, waits to be published." }
        return "Approved \(name) – waits for an editor to approve it."
    }
}
