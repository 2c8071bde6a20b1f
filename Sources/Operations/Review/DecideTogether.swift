// Carries out decisions in one transaction: a single one, those of a bulk action, or approvals of several people that are
// published together. Each has its own actor, audit event and result; one that fails never blocks the others.
import Domain
import Localization
import Store

/// Each submission may occur once.
struct DecideTogether: Sendable {
    /// Why a decision was not carried out.
    enum Refusal: Error, Sendable {
        case queue(QueueRefusal)
        case failure(Failure)
    }

    private typealias Refusals = [ID<Submission>: Refusal]

    /// Thrown to undo an attempt: these can't be carried out.
    private struct Refused: Error {
        let reasons: Refusals
    }

    let transaction: AuditedTransaction

    /// Carries out one decision. An error ends the transaction.
    func callAsFunction(_ decision: ReviewDecision) async throws -> DecisionOutcome {
        do {
            let outcomes = try await run([decision], isAlone: true)
            return outcomes[decision.id] ?? DecisionOutcome(state: decision.draft.verdict.state)
        } catch let refused as Refused {
            switch refused.reasons[decision.id] {
            case .queue(let refusal): throw try await failure(for: refusal, decision.id)
            case .failure(let failure): throw failure
            case nil: throw refused
            }
        }
    }

    /// Carries out all decisions that can be; what is refused changes nothing and stays in the queue. Without `waits`,
    /// submissions that others have locked are refused, too.
    func callAsFunction(_ decisions: [ReviewDecision], waits: Bool = true) async throws -> [ID<Submission>: Result<
        DecisionOutcome, Refusal
    >] {
        var refused: Refusals = [:]
        for chunk in decisions.chunks(of: RunBulkAction.chunkSize) {
            let found = try await transaction.decisions.lock(chunk.map(\.action), waits: waits)
            refused.merge(Self.refusals(of: chunk, found)) { $1 }
        }
        var rest = decisions.filter { refused[$0.id] == nil }
        var outcomes: [ID<Submission>: DecisionOutcome] = [:]
        while !rest.isEmpty, outcomes.isEmpty {
            do {
                outcomes = try await transaction.attempt { [rest] in try await run(rest) }
            } catch let found as Refused {
                refused.merge(found.reasons) { $1 }
            } catch let failure as Failure where failure.isAboutOne {
                let found = try await findRefused(rest)
                if found.isEmpty { throw failure }
                refused.merge(found) { $1 }
            }
            rest.removeAll { refused[$0.id] != nil }
        }
        return outcomes.mapValues { .success($0) }.merging(refused.mapValues { .failure($0) }) { $1 }
    }

    private static func refusals(of decisions: [ReviewDecision], _ found: [QueueRefusal?]) -> Refusals {
        zip(decisions, found).reduce(into: [:]) { refusals, pair in
            if let refusal = pair.1 { refusals[pair.0.id] = .queue(refusal) }
        }
    }

    private func findRefused(_ decisions: [ReviewDecision]) async throws -> Refusals {
        try await transaction.findRefused(among: decisions) { error, decisions in
            switch error {
            case let refused as Refused: refused.reasons
            case let failure as Failure where failure.isAboutOne && decisions.count == 1:
                [decisions[0].id: .failure(failure)]
            default: nil
            }
        } write: { decisions in
            _ = try await decideAndWrite(decisions)
        }
    }

