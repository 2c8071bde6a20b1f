// Reads what a person may do with a submission now, so that its pages show only forms that are not refused.
import Domain
import Localization
import Store

/// What a person may do with a submission now. The operations check the same rules again.
package struct ReviewPermissions: Sendable {
    /// Why a form would be refused.
    package enum Refusal: Sendable, Equatable {
        /// The role can't decide.
        case role(String)
        /// The data of the contributor was erased.
        case erased
        /// It is assigned to somebody else, and only the assignee decides.
        case assigned(to: String)
        /// The person rejected it, and it is appealed.
        case ownRejection
        /// In review stages: the person submitted it.
        case ownSubmission
        /// In review stages: the person has approved it.
        case approved
        /// The open review stage requires another role.
        case stage(String, people: String, role: String)

        package var sentence: String {
            switch self {
            case .role(let role): tr("Your role (\(role)) can't decide submissions.")
            case .erased: tr("The data of the contributor was erased, so this can't be decided again.")
            case .assigned(let assignee):
                tr("This submission is assigned to \(assignee). Only an assignee or an administrator can decide it.")
            case .ownRejection:
                tr("You rejected this submission. Another person or an administrator must decide the appeal.")
            case .ownSubmission: tr("You can't approve your own submission.")
            case .approved: tr("You already approved this. Another person must approve it too.")
            case .stage(let name, let people, let role):
                tr("The stage “\(name)” requires approvals by \(people). Your role (\(role)) can't approve it.")
            }
        }
    }

    /// What approving into the categories of one group takes, where groups have stages of their own.
    struct GroupStages: Sendable {
        /// The title of the group.
        let title: String
        let stages: [StageProgress]
    }

    /// Nil unless it is in the queue.
    package let queued: QueueRow?
    /// Those of the submission, if it awaits a decision.
    package let stages: [StageProgress]
    /// The approvals in these stages.
    package let approvals: [SubmissionApprovalRow]
    /// Claims, assigns, snoozes and writes notes.
    package let mayReview: Bool
    /// Why the person can't reject it, request changes or mark it as a duplicate; nil if they can, or if it is decided.
    package let decision: Refusal?
    /// Why they can't approve it, into whatever categories; nil if they can, or if it is decided.
    package let approval: Refusal?
    /// Into which category groups they can approve it, and why not into the others; nil unless that depends on the
    /// group.
    package let groupHint: String?
    /// Their approval is recorded, and others must approve it, too.
    package let isPartialApproval: Bool
    /// Whether it may be edited while it is approved: several people approve the same text.
    package let mayEdit: Bool
    /// Why they can't undo its latest decision; nil if they can.
    package let undo: String?

    init(
        _ submission: SubmissionRow, _ actor: Actor, _ policy: ReviewPolicy, queued: QueueRow?,
        stages: [StageProgress], groups: [GroupStages], approvals: [SubmissionApprovalRow],
        obstacles: DecisionObstacles
    ) {
        self.queued = queued
        self.stages = stages
        self.approvals = approvals
        let role = actor.role?.labelInText ?? actor.name
        mayReview = actor.may(.decide)
        func refusal(_ stages: [StageProgress]) -> Refusal? {
            Self.refusal(stages, approvals, actor, role, isOwn: obstacles.isOwnSubmission)
        }
        let suggested = refusal(stages)
        let byGroup = groups.map { (title: $0.title, stages: $0.stages, refusal: refusal($0.stages)) }
        // A person who approved the text doesn't approve it again into other categories.
        let other = suggested == nil || suggested == .approved ? nil : byGroup.first { $0.refusal == nil }
        let staged = other == nil ? suggested : nil
        let likely = other?.stages ?? stages
        isPartialApproval = likely.reduce(0) { $0 + max(0, $1.stage.requiredApprovals - $1.approvals) } > 1
        mayEdit = likely.reduce(0) { $0 + $1.stage.requiredApprovals } <= 1
        groupHint =
            staged == nil
            ? Self.groupHint(byGroup.filter { $0.refusal == nil }.map(\.title), byGroup.compactMap(\.refusal)) : nil
        let barred: Refusal? =
            if !mayReview { .role(role) } else if obstacles.isErased { .erased } else { nil }
        undo = barred?.sentence ?? obstacles.undo?.failure.sentence
        if Decision.verdicts(in: submission.state).isEmpty {
            (decision, approval) = (nil, nil)
            return
        }
        let general: Refusal? = barred ?? (obstacles.isOwnRejection ? .ownRejection : nil)
        // Administrators may decide everything.
        let isBound = policy.assignedOnly && !actor.may(.administer) && obstacles.isAssignedToOthers
        let assigned = isBound ? queued.map { Refusal.assigned(to: $0.assigneeInText) } : nil
        decision = general ?? assigned
        // An approval that is not the last one decides nothing, so it is not the assignee's alone.
        approval = general ?? staged ?? (isPartialApproval ? nil : assigned)
    }

    /// Why the person can't approve in the first open one of these stages; nil if they can, or if all are complete.
    private static func refusal(
        _ stages: [StageProgress], _ approvals: [SubmissionApprovalRow], _ actor: Actor, _ role: String, isOwn: Bool
    ) -> Refusal? {
        guard let open = stages.first(where: { !$0.isDone })?.stage else { return nil }
        if approvals.contains(where: { $0.byID == actor.rowID }) { return .approved }
        if isOwn { return .ownSubmission }
        if actor.role?.includes(open.role) == false {
            return .stage(open.name, people: open.role.people, role: role)
        }
        return nil
    }

    private static func groupHint(_ allowed: [String], _ refusals: [Refusal]) -> String? {
        guard !allowed.isEmpty, let first = refusals.first else { return nil }
        let names = allowed.joined(separator: ", ")
        return tr("You can approve this only into categories of the group \(names).") + " " + first.sentence
    }
}

