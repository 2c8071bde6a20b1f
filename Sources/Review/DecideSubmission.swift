// Decides a submission: approves, rejects, requests changes or marks it as a duplicate, with all consequences.
import Domain
import Publishing
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
    private let database: Database
    private let rules: ContentRules
    private let policy: ReviewPolicy

    package init(database: Database, rules: ContentRules, policy: ReviewPolicy) {
        self.database = database
        self.rules = rules
        self.policy = policy
    }

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
        try actor.require(.decide, "decide submissions")
        try await database.require(actor, mayAccess: submission)
        let id = submission.id
        let overridesClaims = !respectsClaims && actor.kind == .account
        if let version, version != submission.version {
            throw Failure.conflict(code: "stale", message: "Someone else has decided this submission in the meantime.")
        }
        try draft.check(on: submission.state)
        let draft = try await policy.delayed(draft, database)
        var approvalDraft: ApprovalDraft?
        if draft.verdict == .approve {
            var prepare = PrepareApproval(database: database, rules: rules, by: actor)
            approvalDraft = try await prepare(submission, draft)
        }
        let approval = approvalDraft
        let categories = approval?.categories ?? []
        let stages =
            approval == nil ? [] : try await database.reviewStages.stageProgress([(id, categories)])[id] ?? []
        if actor.kind == .client, !stages.isEmpty {
            throw Failure.refused(
                code: "people_decide",
                message: "This submission needs approvals from people. They approve it on its review page.")
        }
        if stages.reduce(0, { $0 + $1.stage.requiredApprovals }) > 1, draft.edits != nil,
            draft.edits != submission.fields
        {
            throw Failure.refused(
                code: "staged_edits",
                message:
                    "Several people must approve the same text, so it can't be edited during approval.")
        }
        let event = AuditEvent(
            "submission.\(draft.verdict.rawValue)", on: "submission", id.description,
            detail: Self.detail(draft, from: submission.state, overridesClaims: overridesClaims))
        return try await database.transaction(by: actor, event) { transaction in
            if !stages.isEmpty, respectsClaims, let item = try await transaction.queue.find(id), item.claimedBy != nil,
                item.claimedByID?.uuid != actor.id
            {
                throw try await Self.refusal(id, transaction)
            }
            if !stages.isEmpty, try await !transaction.approve(submission, stages, categories: categories) {
                if let account = actor.id { try await transaction.queue.release(id, by: ID(account)) }
                return DecisionOutcome(state: submission.state)
            }
            if submission.state == .pending {
                let respected = respectsClaims ? actor.id.map { ID<Account>($0) } : nil
                let isClaimed = try await transaction.decisions.addFromQueue(
                    submission.version + 1, on: id, draft, respectingClaimsExceptOf: respected,
                    assignedOnly: policy.assignedOnly, by: actor)
                if !isClaimed { throw try await Self.refusal(id, transaction) }
            } else {
                try await transaction.decisions.add(
                    submission.version + 1, on: id, verdict: draft.verdict.rawValue, reason: draft.reason?.rawValue,
                    message: draft.message, original: draft.original, by: actor)
            }
            return DecisionOutcome(state: draft.verdict.state, change: try await approval?.run(transaction))
        }
    }

    private static func refusal(_ id: ID<Submission>, _ transaction: AuditedTransaction) async throws -> Failure {
        guard let holder = try await transaction.queue.find(id) else {
            return .conflict(
                code: "already_decided", message: "Someone else has decided this submission in the meantime.")
        }
        if holder.claimedByID == nil || holder.claimedByID?.uuid == transaction.actor.id {
            let assignee =
                holder.assignedTo ?? holder.assignedRole.map { "any \($0.label.lowercased())" } ?? "someone else"
            return .forbidden("This submission is assigned to \(assignee).")
        }
        return .conflict(
            code: "claimed", message: "\(holder.claimedBy ?? "Someone else") has claimed this submission.")
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
