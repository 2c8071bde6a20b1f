// Undoes the latest decision about a submission: by a new decision, with all that followed from the old one.
import Domain
import Store

package struct UndoDecision: Sendable {
    private let database: Database

    package init(database: Database) {
        self.database = database
    }

    /// Puts the submission back into the queue at its old place. What was accepted is taken back: out of its scheduled
    /// release, out of what waits to be published, and out of the live set where it is live already.
    package func callAsFunction(_ id: ID<Submission>, version: Int?, by actor: Actor) async throws {
        try actor.require(.decide, "undo decisions")
        guard let submission = try await database.submissions.find(id) else { throw Failure.missing("submission") }
        try await database.require(actor, worksOn: submission)
        if let version, version != submission.version {
            throw Failure.conflict(code: "stale", message: "Someone else has decided about this submission meanwhile.")
        }
        guard submission.state != .pending, let undone = try await database.decisions.history(of: id).last else {
            throw Failure.conflict(code: "not_decided", message: "There is no decision to undo.")
        }
        let event = AuditEvent(
            "submission.undo", on: "submission", id.description,
            detail: ["from": .string(submission.state.rawValue), "to": .string("pending")])
        try await database.change(by: actor, event) { change in
            try await change.decisions.add(
                submission.version + 1, on: id, verdict: "undo", reason: nil, message: nil, undoes: undone.id, by: actor
            )
            try await change.queue.putBack([id])
            if submission.state == .approved, let entry = submission.entry {
                try await change.unlist([entry], note: "undone: \(submission.title)")
            }
        }
    }
}

extension Change {
    /// Takes back what was accepted: out of releases, out of the live set, and out of what waits to be published.
    func unlist(_ entries: [ID<Entry>], note: String) async throws {
        try await releases.takeOut(entries)
        _ = try await publications.publish(
            .these(entries.map { LiveChange(entry: $0, revision: nil) }), note: note, by: actor)
        // Afterwards: a publication that withdraws leaves what waits alone.
        try await revisions.notReady(entries)
    }
}
