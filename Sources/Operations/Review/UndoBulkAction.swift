// Undoes a bulk action with new decisions, including everything that followed from the original ones.
import Domain
import Localization
import Store

package struct UndoBulkAction: Sendable {
    let database: Database
    /// As for `UndoDecision`.
    let graceMinutes: Int

    /// Submissions that have been changed since keep their state and are reported one by one.
    package func callAsFunction(_ id: ID<BulkAction>, by actor: Actor) async throws -> BulkActionRow {
        try actor.require(.decide, tr("undo decisions"))
        guard let bulkAction = try await database.bulkActions.find(id), bulkAction.object == .submission else {
            throw Failure.missing(tr("bulk action"))
        }
        try await database.access.require(actor, .bulkAction(id))
        let event = AuditEvent(
            "bulk_action.undo", on: "bulk_action", id.description,
            detail: ["action": .string(bulkAction.action.rawValue)])
        try await database.transaction(by: actor, event) { transaction in
            guard try await transaction.bulkActions.startUndo(id) else {
                throw BulkActionRow.notUndoable
            }
            let ids: [ID<Submission>]
            switch bulkAction.action {
            case .snooze, .assign, .update:
                ids = try await transaction.bulkActions.restoreValues(of: id)
                try await transaction.bulkActions.finishUndo(of: id, undone: ids, keptBecause: "decided")
            case .approve, .reject, .requestChanges, .publish, .unpublish, .add:
                let undone = try await transaction.decisions.undo(
                    id, graceMinutes: graceMinutes, by: actor)
                ids = undone.map(\.submission)
                try await transaction.bulkActions.finishUndo(of: id, undone: ids, keptBecause: "changed")
                let approvals = undone.count { $0.entry != nil }
                try await transaction.requeue(undone, note: "\(approvals) approvals undone in bulk")
            }
            try await transaction.audit(ids.map { (.part("submission.undo", of: id, $0), actor) })
        }
        return try await database.bulkActions.find(id).orMissing(tr("bulk action"))
    }
}

extension AuditEvent {
    /// What a bulk action, whose own event is the parent, did to one submission.
    static func part(_ action: String, of bulkAction: ID<BulkAction>, _ submission: ID<Submission>) -> AuditEvent {
        AuditEvent(
            action, on: "submission", submission.description,
            detail: ["bulk_action": .string(bulkAction.description)])
    }
}
