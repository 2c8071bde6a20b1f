// The bulk actions: what can be done with many submissions or entries at once.
import Localization

package enum BulkActionKind: String, Sendable, CaseIterable, Codable {
    case approve, reject, requestChanges = "request_changes", snooze, assign
    /// Sets the priority of submissions, or changes the categories of entries.
    case update
    case publish, unpublish
    /// Adds entries to a release.
    case add

    /// What a bulk action changes.
    package enum Object: String, Sendable {
        case submission, entry

        /// The actions on it.
        package var actions: [BulkActionKind] {
            switch self {
            case .submission: [.approve, .reject, .requestChanges, .snooze, .assign, .update]
            case .entry: [.approve, .publish, .unpublish, .update, .add]
            }
        }

        /// The number of them in words: `1 entry`.
        package func count(_ number: Int) -> String {
            switch self {
            case .submission:
                tr("\(number, one: "# submission", other: "# submissions")", context: "outcome")
            case .entry: tr("\(number, one: "# entry", other: "# entries")", context: "outcome")
            }
        }
    }

    package func label(on object: Object) -> String {
        switch self {
        case .approve: tr("Approve", context: "bulk action kind")
        case .reject: tr("Reject", context: "bulk action kind")
        case .requestChanges: tr("Request changes")
        case .snooze: tr("Snooze", context: "bulk action kind")
        case .assign: tr("Assign", context: "bulk action kind")
        case .update: object == .entry ? tr("Change categories") : tr("Set priority")
        case .publish: tr("Publish", context: "bulk action kind")
        case .unpublish: tr("Unpublish", context: "bulk action kind")
        case .add: tr("Add to release")
        }
    }

    /// Submissions or entries per bulk action.
    package static let limit = 5000
}

/// The parameters of a bulk action on submissions, from its confirmation page or the command line.
package enum BulkActionRequest: Sendable {
    /// Approve, reject or request changes, with the same reason, message, feeds and categories for all.
    case decide(Decision.Draft)
    /// Nil unsnoozes.
    case snooze(SnoozeTime?)
    /// Nil unassigns.
    case assign(Assignee?, note: String?)
    case update(priority: Priority)
}

/// The parameters of a bulk action on entries.
package enum EntryBulkActionRequest: Sendable {
    case approve, publish, unpublish
    /// Publishes entries whose newest version is published, unless the timing is `.draft`.
    case update(CategoryChange, PublishTiming)
    /// Adds the newest versions to a release; without a number to a new one.
    case add(release: Int64?, title: String)

    package var action: BulkActionKind {
        switch self {
        case .approve: .approve
        case .publish: .publish
        case .unpublish: .unpublish
        case .update: .update
        case .add: .add
        }
    }
}

/// The categories that a bulk action adds to entries and removes from them.
package struct CategoryChange: Sendable, Equatable {
    package let added: [ID<Entry>]
    package let removed: [ID<Entry>]

    package init(added: [ID<Entry>], removed: [ID<Entry>]) {
        self.added = added
        self.removed = removed
    }

    /// The categories of an entry after the change: the kept ones in their order, then the new ones.
    package func applied(to categories: [ID<Entry>]) -> [ID<Entry>] {
        let kept = categories.filter { !removed.contains($0) }
        return kept + added.filter { !kept.contains($0) }
    }
}
