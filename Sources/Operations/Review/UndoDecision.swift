// Undoes the latest decision on a submission with a new decision, including everything that followed from it.
import Domain
import Localization
import Store

package struct UndoDecision: Sendable {
    let database: Database
    /// How long the decider may undo a decision; after that a published or scheduled entry needs `publish`.
    let graceMinutes: Int

    /// Returns the submission to its previous position in the queue. An approved entry is removed from its scheduled
    /// release and from the changes ready to publish, and is unpublished if it is live.
    package func callAsFunction(_ id: ID<Submission>, version: Int?, by actor: Actor) async throws {
        try actor.require(.decide, tr("undo decisions"))
        guard let submission = try await database.submissions.find(id) else { throw Failure.missing("submission") }
        try await database.access.require(actor, .submission(submission.id))
        if let version, version != submission.version { throw DecideSubmission.stale }
        guard submission.state != .pending else {
            throw Failure.conflict(code: "not_decided", message: tr("This submission has no decision to undo."))
        }
        let event = AuditEvent(
            "submission.undo", on: "submission", id.description,
            detail: ["from": .string(submission.state.rawValue), "to": .string("pending")])
        try await database.transaction(by: actor, event) { transaction in
            let undone = try await transaction.decisions.undo(
                id, version: submission.version, graceMinutes: graceMinutes, by: actor)
            if undone.isEmpty {
                let refusals = try await transaction.decisions.undoRefusals(
                    of: [id], graceMinutes: graceMinutes, by: actor)
                throw refusals[id]?.failure ?? DecideSubmission.stale
            }
            try await transaction.requeue(undone, note: "Approval undone: \(submission.title)")
        }
    }
}

extension DecisionStore.UndoRefusal {
    var failure: Failure {
        switch self {
        case .erased: .refused(code: "rule", message: ReviewPermissions.Refusal.erased.sentence)
        case .edited:
            .refused(
                code: "edited",
                message: tr("Someone edited this entry after its approval. Unpublish it instead, or edit it."))
        case .published:
            .forbidden(
                tr("This entry is published. Only a publisher can undo its approval now; ask one, or edit the entry."))
        case .scheduled:
            .forbidden(
                tr(
                    "This entry is in a scheduled release. Only a publisher can undo its approval now; ask one, or edit "
                        + "the entry."))
        }
    }
}

extension AuditedTransaction {
    /// Returns submissions whose decisions were undone to the queue, and unpublishes the entries that these approved.
    func requeue(_ undone: [UndoneDecision], note: String) async throws {
        try await queue.requeue(undone.map(\.submission))
        try await unpublish(undone.compactMap(\.entry).sorted { $0.description < $1.description }, note: note)
    }
}
