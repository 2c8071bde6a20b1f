// Approves a low-risk submission of a trusted contributor automatically, if the screening rules allow it.
import Domain
import Store

package enum ApproveTrusted {
    /// Approves the submission and leaves publishing it to a person. Does nothing if its fields are invalid as submitted,
    /// if someone has claimed or decided it, if it is held, or if it is assigned and only its assignee may decide it.
    package static func approve(
        _ payload: JSONValue, _ rules: ContentRules, _ policy: ReviewPolicy, _ transaction: AuditedTransaction
    ) async throws {
        guard let id = payload["submission"]?.stringValue.flatMap({ ID<Submission>($0) }),
            let submission = try await transaction.submissions.find(id), submission.state == .pending,
            let queued = try await transaction.queue.find(id), queued.claimedBy == nil, !queued.isHeld,
            !policy.assignedOnly || (queued.assignedTo == nil && queued.assignedRole == nil),
            let found = try await transaction.screenings.find(id),
            let version = try await transaction.screenings.current(), version.version == found.version,
            try ScreeningRules(reading: version.rules).approvesAutomatically(found.level, trust: found.trust)
        else { return }
        let event = AuditEvent(
            "submission.approve", on: "submission", id.description,
            detail: [
                "automatic": .bool(true), "rules": .int(Int64(found.version)), "score": .int(Int64(found.score)),
                "trust": .int(Int64(found.trust)),
            ])
        let decision = ReviewDecision(
            id: id, version: submission.version,
            draft: Decision.Draft(verdict: .approve, publishTiming: .approveOnly),
            actor: Actor(kind: .system, name: "screening"), submission: submission,
            assignedOnly: policy.assignedOnly, event: event)
        var prepare = PrepareDecisions(database: transaction, rules: rules)
        let prepared: ReviewDecision
        do {
            prepared = try await prepare(decision)
        } catch Failure.invalid {
            return
        }
        // Review stages need people, regardless of the contributor.
        if !prepared.stages.isEmpty { return }
        _ = try await DecideTogether(transaction: transaction)(prepared)
        try await transaction.screenings.record(automatic: id, decision: submission.version + 1)
    }
}
