// Approves a low-risk submission of a trusted contributor automatically, if the screening rules allow it.
import Domain
import Store

package enum ApproveTrusted {
    /// Approves the submission and leaves publishing it to a person. Does nothing if its fields are invalid as submitted,
    /// if someone has claimed or decided it, or if it is assigned and only its assignee may decide it.
    package static func approve(
        _ payload: JSONValue, _ rules: ContentRules, _ policy: ReviewPolicy, _ transaction: AuditedTransaction
    ) async throws {
        guard let id = payload["submission"]?.stringValue.flatMap({ ID<Submission>($0) }),
            let submission = try await transaction.submissions.find(id), submission.state == .pending,
            let queued = try await transaction.queue.find(id), queued.claimedBy == nil,
            !policy.assignedOnly || (queued.assignedTo == nil && queued.assignedRole == nil),
            let found = try await transaction.screenings.find(id),
            let version = try await transaction.screenings.current(), version.version == found.version,
            try ScreeningRules(reading: version.rules).approvesAutomatically(found.level, trust: found.trust)
        else { return }
        let actor = Actor(kind: .system, name: "screening")
        let draft = Decision.Draft(verdict: .approve, publishTiming: .approveOnly)
        var prepare = PrepareApproval(database: transaction, rules: rules, by: actor)
        let approvalDraft: ApprovalDraft
        do {
            approvalDraft = try await prepare(submission, draft)
        } catch Failure.invalid {
            return
        }
        // Review stages need people, regardless of the contributor.
        if try await !transaction.reviewStages.stageProgress([(id, approvalDraft.categories)]).isEmpty { return }
        try await transaction.audit(
            AuditEvent(
                "submission.approve", on: "submission", id.description,
                detail: [
                    "automatic": .bool(true), "rules": .int(Int64(found.version)), "score": .int(Int64(found.score)),
                    "trust": .int(Int64(found.trust)),
                ]))
        let isClaimed = try await transaction.decisions.addFromQueue(
            submission.version + 1, on: id, draft, respectingClaimsExceptOf: ID<Account>(actor.rowID),
            assignedOnly: policy.assignedOnly, by: actor)
        guard isClaimed else {
            throw Failure.conflict(code: "claimed", message: "This submission has been claimed or decided.")
        }
        try await transaction.screenings.record(automatic: id, decision: submission.version + 1)
        _ = try await approvalDraft.run(transaction)
    }
}
