// Gathers approvals that wait for the publication lock: they share a transaction and a publication.
import Domain
import EventLoop
import Store
import Synchronization

/// The first approval is carried out alone. What arrives meanwhile waits, and is then carried out together, as concurrent
/// submissions share a commit; no timer is involved. What can't be carried out with the others falls out and is carried
/// out alone, once: it has its own error, in its own language, and the others are not refused with it.
package final class GatherApprovals: Sendable {
    /// Approvals of one publication. It bounds how long others wait, such as the publication of a release.
    static let limit = 64

    /// Who shares a transaction has the same rights, so nobody can use those of another one in it.
    private struct Rights: Hashable {
        let kind: Actor.Kind
        let role: Role?
    }

    private enum Outcome: Sendable {
        /// It is first in its line.
        case turn
        case decided(DecisionOutcome)
        /// It could not be carried out with the others.
        case fallsOut
        case failed(any Error)
    }

    private struct Waiting: Sendable {
        let decision: ReviewDecision
        let continuation: UnsafeContinuation<Outcome, Never>
    }

    private let database: Database
    /// The approvals that wait while others are carried out; nil where none is.
    private let lines = Mutex<[Rights: [Waiting]]>([:])

    package init(database: Database) {
        self.database = database
    }

    /// Carries out the decision; returns after the commit.
    func callAsFunction(_ decision: ReviewDecision) async throws -> DecisionOutcome {
        guard decision.canBeGathered else { return try await carryOut(decision) }
        // Others may carry it out, so it is although its client leaves.
        try CancelUntilCommit.willCommit()
        let rights = Rights(kind: decision.actor.kind, role: decision.actor.role)
        switch await outcome(of: decision, rights) {
        case .turn:
            defer { goOn(rights) }
            return try await carryOut(decision)
        case .decided(let outcome): return outcome
        case .fallsOut: return try await carryOut(decision)
        case .failed(let error): throw error
        }
    }

    private func carryOut(_ decision: ReviewDecision) async throws -> DecisionOutcome {
        try await database.work(as: decision.actor) { transaction in
            try await transaction.keepPlans()
            return try await DecideTogether(transaction: transaction)(decision)
        }
    }

    private func outcome(of decision: ReviewDecision, _ rights: Rights) async -> Outcome {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Outcome, Never>) in
            let isFirst = lines.withLock { lines -> Bool in
                if lines[rights] == nil {
                    lines[rights] = []
                    return true
                }
                lines[rights]?.append(Waiting(decision: decision, continuation: continuation))
                return false
            }
            if isFirst { continuation.resume(returning: .turn) }
        }
    }

    /// Starts what waits in this line.
    private func goOn(_ rights: Rights) {
        let batch = lines.withLock { lines -> [Waiting] in
            let (batch, rest) = Self.batch(lines[rights] ?? [])
            lines[rights] = batch.isEmpty ? nil : rest
            return batch
        }
        if batch.count == 1 {
            batch[0].continuation.resume(returning: .turn)
        } else if !batch.isEmpty {
            // A task without the values of a request, such as its language and access scope.
            Task.detached(executorPreference: EventLoop.current) { await self.carryOut(batch, rights) }
        }
    }

    /// The next ones, each submission once, and the rest.
    private static func batch(_ waiting: [Waiting]) -> (batch: [Waiting], rest: [Waiting]) {
        var (batch, rest): ([Waiting], [Waiting]) = ([], [])
        var submissions: Set<ID<Submission>> = []
        for one in waiting {
            if batch.count < limit, submissions.insert(one.decision.id).inserted {
                batch.append(one)
            } else {
                rest.append(one)
            }
        }
        return (batch, rest)
    }

    private func carryOut(_ batch: [Waiting], _ rights: Rights) async {
        let outcomes = await outcomes(of: batch.map(\.decision))
        // First, so that the database does not wait for the responses.
        goOn(rights)
        for one in batch { one.continuation.resume(returning: outcomes[one.decision.id] ?? .fallsOut) }
    }

    private func outcomes(of decisions: [ReviewDecision]) async -> [ID<Submission>: Outcome] {
        do {
            let results = try await database.work(as: decisions[0].actor) { transaction in
                try await transaction.keepPlans()
                // The others don't wait for a submission that somebody has locked, such as a bulk action.
                return try await DecideTogether(transaction: transaction)(decisions, waits: false)
            }
            return results.mapValues { result -> Outcome in
                switch result {
                case .success(let outcome): .decided(outcome)
                case .failure: .fallsOut
                }
            }
        } catch let failure as Failure {
            // Whether they were written is unknown.
            guard case .unavailable = failure else { return [:] }
            return Dictionary(decisions.map { ($0.id, Outcome.failed(failure)) }) { first, _ in first }
        } catch {
            return [:]
        }
    }

    /// How many wait, for tests.
    var waitingCount: Int { lines.withLock { $0.values.reduce(0) { $0 + $1.count } } }

    /// Whether one is carried out, for tests.
    var isBusy: Bool { lines.withLock { !$0.isEmpty } }
}

extension ReviewDecision {
    /// Whether it waits only for the publication lock, and can be written in a batch. Access scopes and review stages are
    /// checked at the commit, which would refuse all.
    fileprivate var canBeGathered: Bool {
        guard let approval, actor.authority == .request, actor.scope.isAll, stages.isEmpty else { return false }
        return approval.publishTiming == .now && approval.approves && approval.isBatchable && !approval.hasOwnSlug
    }
}
