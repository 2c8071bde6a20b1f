// Undoes a bulk action with new decisions, including everything that followed from the original ones.
import Domain
import Publishing
import Store

package struct UndoBulkAction: Sendable {
    private let database: Database

    package init(database: Database) {
        self.database = database
    }

    /// Submissions that have been changed since keep their state and are reported one by one.
    package func callAsFunction(_ id: ID<BulkAction>, by actor: Actor) async throws -> BulkActionRow {
        try actor.require(.decide, "undo decisions")
        guard let bulkAction = try await database.bulkActions.find(id) else { throw Failure.missing("bulk action") }
        let event = AuditEvent(
            "bulk_action.undo", on: "bulk_action", id.description,
            detail: ["action": .string(bulkAction.action.rawValue)])
        try await database.transaction(by: actor, event) { transaction in
            guard try await transaction.bulkActions.startUndo(id) else {
                throw Failure.conflict(
                    code: "already_undone",
                    message: "This bulk action has not run, or has already been undone. Nothing was changed.")
            }
            switch bulkAction.action {
            case .snooze, .assign, .update: _ = try await transaction.bulkActions.undoQueueEdits(of: id, by: actor)
            case .approve, .reject, .requestChanges:
                let undone = try await transaction.bulkActions.undoDecisions(of: id, by: actor)
                try await transaction.queue.requeue(undone)
                guard bulkAction.action == .approve else { return }
                let entries = try await transaction.submissions.entries(of: undone)
                try await transaction.unpublish(entries, note: "\(entries.count) approvals undone in bulk")
            }
        }
        guard let undone = try await database.bulkActions.find(id) else { throw Failure.missing("bulk action") }
        return undone
    }
}
