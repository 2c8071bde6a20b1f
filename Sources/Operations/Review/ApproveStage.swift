// Records and withdraws one person's approval of a submission, and updates the review stages.
import Domain
import FoundationEssentials
import Localization
import Store

package struct ApproveStage: Sendable {
    let database: Database

    /// Withdraws the actor's own approval. Possible until the submission is decided.
    package func withdraw(_ id: ID<Submission>, by actor: Actor) async throws {
        try actor.require(.decide, tr("approve submissions"))
        guard let submission = try await database.submissions.find(id) else { throw Failure.missing("submission") }
        let event = AuditEvent("approval.withdraw", on: "submission", id.description)
        try await database.transaction(by: actor, event) { transaction in
            guard submission.state == .pending || submission.state == .changesRequested,
                try await transaction.reviewStages.withdrawApproval(id, version: submission.version, by: actor)
            else {
                throw Failure.conflict(code: "no_approval", message: tr("You have no approval to withdraw."))
            }
        }
    }

    /// Replaces the review stages of a content type or category group; an empty list removes them.
    package func update(_ scope: ReviewScope, _ stages: [ReviewStage], by actor: Actor) async throws {
        try actor.require(.administer, tr("change review stages"))
        try ReviewStage.check(stages)
        let name =
            switch scope {
            case .type(let name): name
            case .group(let id): id.description
            }
        let event = AuditEvent(
            "stage.update", on: "review_stage", name,
            detail: [
                "stages": .array(
                    stages.map {
                        .object([
                            "name": .string($0.name), "role": .string($0.role.name),
                            "required_approvals": .int(Int64($0.requiredApprovals)),
                        ])
                    })
            ])
        try await database.transaction(by: actor, event) { try await $0.reviewStages.replace(scope, with: stages) }
    }
}

extension AuditedTransaction {
    /// Records one approval in the first open stage. Returns whether all stages are complete, which they are without stages.
    func approve(_ submission: SubmissionRow, _ stages: [StageProgress], categories: [ID<Entry>]) async throws -> Bool {
        if let open = stages.first(where: { !$0.isDone }) {
            try await reviewStages.addApproval(to: submission.id, in: open.id, version: submission.version, by: actor)
        } else {
            return true
        }
        let progress = try await reviewStages.stageProgress([(submission.id, categories)])[submission.id] ?? []
        return progress.allSatisfy(\.isDone)
    }
}
