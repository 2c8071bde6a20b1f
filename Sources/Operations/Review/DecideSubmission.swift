// Decides a submission: approves, rejects, requests changes or marks it as a duplicate, with all consequences.
import Domain
import Localization
import Store

/// The result of a decision, for the confirmation message.
package struct DecisionOutcome: Sendable {
    package let state: SubmissionState
    /// What became of the approved content.
    package var change: ChangeOutcome?

    /// The approval was recorded, but the review stages need more approvals.
    package func isPartialApproval(_ verdict: Verdict) -> Bool { verdict == .approve && state != .approved }
}

package struct DecideSubmission: Sendable {
    let database: Database
    let rules: ContentRules
    let policy: ReviewPolicy
    let gather: GatherApprovals

    /// Decides a submission. `version` is the number of decisions the reviewer has seen (nil: not checked); any other number
    /// is a conflict. An approved submission becomes an entry with an approved revision, in one transaction with the
    /// decision, its audit event and, if it is published now, the publication (R3, R4).
    package func callAsFunction(
        _ id: ID<Submission>, _ draft: Decision.Draft, version: Int?, by actor: Actor
    ) async throws -> DecisionOutcome {
        guard let submission = try await database.submissions.find(id) else { throw Failure.missing("submission") }
        return try await self(submission, draft, version: version, by: actor)
    }

    /// The same for a submission that has already been loaded. With `respectsClaims`, someone else's claim is a conflict
    /// that names the holder.
    package func callAsFunction(
        _ submission: SubmissionRow, _ draft: Decision.Draft, version: Int?, respectsClaims: Bool = false,
        by actor: Actor
    ) async throws -> DecisionOutcome {
        try actor.require(.decide, tr("decide submissions"))
        try await database.access.require(actor, .submission(submission.id))
        let overridesClaims = !respectsClaims && actor.kind == .account
        if let version, version != submission.version { throw Self.stale }
        try draft.check(on: submission.state)
        var draft = draft
        draft.fieldNotes = try FieldNotes.check(draft.fieldNotes, as: try rules.type(named: submission.type))
        draft = try await policy.delayed(draft, database)
        let event = AuditEvent(
            "submission.\(draft.verdict.rawValue)", on: "submission", submission.id.description,
            detail: Self.detail(draft, from: submission.state, overridesClaims: overridesClaims))
        var prepare = PrepareDecisions(database: database, rules: rules)
        let decision = try await prepare(
            ReviewDecision(
                id: submission.id, version: submission.version, draft: draft, actor: actor, submission: submission,
                respectsClaims: respectsClaims && actor.id != nil, assignedOnly: policy.assignedOnly, event: event))
        return try await gather(decision)
    }

    static var stale: Failure {
        .conflict(code: "stale", message: tr("Someone else has decided this submission in the meantime."))
    }

    private static func detail(
        _ draft: Decision.Draft, from state: SubmissionState, overridesClaims: Bool
    ) -> [String: JSONValue] {
        var detail: [String: JSONValue] = [
            "from": .string(state.rawValue), "to": .string(draft.verdict.state.rawValue),
        ]
        if let reason = draft.reason { detail["reason"] = .string(reason.rawValue) }
        if draft.edits != nil { detail["edited"] = .bool(true) }
        if overridesClaims { detail["overrides_claims"] = .bool(true) }
        switch draft.original {
        case .submission(let id): detail["original_submission"] = .string(id.description)
        case .entry(let id): detail["original_entry"] = .string(id.description)
        case nil: break
        }
        return detail
    }
}
