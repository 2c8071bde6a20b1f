// Takes, renews or gives back a claim on a submission.
import Domain
import Store

package struct ClaimSubmission: Sendable {
    private let database: Database
    private let minutes: Int

    /// `minutes`: how long the lease lasts unless it is renewed.
    package init(database: Database, minutes: Int) {
        self.database = database
        self.minutes = minutes
    }

    /// Takes or renews the lease. Someone else's lease that has not run out is a conflict that names its holder.
    package func callAsFunction(_ id: ID<Submission>, by actor: Actor) async throws {
        let account = try Self.account(actor)
        let event = AuditEvent("submission.claim", on: "submission", id.description)
        let holder = try await database.change(by: actor, event) { change in
            try await change.queue.claim(id, by: account, minutes: minutes)
        }
        guard let holder else {
            throw Failure.conflict(code: "already_decided", message: "This submission was decided meanwhile.")
        }
        guard holder.claimedByID == account else {
            throw Failure.conflict(
                code: "claimed", message: "\(holder.claimedBy ?? "Someone else") is looking at this submission now.")
        }
    }

    /// Takes the lease from whoever holds it; the audit trail keeps who did so.
    package func takeOver(_ id: ID<Submission>, by actor: Actor) async throws {
        let account = try Self.account(actor)
        let event = AuditEvent("submission.take_over", on: "submission", id.description)
        let taken = try await database.change(by: actor, event) { change in
            try await change.queue.takeOver(id, by: account, minutes: minutes)
        }
        if !taken { throw Failure.conflict(code: "already_decided", message: "This submission was decided meanwhile.") }
    }

    /// Gives the actor's own lease back.
    package func giveBack(_ id: ID<Submission>, by actor: Actor) async throws {
        let account = try Self.account(actor)
        let event = AuditEvent("submission.give_back", on: "submission", id.description)
        try await database.change(by: actor, event) { change in
            try await change.queue.release(id, by: account)
        }
    }

    private static func account(_ actor: Actor) throws(Failure) -> ID<Account> {
        try actor.require(.decide, "take submissions")
        guard actor.kind == .account, let id = actor.id else { throw .forbidden("Only accounts take submissions.") }
        return ID(id)
    }
}
