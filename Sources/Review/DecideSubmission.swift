// Decides about a submission: accept, reject, return or mark as duplicate, with everything that follows from it.
import Domain
import Store

/// What a decision led to, for the sentence that is shown after it.
package struct DecisionOutcome: Sendable {
    package let state: SubmissionState
    package let entry: ID<Entry>?
    package let isApproved: Bool
    package let publication: Int64?
    package let release: Int64?

    /// It was to be accepted, and more people have to agree before it is.
    package func isAgreement(_ verdict: Verdict) -> Bool { verdict == .approve && state != .approved }
}

package struct DecideSubmission: Sendable {
    private let database: Database
    private let rules: ContentRules
    private let bindsAssignees: Bool

    /// `bindsAssignees`: what was handed on is decided by whom it was handed to, or an administrator.
    package init(database: Database, rules: ContentRules, bindsAssignees: Bool = false) {
        self.database = database
        self.rules = rules
        self.bindsAssignees = bindsAssignees
    }

    /// Decides. `version` is the number of decisions the decider has seen (nil: does not matter); another number is a
    /// conflict. An accepted submission becomes an entry with an approved revision, in one transaction with the
    /// decision, its audit event and, when it is to go live now, the publication (R3, R4).
    package func callAsFunction(
        _ id: ID<Submission>, _ draft: Decision.Draft, version: Int?, by actor: Actor
    ) async throws -> DecisionOutcome {
        guard let submission = try await database.submissions.find(id) else { throw Failure.missing("submission") }
        return try await self(submission, draft, version: version, by: actor)
    }

    /// The same for a submission that was read already. With `respectsClaims` a lease that somebody else holds is a
    /// conflict that names its holder.
    package func callAsFunction(
        _ submission: SubmissionRow, _ draft: Decision.Draft, version: Int?, respectsClaims: Bool = false,
        by actor: Actor
    ) async throws -> DecisionOutcome {
        try actor.require(.decide, "decide about submissions")
        try await database.require(actor, worksOn: submission)
        let id = submission.id
        let overOthers = !respectsClaims && actor.kind == .account
        if let version, version != submission.version {
            throw Failure.conflict(code: "stale", message: "Someone else has decided about this submission meanwhile.")
        }
        try draft.check(on: submission.state)
        var approvalDraft: ApprovalDraft?
        if draft.verdict == .approve {
            var prepare = PrepareApproval(database: database, rules: rules, by: actor)
            approvalDraft = try await prepare(submission, draft)
        }
        let approved = approvalDraft
        let categories = approved?.categories ?? []
        let stages =
            approved == nil ? [] : try await database.reviewStages.standings([(id, categories)])[id] ?? []
        if actor.kind == .client, !stages.isEmpty {
            throw Failure.refused(
                code: "people_decide",
                message: "People with certain roles have to agree before this is accepted. They do so on its page.")
        }
        if stages.reduce(0, { $0 + $1.stage.needed }) > 1, draft.edits != nil, draft.edits != submission.fields {
            throw Failure.refused(
                code: "staged_edits",
                message:
                    "Several have to agree to the same text, so it is accepted as it came. Ask for changes instead.")
        }
        let event = AuditEvent(
            "submission.\(draft.verdict.rawValue)", on: "submission", id.description,
            detail: Self.detail(draft, from: submission.state, overOthers: overOthers))
        return try await database.change(by: actor, event) { change in
            if !stages.isEmpty, respectsClaims, let item = try await change.queue.find(id), item.claimedBy != nil,
                item.claimedByID?.uuid != actor.id
            {
                throw try await Self.refusal(id, change)
            }
            if !stages.isEmpty, try await !change.approve(to: submission, stages, categories: categories) {
                if let account = actor.id { try await change.queue.release(id, by: ID(account)) }
                return DecisionOutcome(
                    state: submission.state, entry: nil, isApproved: false, publication: nil, release: nil)
            }
            if submission.state == .pending {
                let respected = respectsClaims ? actor.id.map { ID<Account>($0) } : nil
                let isClaimed = try await change.decisions.addTaking(
                    submission.version + 1, on: id, draft, respectingOthersOf: respected,
                    bindsAssignees: bindsAssignees, by: actor)
                if !isClaimed { throw try await Self.refusal(id, change) }
            } else {
                try await change.decisions.add(
                    submission.version + 1, on: id, verdict: draft.verdict.rawValue, reason: draft.reason?.rawValue,
                    message: draft.message, original: draft.original, by: actor)
            }
            guard let approved else {
                return DecisionOutcome(
                    state: draft.verdict.state, entry: nil, isApproved: false, publication: nil, release: nil)
            }
            return try await approved.carryOut(change)
        }
    }

    private static func refusal(_ id: ID<Submission>, _ change: Change) async throws -> Failure {
        guard let holder = try await change.queue.find(id) else {
            return .conflict(code: "already_decided", message: "Someone else has decided this meanwhile.")
        }
        if holder.claimedByID == nil || holder.claimedByID?.uuid == change.actor.id {
            let who = holder.assignedTo ?? holder.assignedRole.map { "any \($0.label.lowercased())" } ?? "others"
            return .forbidden("This was handed on to \(who), who decides about it.")
        }
        return .conflict(
            code: "claimed", message: "\(holder.claimedBy ?? "Someone else") is looking at this submission now.")
    }

    private static func detail(
        _ draft: Decision.Draft, from state: SubmissionState, overOthers: Bool
    ) -> [String: JSONValue] {
        var detail: [String: JSONValue] = [
            "from": .string(state.rawValue), "to": .string(draft.verdict.state.rawValue),
        ]
        if let reason = draft.reason { detail["reason"] = .string(reason.rawValue) }
        if draft.edits != nil { detail["edited"] = .bool(true) }
        if overOthers { detail["over_claims"] = .bool(true) }
        switch draft.original {
        case .submission(let id): detail["original_submission"] = .string(id.description)
        case .entry(let id): detail["original_entry"] = .string(id.description)
        case nil: break
        }
        return detail
    }
}
