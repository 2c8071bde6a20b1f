// The flash messages about what became of a change: of an entry, of categories or feeds, or by a decision.
import Domain
import Localization
import Operations

extension Flash {
    /// After an action on an entry with the requested timing.
    init(_ outcome: ChangeOutcome, _ requested: PublishTiming) {
        let version = tr("Version \(outcome.revision)", context: "flash")
        // A cookie has little room; what is missing here shows in the comparison with the older version.
        let removed = (outcome.warnings.items.prefix(2).map(\.message) + [outcome.clockChange].compactMap { $0 })
            .map { " \($0.prefix(300))" }.joined()
        if let publication = outcome.publication {
            self.init(
                tr("\(version) published (publication \(publication)).\(removed)"), link: AdminURL.publications(),
                linkLabel: tr("Publications", context: "flash"))
        } else if let release = outcome.release {
            self.init(
                tr("\(version) approved and \(outcome.place(release)).\(removed)"), link: AdminURL.schedule(),
                linkLabel: tr("Schedule", context: "flash"))
        } else if outcome.isApproved {
            self.init(
                requested == .now
                    ? tr("\(version) was already published.") : tr("\(version) approved, not published yet.\(removed)"))
        } else if requested != .draft {
            self.init(
                tr("\(version) saved with your approval. More approvals are required before it is published.\(removed)")
            )
        } else {
            self.init(tr("\(version) saved as a draft.\(removed)"))
        }
    }

    /// After a note.
    init(_ outcome: AddNote.Outcome) {
        let message =
            outcome.notified == 0
            ? tr("Note added.")
            : tr("Note added. \(outcome.notified, one: "# person", other: "# people") notified.")
        self.init([message, outcome.warning].compactMap { $0 }.joined(separator: " "))
    }

    /// After a decision, with its undo. `version` is the submission's version before the decision; `feeds` are those in
    /// which readers find the entry: the title of the first, and their number. `hasFeeds`: entries of the type can be in
    /// feeds.
    init(
        _ outcome: DecisionOutcome, about title: String, _ draft: Decision.Draft, of id: ID<Submission>, version: Int,
        feeds: (first: String, count: Int)?, hasFeeds: Bool
    ) {
        // The message is stored in a cookie.
        let name = "“\(PlainText.shortened(title, to: 80))”"
        let isPartial = outcome.isPartialApproval(draft.verdict)
        let entry = outcome.change?.entry
        let message =
            switch draft.verdict {
            case .reject: tr("Rejected \(name).", context: "flash")
            case .requestChanges: tr("Requested changes to \(name).")
            case .duplicate: tr("Marked \(name) as a duplicate.")
            case .approve:
                isPartial
                    ? tr("Approval of \(name) recorded. More approvals are required.")
                    : tr(
                        "Approved \(name). \(outcome.change?.approvedSentence(feeds, hasFeeds) ?? "")", context: "flash"
                    )
            }
        self.init(
            message, undo: isPartial ? AdminURL.submissionApprovalWithdraw(id) : AdminURL.submissionUndo(id),
            version: isPartial ? version : version + 1,
            link: entry.map { AdminURL.entry($0) } ?? AdminURL.submission(id),
            linkLabel: entry == nil ? tr("View submission") : tr("View entry"))
    }
}

extension ChangeOutcome {
    /// After an edit of categories or feeds. `published` is the message after a publication, `pending` the one for a draft
    /// or a release, without a full stop.
    func message(published: String, pending: String) -> String {
        if let publication { return tr("\(published) (publication \(publication)).", context: "change outcome") }
        if let release { return tr("\(pending); added to release \(release).") }
        return tr("\(pending); saved as a draft.")
    }

    fileprivate func approvedSentence(_ feeds: (first: String, count: Int)?, _ hasFeeds: Bool) -> String {
        if publication != nil {
            guard let feeds else {
                return hasFeeds ? tr("Published, in no feed.") : tr("Published.", context: "flash")
            }
            let first = PlainText.shortened(feeds.first, to: 80)
            return feeds.count == 1
                ? tr("Published in \(first).") : tr("Published in \(first) and \(feeds.count - 1) more.")
        }
        if let release, let time {
            let sentence = tr("Scheduled for \(time.label) in release \(release).")
            return [sentence, clockChange].compactMap { $0 }.joined(separator: " ")
        }
        return isApproved
            ? tr("It is ready to publish.") : tr("An editor must approve the entry before it can be published.")
    }

    fileprivate func place(_ release: Int64) -> String {
        time.map { tr("scheduled for \($0.label) (release \(release))") } ?? tr("added to release \(release)")
    }
}
