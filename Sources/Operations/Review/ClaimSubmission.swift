// Claims a submission, renews, takes over or releases the claim.
import Domain
import Localization
import Store

package struct ClaimSubmission: Sendable {
    let database: Database
    /// How long a claim lasts unless it is renewed.
    let minutes: Int

    /// Claims the submission or renews the claim. Someone else's unexpired claim is a conflict that names the holder.
    package func callAsFunction(_ id: ID<Submission>, by actor: Actor) async throws {
        let account = try Self.account(actor)
        let event = AuditEvent("submission.claim", on: "submission", id.description)
        try await database.transaction(by: actor, event) { transaction in
            // A rejected claim leaves no audit event, because the transaction is rolled back.
            guard let item = try await transaction.queue.claim(id, by: account, minutes: minutes) else {
                throw Self.decided
            }
            if item.claimedByID == account { return }
            throw Failure.conflict(
                code: "claimed", message: tr("\(item.claimedBy ?? "Someone else") has claimed this submission."))
        }
    }

    /// Extends the actor's own claim; an open page does so periodically. Renewing is not an action, so no audit event is
    /// written. False if the claim has expired or someone else has it.
    package func renew(_ id: ID<Submission>, by actor: Actor) async throws -> Bool {
        let account = try Self.account(actor)
        return try await database.work(as: actor) { transaction in
            try await transaction.queue.renew(id, by: account, minutes: minutes)
        }
    }

    /// Records that the actor has the submission open, or no longer, and returns the names of the others who have. An open page
    /// does so periodically.
    package func view(_ id: ID<Submission>, hasLeft: Bool, by actor: Actor) async throws -> [String] {
        guard actor.kind == .account, let account = actor.id.map({ ID<Account>($0) }) else { return [] }
        return try await database.work(as: actor) { transaction in
            if hasLeft {
                try await transaction.viewers.leave(id, by: account)
                return []
            }
            guard try await transaction.viewers.see(id, by: account) else { throw Failure.missing("submission") }
            return try await transaction.viewers.others(id, than: account)
        }
    }

    /// Takes over the claim from its holder. The notes and the audit trail record who did so, and why.
    package func takeOver(_ id: ID<Submission>, reason: String, by actor: Actor) async throws {
        let account = try Self.account(actor)
        let reason = try StaffNote.check(
            reason, pointer: "/take_over_reason", message: tr("Enter a reason for taking over."))
        let holder = try await database.queue.find(id)?.claimedBy
        let event = AuditEvent(
            "submission.take_over", on: "submission", id.description,
            detail: ["reason": .string(reason), "from": holder.map(JSONValue.string) ?? .null])
        let isClaimed = try await database.transaction(by: actor, event) { transaction in
            let isClaimed = try await transaction.queue.takeOver(id, by: account, minutes: minutes)
            if isClaimed { try await transaction.notes.add(reason, .takeOver, on: [.submission(id)], by: actor) }
            return isClaimed
        }
        if !isClaimed { throw Self.decided }
    }

    /// Releases the actor's own claim.
    package func unclaim(_ id: ID<Submission>, by actor: Actor) async throws {
        let account = try Self.account(actor)
        let event = AuditEvent("submission.unclaim", on: "submission", id.description)
        try await database.transaction(by: actor, event) { transaction in
            try await transaction.queue.release(id, by: account)
        }
    }

    private static var decided: Failure {
        .conflict(code: "already_decided", message: tr("This submission was already decided."))
    }

    private static func account(_ actor: Actor) throws(Failure) -> ID<Account> {
        try actor.require(.decide, tr("claim submissions"))
        guard actor.kind == .account, let id = actor.id else {
            throw .forbidden(tr("Only accounts can claim submissions."))
        }
        return ID(id)
    }
}
