// Undoes the latest decision on a submission with a new decision, including everything that followed from it.
import Domain
import Publishing
import Store

package struct UndoDecision: Sendable {
    private let database: Database

    package init(database: Database) {
        self.database = database
    }

    /// Returns the submission to its previous position in the queue. An approved entry is removed from its scheduled
    /// release and from the changes ready to publish, and is unpublished if it is live.
    package func callAsFunction(_ id: ID<Submission>, version: Int?, by actor: Actor) async throws {
        try actor.require(.decide, "undo decisions")
        guard let submission = try await database.submissions.find(id) else { throw Failure.missing("submission") }
        try await database.require(actor, mayAccess: submission)
        if let version, version != submission.version {
            throw Failure.conflict(code: "stale", message: "Someone else has decided this submission in the meantime.")
        }
        guard submission.state != .pending, let undone = try await database.decisions.history(of: id).last else {
            throw Failure.conflict(code: "not_decided", message: "This submission has no decision to undo.")
        }
        let event = AuditEvent(
            "submission.undo", on: "submission", id.description,
            detail: ["from": .string(submission.state.rawValue), "to": .string("pending")])
        try await database.transaction(by: actor, event) { transaction in
            try await transaction.decisions.add(
                submission.version + 1, on: id, verdict: "undo", reason: nil, message: nil, undoes: undone.id, by: actor
            )
            try await transaction.queue.requeue([id])
            if submission.state == .approved, let entry = submission.entry {
                try await transaction.unpublish([entry], note: "Approval undone: \(submission.title)")
            }
        }
    }
}
