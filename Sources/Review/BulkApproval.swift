// Approves many submissions in one transaction and leaves out the ones that can't be approved, with their reasons.
import Domain
import Platform
import Publishing
import Store

struct BulkApproval: Sendable {
    /// A locked submission of the bulk action with its checked approval.
    struct Item: Sendable {
        let id: ID<Submission>
        /// The number of its decisions.
        let version: Int
        let approvalDraft: ApprovalDraft
    }

    private typealias Approved = (change: LiveChange, submission: ID<Submission>)

    let id: ID<BulkAction>
    let draft: Decision.Draft
    let transaction: AuditedTransaction

    /// Decides, writes and publishes all of them. What can't be written or published is skipped with its reason and stays
    /// in the queue; the rest is approved without it.
    func approve(_ items: [Item]) async throws {
        var rest = items
        while !rest.isEmpty {
            let refused: [(id: ID<Submission>, reason: String)]
            do {
                let done = try await transaction.attempt { [rest] in try await publish(rest) }
                return try await transaction.bulkActions.record(
                    publication: done.publication, release: done.release, of: id)
            } catch let blocked as Blocked {
                refused = blocked.reasons
            } catch let failure as Failure where failure.isAboutOne {
                refused = try await findRefused(rest)
                if refused.isEmpty { throw failure }
            }
            try await transaction.bulkActions.skip(refused, in: id)
            let ids = Set(refused.map(\.id))
            rest.removeAll { ids.contains($0.id) }
        }
    }

    /// Thrown to undo an attempt: these can't be published.
    private struct Blocked: Error {
        let reasons: [(id: ID<Submission>, reason: String)]
    }

    /// Thrown to undo an attempt that could be written.
    private struct Written: Error {}

    private func publish(_ items: [Item]) async throws -> (publication: Int64?, release: Int64?) {
        let approved = try await decideAndWrite(items)
        if approved.isEmpty { return (nil, nil) }
        let published = try await transaction.publish(
            approved.map(\.change), draft.publishTiming, leavingOutBlocked: true,
            title: "\(items.count) approved in bulk")
        if published.blocked.isEmpty { return (published.publication, published.release) }
        let submissions = Dictionary(approved.map { ($0.change.entry, $0.submission) }) { first, _ in first }
        throw Blocked(
            reasons: published.blocked.compactMap { entry in
                entry.entry.flatMap { submissions[$0] }.map { (id: $0, reason: entry.message) }
            })
    }

    /// The submissions that can't be written, found by halves, so that a few among many take few attempts.
    private func findRefused(_ items: [Item]) async throws -> [(id: ID<Submission>, reason: String)] {
        do {
            try await transaction.attempt {
                _ = try await decideAndWrite(items)
                throw Written()
            }
            return []
        } catch is Written {
            return []
        } catch let failure as Failure where failure.isAboutOne {
            if items.count == 1 { return [(items[0].id, failure.sentence)] }
            let half = items.count / 2
            return try await findRefused(Array(items[..<half])) + findRefused(Array(items[half...]))
        }
    }

    private func decideAndWrite(_ items: [Item]) async throws -> [Approved] {
        for chunk in items.chunks(of: RunBulkAction.chunkSize) {
            try await transaction.bulkActions.decide(
                chunk.map { (id: $0.id, version: $0.version) }, in: id, draft, by: transaction.actor)
        }
        return try await write(items.map(\.approvalDraft))
    }

    /// Writes entries and revisions, in batches where possible. Returns the approved revisions with their submissions.
    private func write(_ approvalDrafts: [ApprovalDraft]) async throws -> [Approved] {
        var approved: [Approved] = []
        for approvalDraft in approvalDrafts where !approvalDraft.isBatchable {
            let (written, isApproved) = try await approvalDraft.write(transaction)
            if isApproved { approved.append((written.change, approvalDraft.submission.id)) }
        }
        let batchable = Dictionary(grouping: approvalDrafts.filter(\.isBatchable), by: \.type.name)
        for (_, all) in batchable.sorted(by: { $0.key < $1.key }) {
            for chunk in all.chunks(of: RunBulkAction.chunkSize) {
                approved += try await write(batch: chunk)
            }
        }
        return approved
    }

    /// Writes new entries of one type in a few statements.
    private func write(batch: [ApprovalDraft]) async throws -> [Approved] {
        guard let first = batch.first else { return [] }
        var drafts: [ImportedDraft] = []
        for approvalDraft in batch {
            drafts.append(
                ImportedDraft(
                    entry: ID(UUIDv7.make()), revision: ID(UUIDv7.make()), base: 0,
                    content: try await transaction.media.completing(approvalDraft.content, of: approvalDraft.type),
                    texts: approvalDraft.texts, submission: approvalDraft.submission.id,
                    isApproved: approvalDraft.approves))
        }
        try await transaction.write(
            drafts, type: first.type, source: nil, note: ApprovalDraft.note, author: first.author)
        return zip(drafts, batch).filter(\.0.isApproved).map {
            (LiveChange(entry: $0.entry, revision: $0.revision), $1.submission.id)
        }
    }
}

extension Failure {
    /// Whether it can be about one of several submissions, so that the others may go on without it.
    fileprivate var isAboutOne: Bool {
        switch self {
        case .invalid, .missing, .forbidden, .refused, .stale: true
        case .conflict(let code, _): code != "busy"
        case .unavailable: false
        }
    }
}

extension ApprovalDraft {
    /// Whether it is a new entry whose revision needs no derived rows and only one approval, so that it can be written in
    /// a batch.
    fileprivate var isBatchable: Bool {
        submission.entry == nil && type.requiredApprovals <= 1 && content.catalogUses(of: type).isEmpty
            && !type.fields.contains { $0.type == .path }
    }
}
