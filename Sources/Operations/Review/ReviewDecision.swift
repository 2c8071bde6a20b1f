// A decision that somebody made on a submission, and its checks before the transaction.
import Domain
import Localization
import Store

struct ReviewDecision: Sendable {
    let id: ID<Submission>
    /// How many decisions the submission had when this one was made.
    let version: Int
    let draft: Decision.Draft
    let actor: Actor
    /// Required for an approval; without it, the submission is in the queue.
    var submission: SubmissionRow?
    var bulkAction: ID<BulkAction>?
    var respectsClaims = true
    let assignedOnly: Bool
    let event: AuditEvent
    /// Writes the entry of an approval.
    var approval: ApprovalDraft?
    /// The review stages of an approval.
    var stages: [StageProgress] = []

    /// A bulk action decides only what is in the queue.
    private var isQueued: Bool { bulkAction != nil || submission?.state != .changesRequested }

    var action: QueueAction {
        QueueAction(
            id, version: version, draft, bulkAction: bulkAction, isQueued: isQueued,
            respectsClaims: respectsClaims, assignedOnly: assignedOnly, by: actor)
    }
}

/// Checks approvals, which is safe before their transaction because submissions never change. Lookups are cached, so that
/// many approvals make each of them once.
struct PrepareDecisions: Sendable {
    private let database: any Stores
    private var prepare: PrepareApproval

    init(database: any Stores, rules: ContentRules) {
        self.database = database
        prepare = PrepareApproval(database: database, rules: rules)
    }

    /// The decision with what its transaction needs.
    mutating func callAsFunction(_ decision: ReviewDecision) async throws -> ReviewDecision {
        guard let prepared = try await self([decision]).first else { throw Failure.missing("submission") }
        return try prepared.result.get()
    }

    /// Each decision with what its transaction needs, or why it is refused, in their order.
    mutating func callAsFunction(
        _ decisions: [ReviewDecision]
    ) async throws -> [(id: ID<Submission>, result: Result<ReviewDecision, Failure>)] {
        var results: [(id: ID<Submission>, result: Result<ReviewDecision, Failure>)] = []
        for var decision in decisions {
            do {
                if decision.draft.verdict == .approve {
                    guard let submission = decision.submission else { throw Failure.missing("submission") }
                    decision.approval = try await prepare(submission, decision.draft, by: decision.actor)
                }
                results.append((decision.id, .success(decision)))
            } catch let failure as Failure {
                results.append((decision.id, .failure(failure)))
            }
        }
        let approvals = results.compactMap { try? $0.result.get().approval }
        if approvals.isEmpty { return results }
        let stages = try await database.reviewStages.stageProgress(
            approvals.map { ($0.submission.id, $0.categories) })
        return results.map { id, result in
            (id, result.flatMap { decision in Self.check(decision, stages[id] ?? []) })
        }
    }

    private static func check(
        _ decision: ReviewDecision, _ stages: [StageProgress]
    ) -> Result<ReviewDecision, Failure> {
        var decision = decision
        decision.stages = stages
        if decision.bulkAction != nil, !stages.allSatisfy(\.isDone) {
            return .failure(
                .refused(code: "rule", message: tr("Several people must approve this submission individually.")))
        }
        if decision.actor.kind == .client, !stages.isEmpty {
            return .failure(
                .refused(
                    code: "people_decide",
                    message: tr("This submission needs approvals from people. They approve it on its review page.")))
        }
        if stages.reduce(0, { $0 + $1.stage.requiredApprovals }) > 1, decision.draft.edits != nil,
            decision.draft.edits != decision.submission?.fields
        {
            return .failure(
                .refused(
                    code: "staged_edits",
                    message: tr("Several people must approve the same text, so it can't be edited during approval.")))
        }
        return .success(decision)
    }
}
