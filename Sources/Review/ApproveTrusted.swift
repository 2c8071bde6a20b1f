// Accepts a submission without a person, where the team's rules say so: of a contributor it trusts, and no risk.
import Domain
import Store

package enum ApproveTrusted {
    /// Approves it, and leaves the time at which it goes live to a person. Where it cannot be accepted as it is, or somebody
    /// was faster, it stays as it is.
    package static func approve(_ payload: JSONValue, _ rules: ContentRules, _ change: Change) async throws {
        guard let id = payload["submission"]?.stringValue.flatMap({ ID<Submission>($0) }),
            let submission = try await change.submissions.find(id), submission.state == .pending,
            let queued = try await change.queue.find(id), queued.claimedBy == nil,
            let found = try await change.screenings.find(id),
            let version = try await change.screenings.current(), version.version == found.version,
            try ScreeningRules(reading: version.rules).approvesAutomatically(found.level, trust: found.trust)
        else { return }
        let actor = Actor(kind: .system, name: "screening")
        let draft = Decision.Draft(verdict: .approve, publishTiming: .approveOnly)
        var prepare = PrepareApproval(database: change, rules: rules, by: actor)
        let approvalDraft: ApprovalDraft
        do {
            approvalDraft = try await prepare(submission, draft)
        } catch Failure.invalid {
            return
        }
        // People have to agree, whoever sent it.
        if try await !change.reviewStages.standings([(id, approvalDraft.categories)]).isEmpty { return }
        try await change.audit(
            AuditEvent(
                "submission.approve", on: "submission", id.description,
                detail: [
                    "automatic": .bool(true), "rules": .int(Int64(found.version)), "score": .int(Int64(found.score)),
                    "trust": .int(Int64(found.trust)),
                ]))
        let isClaimed = try await change.decisions.addTaking(
            submission.version + 1, on: id, draft, respectingOthersOf: ID<Account>(actor.rowID), by: actor)
        guard isClaimed else { throw Failure.conflict(code: "claimed", message: "Somebody was faster.") }
        try await change.screenings.note(automatic: id, decision: submission.version + 1)
        _ = try await approvalDraft.carryOut(change)
    }
}
