// Undoes an action on many submissions as one: by new decisions, with all that followed from the old ones.
import Domain
import Store

package struct UndoBulkAction: Sendable {
    private let database: Database

    package init(database: Database) {
        self.database = database
    }

    /// What was decided otherwise meanwhile stays as it is, and is told item by item.
    package func callAsFunction(_ id: ID<BulkAction>, by actor: Actor) async throws -> BulkActionRow {
        try actor.require(.decide, "undo decisions")
        guard let bulkAction = try await database.bulkActions.find(id) else { throw Failure.missing("bulk_action") }
        let event = AuditEvent("bulk_action.undo", on: "bulk_action", id.description, detail: ["action": .string(bulkAction.action.rawValue)])
        try await database.change(by: actor, event) { change in
            guard try await change.bulkActions.beginUndo(id) else {
                throw Failure.conflict(
                    code: "already_undone", message: "This was not done yet, or undone before. Nothing was changed.")
            }
            switch bulkAction.action {
            case .snooze, .assign, .rank: _ = try await change.bulkActions.undoArranging(of: id, by: actor)
            case .approve, .reject, .requestChanges:
                let undone = try await change.bulkActions.undoDecisions(of: id, by: actor)
                try await change.queue.putBack(undone)
                guard bulkAction.action == .approve else { return }
                let entries = try await change.submissions.entries(of: undone)
                if !entries.isEmpty { try await change.unlist(entries, note: "\(entries.count) undone together") }
            }
        }
        guard let undone = try await database.bulkActions.find(id) else { throw Failure.missing("bulk_action") }
        return undone
    }
}
