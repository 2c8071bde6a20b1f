// Agrees to a submission whose approval needs several yeses, and takes a yes back.
import Domain
import FoundationEssentials
import Store

package struct ApproveStage: Sendable {
    private let database: Database

    package init(database: Database) {
        self.database = database
    }

    /// Takes the actor's own yes back, until the submission is decided.
    package func unlist(_ id: ID<Submission>, by actor: Actor) async throws {
        try actor.require(.decide, "agree to submissions")
        guard let submission = try await database.submissions.find(id) else { throw Failure.missing("submission") }
        let event = AuditEvent("approval.withdraw", on: "submission", id.description)
        try await database.change(by: actor, event) { change in
            guard submission.state == .pending || submission.state == .changesRequested,
                try await change.reviewStages.unlist(id, version: submission.version, by: actor)
            else {
                throw Failure.conflict(code: "no_approval", message: "There is no yes of yours to take back.")
            }
        }
    }

    /// Puts a plan of stages in the place of the one that was there.
    package func plan(_ scope: ReviewScope, _ stages: [ReviewStage], by actor: Actor) async throws {
        try actor.require(.administer, "change the stages of reviews")
        try ReviewStage.check(stages)
        let name =
            switch scope {
            case .type(let name): name
            case .group(let id): id.description
            }
        let event = AuditEvent(
            "review.update", on: "review", name,
            detail: [
                "stages": .array(
                    stages.map {
                        .object([
                            "name": .string($0.name), "role": .string($0.role.rawValue),
                            "needed": .int(Int64($0.needed)),
                        ])
                    })
            ])
        try await database.change(by: actor, event) { try await $0.reviewStages.replace(scope, with: stages) }
    }
}

extension Change {
    /// Gives one yes in the first stage that is open; whether all have agreed then. Without stages they always have.
    func approve(to submission: SubmissionRow, _ stages: [StageProgress], categories: [ID<Entry>]) async throws -> Bool {
        if let open = stages.first(where: { !$0.isDone }) {
            try await reviewStages.approve(to: submission.id, in: open.id, version: submission.version, by: actor)
        } else {
            return true
        }
        let now = try await reviewStages.standings([(submission.id, categories)])[submission.id] ?? []
        return now.allSatisfy(\.isDone)
    }
}