    /// Decides, writes and publishes all of them, or throws. For one alone, a rule that blocks its entry is an error.
    private func run(
        _ decisions: [ReviewDecision], isAlone: Bool = false
    ) async throws -> [ID<Submission>: DecisionOutcome] {
        let (written, partial) = try await decideAndWrite(decisions)
        let approved = written.filter(\.isApproved)
        var published: [PublishTiming: Published] = [:]
        for (timing, items) in Dictionary(grouping: approved, by: \.draft.publishTiming) {
            // One of those who approved: the actor of the transaction may be refused.
            let publisher = transaction.acting(as: items[0].draft.approver)
            let result = try await publisher.publish(
                items.map(\.revision.change), timing, leavingOutBlocked: !isAlone, title: Self.title(of: decisions))
            if let first = result.blocked.first {
                let messages = Dictionary(result.blocked.map { ($0.entry, $0.failure) }) { first, _ in first }
                let reasons = items.compactMap { item in
                    messages[item.revision.entry].map { (item.draft.submission.id, Refusal.failure($0)) }
                }
                if reasons.isEmpty { throw first.failure }
                throw Refused(reasons: Dictionary(reasons) { first, _ in first })
            }
            published[timing] = result
        }
        var outcomes = Dictionary(
            decisions.map { decision in
                let state = partial.contains(decision.id) ? decision.submission?.state : nil
                return (decision.id, DecisionOutcome(state: state ?? decision.draft.verdict.state))
            }
        ) { first, _ in first }
        for item in written {
            let result = item.isApproved ? published[item.draft.publishTiming] : nil
            outcomes[item.draft.submission.id]?.change = item.outcome(result ?? Published())
        }
        return outcomes
    }

    /// What the publication or release is called.
    private static func title(of decisions: [ReviewDecision]) -> String {
        if decisions[0].bulkAction != nil { return "\(decisions.count) approved in bulk" }
        if decisions.count == 1, let title = decisions[0].submission?.title { return title }
        return "\(decisions.count) approved together"
    }

    /// Returns what was written, and the submissions whose review stages need more approvals.
    private func decideAndWrite(
        _ decisions: [ReviewDecision]
    ) async throws -> (written: [WrittenApproval], partial: Set<ID<Submission>>) {
        var partial: Set<ID<Submission>> = []
        for chunk in decisions.chunks(of: RunBulkAction.chunkSize) {
            try await transaction.audit(chunk.map { ($0.event, $0.actor) })
            for decision in chunk {
                if try await !completesStages(decision) { partial.insert(decision.id) }
            }
            let complete = chunk.filter { !partial.contains($0.id) }
            if complete.isEmpty { continue }
            let refused = Self.refusals(of: complete, try await transaction.decisions.add(complete.map(\.action)))
            if !refused.isEmpty { throw Refused(reasons: refused) }
        }
        let approvals = decisions.filter { !partial.contains($0.id) }.compactMap(\.approval)
        return (try await transaction.write(approvals), partial)
    }

    /// Records the approval in its review stage. Whether all stages are complete, which they are without stages.
    private func completesStages(_ decision: ReviewDecision) async throws -> Bool {
        guard let approval = decision.approval, !decision.stages.allSatisfy(\.isDone) else { return true }
        let (id, transaction) = (decision.id, transaction.acting(as: decision.actor))
        if decision.respectsClaims, let item = try await transaction.queue.find(id), item.claimedBy != nil,
            item.claimedByID?.uuid != decision.actor.id
        {
            throw Refused(reasons: [id: .queue(.claimed)])
        }
        if try await transaction.approve(approval.submission, decision.stages, categories: approval.categories) {
            return true
        }
        if let account = decision.actor.id { try await transaction.queue.release(id, by: ID(account)) }
        return false
    }

    /// What a person is told who decides one submission.
    private func failure(for refusal: QueueRefusal, _ id: ID<Submission>) async throws -> Failure {
        if refusal == .appeal { return QueueRefusal.ownAppeal }
        guard refusal != .changed, let holder = try await transaction.queue.find(id) else {
            return .conflict(
                code: "already_decided", message: tr("Someone else has decided this submission in the meantime."))
        }
        if refusal == .assigned {
            return .forbidden(tr("This submission is assigned to \(holder.assigneeInText)."))
        }
        return .conflict(
            code: "claimed", message: tr("\(holder.claimedBy ?? "Someone else") has claimed this submission."))
    }
}

extension QueueRow {
    /// The person or role that it is assigned to, within a sentence.
    var assigneeInText: String {
        assignedTo ?? assignedRole.map { tr("any \($0.labelInText)", context: "written") } ?? tr("someone else")
    }
}
