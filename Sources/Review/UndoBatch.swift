// Undoes an act on many submissions as one: by new decisions, with all that followed from the old ones.
import Domain
import Store

package struct UndoBatch: Sendable {
    private let database: Database

    package init(database: Database) {
        self.database = database
    }

    /// What was decided otherwise meanwhile stays as it is, and is told item by item.
    package func callAsFunction(_ id: ID<Batch>, by actor: Actor) async throws -> BatchRow {
        try actor.require(.decide, "undo decisions")
        guard let batch = try await database.batches.find(id) else { throw Failure.missing("batch") }
        let event = AuditEvent("batch.undo", on: "batch", id.description, detail: ["act": .string(batch.act.rawValue)])
        try await database.change(by: actor, event) { change in
            guard try await change.batches.beginUndo(id) else {
                throw Failure.conflict(
                    code: "already_undone", message: "This was not done yet, or undone before. Nothing was changed.")
            }
            switch batch.act {
            case .snooze, .assign, .rank: _ = try await change.batches.undoArranging(of: id, by: actor)
            case .accept, .reject, .return:
                let undone = try await change.batches.undoDecisions(of: id, by: actor)
                try await change.queue.putBack(undone)
                guard batch.act == .accept else { return }
                let entries = try await change.submissions.entries(of: undone)
                if !entries.isEmpty { try await change.takeBack(entries, note: "\(entries.count) undone together") }
            }
        }
        guard let undone = try await database.batches.find(id) else { throw Failure.missing("batch") }
        return undone
    }
}
