// Takes, renews, takes over or gives back a claim on a submission.
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
        try await database.change(by: actor, event) { change in
            // What is refused leaves no audit event.
            guard let item = try await change.queue.claim(id, by: account, minutes: minutes) else { throw Self.decided }
            if item.claimedByID == account { return }
            throw Failure.conflict(
                code: "claimed", message: "\(item.claimedBy ?? "Someone else") is looking at this submission now.")
        }
    }

    /// Lets the actor's own lease last from now on; a page that is open asks so again and again. That somebody goes on
    /// looking is no action, and leaves no audit event. False when the lease has run out or another has it.
    package func renew(_ id: ID<Submission>, by actor: Actor) async throws -> Bool {
        let account = try Self.account(actor)
        return try await database.work(as: actor) { change in
            try await change.queue.renew(id, by: account, minutes: minutes)
        }
    }

    /// Takes the lease from whoever holds it; the notes and the audit trail keep who did so, and why.
    package func takeOver(_ id: ID<Submission>, reason: String, by actor: Actor) async throws {
        let account = try Self.account(actor)
        let reason = try StaffNote.check(reason, pointer: "/take_over_reason", needed: "Say why you take it over.")
        let holder = try await database.queue.find(id)?.claimedBy
        let event = AuditEvent(
            "submission.take_over", on: "submission", id.description,
            detail: ["reason": .string(reason), "from": holder.map(JSONValue.string) ?? .null])
        let taken = try await database.change(by: actor, event) { change in
            let taken = try await change.queue.takeOver(id, by: account, minutes: minutes)
            if taken { try await change.notes.add(reason, .takeOver, on: [id], by: actor) }
            return taken
        }
        if !taken { throw Self.decided }
    }

    /// Gives the actor's own lease back.
    package func unclaim(_ id: ID<Submission>, by actor: Actor) async throws {
        let account = try Self.account(actor)
        let event = AuditEvent("submission.unclaim", on: "submission", id.description)
        try await database.change(by: actor, event) { change in
            try await change.queue.release(id, by: account)
        }
    }

    private static let decided = Failure.conflict(
        code: "already_decided", message: "This submission was decided meanwhile.")

    private static func account(_ actor: Actor) throws(Failure) -> ID<Account> {
        try actor.require(.decide, "take submissions")
        guard actor.kind == .account, let id = actor.id else { throw .forbidden("Only accounts take submissions.") }
        return ID(id)
    }
}