package struct ReadReviewPermissions: Sendable {
    let database: Database
    let rules: ContentRules
    let policy: ReviewPolicy

    package func callAsFunction(_ submission: SubmissionRow, by actor: Actor) async throws -> ReviewPermissions {
        async let queued = database.queue.find(submission.id)
        async let obstacles = database.decisions.obstacles(
            to: actor, on: submission.id, graceMinutes: policy.undoWindowMinutes)
        let stages = try await stages(of: submission)
        let groups = try await groups(of: submission)
        let approvals =
            stages.isEmpty && groups.isEmpty
            ? [] : try await database.reviewStages.approvals(of: submission.id, version: submission.version)
        guard let found = try await obstacles else { throw Failure.missing("submission") }
        return ReviewPermissions(
            submission, actor, policy, queued: try await queued, stages: stages, groups: groups, approvals: approvals,
            obstacles: found)
    }

    /// The submissions among these whose latest decision the actor can undo.
    package func undoable(_ submissions: [ID<Submission>], by actor: Actor) async throws -> Set<ID<Submission>> {
        if !actor.may(.decide) { return [] }
        let refusals = try await database.decisions.undoRefusals(
            of: submissions, graceMinutes: policy.undoWindowMinutes, by: actor)
        return Set(submissions).subtracting(refusals.keys)
    }

    private func stages(of submission: SubmissionRow) async throws -> [StageProgress] {
        guard !Decision.verdicts(in: submission.state).isEmpty else { return [] }
        return try await database.stageProgress(approving: [(submission.id, submission.requestedCategory)])[
            submission.id] ?? []
    }

    /// What each category group takes; empty if no group has stages, and where categories can't be chosen.
    private func groups(of submission: SubmissionRow) async throws -> [ReviewPermissions.GroupStages] {
        guard !Decision.verdicts(in: submission.state).isEmpty,
            rules.types[submission.type]?.field("categories") != nil,
            try await database.reviewStages.list().contains(where: \.scope.isGroup)
        else { return [] }
        let groups = try await database.entries.choices(.categoryGroup)
        let progress = try await database.reviewStages.stageProgress(
            of: submission.id, version: submission.version, in: groups.map(\.id))
        return groups.map { ReviewPermissions.GroupStages(title: $0.title, stages: progress[$0.id] ?? []) }
    }
}
