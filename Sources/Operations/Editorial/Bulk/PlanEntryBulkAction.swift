// Plans a bulk action on entries: which of them it will change, and why it will skip the others.
import Domain
import Localization
import Store

package struct PlanEntryBulkAction: Sendable {
    let database: Database
    let rules: ContentRules

    package enum Selection: Sendable {
        case listed([ID<Entry>])
        /// All that match the filter, newest first, up to the limit of a bulk action.
        case matching(EntryFilter)
    }

    /// Thrown to undo the trial of an action.
    private struct Tried: Error {
        let results: [BulkActionResult]
    }

    /// `query`: the query string of the list it was started from, for the link back.
    package func callAsFunction(
        _ action: BulkActionKind, _ selection: Selection, query: String = "", by actor: Actor
    ) async throws -> ID<BulkAction> {
        try action.requireOnEntries(of: actor)
        if case .listed(let ids) = selection {
            if ids.isEmpty {
                throw Failure.invalid(FieldErrors("/ids", "required", tr("Select at least one entry.")))
            }
            guard try await database.access.contains(ids, actor.scope) else {
                throw Failure.forbidden(tr("Some of these entries are outside your access scope."))
            }
        }
        let event = AuditEvent(
            "bulk_action.plan", on: "bulk_action",
            detail: ["action": .string(action.rawValue), "object": .string(BulkActionKind.Object.entry.rawValue)])
        return try await database.transaction(by: actor, event) { transaction in
            let id =
                switch selection {
                case .listed(let ids): try await transaction.bulkEntries.plan(action, for: ids, query: query, by: actor)
                case .matching(let filter):
                    try await transaction.bulkEntries.plan(action, for: filter, query: query, by: actor)
                }
            let entries = try await transaction.bulkEntries.planned(id)
            let refused = entries.compactMap { entry in
                action.refusal(of: entry, rules).map { BulkActionResult.skipped(entry.id, $0.rawValue) }
            }
            let skipped = Set(refused.map(\.id))
            let rest = entries.filter { !skipped.contains($0.id.uuid) }
            let tried = try await Self.trial(action, rest, in: id, transaction)
            try await transaction.bulkEntries.annotate(refused + tried, in: id)
            return id
        }
    }

    /// What else is to be said about these entries, by carrying out the action and undoing it, so that the rules are those of
    /// the action itself.
    private static func trial(
        _ action: BulkActionKind, _ entries: [BulkEntry], in id: ID<BulkAction>, _ transaction: AuditedTransaction
    ) async throws -> [BulkActionResult] {
        switch action {
        case .approve:
            do {
                try await transaction.attempt {
                    let writer = EntryBulkWriter(transaction: transaction, id: id)
                    throw Tried(results: try await writer.approve(entries).results)
                }
                return []
            } catch let tried as Tried {
                return tried.results.filter { $0.reason != nil }
            }
        case .publish, .unpublish:
            let changes = entries.map { LiveChange(entry: $0.id, revision: action == .publish ? $0.approved : nil) }
            return try await transaction.publications.leavingOutBlocked(changes).blocked.compactMap { blocked in
                blocked.entry.map { .skipped($0, blocked.message) }
            }
        default: return []
        }
    }
}

extension BulkActionKind {
    /// Throws `Failure.forbidden` unless the actor may do this with one entry.
    package func requireOnEntries(of actor: Actor) throws(Failure) {
        switch self {
        case .approve: try PublishTiming.approveOnly.require(of: actor)
        case .publish: try actor.require(.publish, tr("publish entries"))
        case .unpublish: try actor.require(.publish, tr("unpublish entries"))
        case .update: try actor.require(.suggest, tr("edit entries"))
        case .add: try actor.require(.createRelease, tr("edit releases"))
        case .reject, .requestChanges, .snooze, .assign:
            throw .invalid(FieldErrors("/action", "choice", tr("Choose an action.")))
        }
    }

    /// Why an entry is skipped, by its state alone.
    func refusal(of entry: BulkEntry, _ rules: ContentRules) -> EntryBulkRefusal? {
        switch self {
        case .approve: entry.isApproved ? .approved : nil
        case .publish: entry.approved == nil ? .unapproved : entry.approved == entry.live ? .published : nil
        case .unpublish: entry.live == nil ? .notPublished : nil
        case .update: rules.types[entry.type]?.field("categories") == nil ? .withoutCategories : nil
        case .add: entry.live == entry.newest.revision ? .published : nil
        case .reject, .requestChanges, .snooze, .assign: nil
        }
    }
}

/// Why a bulk action skips an entry, or leaves it as it is when it is undone; and what else there is to say about one.
package enum EntryBulkRefusal: String, Sendable {
    case approved, unapproved, published
    case notPublished = "not_published"
    case withoutCategories = "without_categories"
    /// Somebody changed it after it was planned, or after it was changed.
    case changed
    /// The actor has approved it, and others must.
    case alreadyApproved = "already_approved"
    /// The categories are these already.
    case unchanged
    case inRelease = "in_release"
    /// The release has been published or canceled.
    case released
    // Remarks
    case needsApprovals = "needs_approvals"
    case draft
}
