// An action on a submission that awaits review, with what it requires of the queue, and why the queue may refuse it.
import Domain

package struct QueueAction: Sendable {
    package let submission: ID<Submission>
    /// How many decisions the submission had when the action was chosen.
    package let version: Int
    package let actor: Actor
    /// Nil snoozes, assigns or prioritizes.
    package let decision: Decision.Draft?
    package let bulkAction: ID<BulkAction>?
    /// A submission whose changes were requested can be decided, but is not in the queue.
    package let isQueued: Bool
    /// Whether someone else's claim refuses the action.
    package let respectsClaims: Bool
    /// Whether an assignment to someone else, or to a role that the actor's does not include, refuses a decision. API
    /// clients and the program itself have no role and decide only what is not assigned.
    package let respectsAssignment: Bool

    package init(
        _ submission: ID<Submission>, version: Int, _ decision: Decision.Draft?, bulkAction: ID<BulkAction>? = nil,
        isQueued: Bool = true, respectsClaims: Bool = true, assignedOnly: Bool, by actor: Actor
    ) {
        self.submission = submission
        self.version = version
        self.decision = decision
        self.bulkAction = bulkAction
        self.isQueued = isQueued
        self.respectsClaims = respectsClaims
        // Administrators and operators may decide everything.
        respectsAssignment =
            assignedOnly && decision != nil && actor.kind != .operator
            && !(actor.role?.may(.administer) ?? false)
        self.actor = actor
    }
}

package enum QueueRefusal: String, Sendable {
    /// The failure of `appeal`.
    package static var ownAppeal: Failure {
        ConstraintRules.rule(for: "decision_appeal_by_another")?("") ?? .missing("submission")
    }

    /// It is no longer in the queue.
    case decided
    /// Someone else has claimed it, or has just decided it.
    case claimed
    /// It was decided and undone in the meantime.
    case changed
    /// It is assigned to someone else.
    case assigned
    /// The actor rejected it, and it is appealed.
    case appeal
}
