// Runs a planned bulk action in one transaction of a few statements.
import Domain
import Platform
import Store

package struct RunBulkAction: Sendable {
    /// Rows per statement, so that none takes long.
    static let chunkSize = 500

    private let database: Database
    private let rules: ContentRules
    private let policy: ReviewPolicy

    package init(database: Database, rules: ContentRules, policy: ReviewPolicy) {
        self.database = database
        self.rules = rules
        self.policy = policy
    }

    /// Records the result of every item in the bulk action. Running it a second time is a conflict.
    package func callAsFunction(_ id: ID<BulkAction>, _ request: BulkActionRequest, by actor: Actor) async throws
        -> BulkActionRow
    {
        try actor.require(.decide, "decide submissions")
        guard let bulkAction = try await database.bulkActions.find(id) else { throw Failure.missing("bulk action") }
        guard bulkAction.createdByID == actor.rowID else {
            throw Failure.forbidden("Only \(bulkAction.createdBy) may run this bulk action.")
        }
        guard bulkAction.doneAt == nil else { throw Self.alreadyRun }
        try await check(request, bulkAction.action)
        let event = AuditEvent(
            "bulk_action.\(bulkAction.action.rawValue)", on: "bulk_action", id.description,
            detail: Self.detail(request).merging(["planned": .int(Int64(bulkAction.size))]) { $1 })
        switch request {
        case .decide(let draft) where draft.verdict == .approve:
            try await approve(bulkAction, try await policy.delayed(draft, database), event, by: actor)
        default:
            try await database.transaction(by: actor, event) { transaction in
                guard try await transaction.bulkActions.startRun(id) else { throw Self.alreadyRun }
                let held = try await transaction.bulkActions.lockItems(
                    id, for: actor, assignedOnly: policy.assignedOnly)
                try await Self.apply(request, to: held, in: id, transaction)
            }
        }
        guard let done = try await database.bulkActions.find(id) else { throw Failure.missing("bulk action") }
        return done
    }

    private static let alreadyRun = Failure.conflict(
        code: "already_done", message: "This bulk action has already run. Nothing was changed.")

    private func check(_ request: BulkActionRequest, _ action: BulkActionKind) async throws {
        switch request {
        case .decide(let draft):
            guard draft.verdict.rawValue == action.rawValue else { throw Failure.missing("bulk action") }
            try draft.check(on: .pending)
        case .snooze(let time):
            guard action == .snooze else { throw Failure.missing("bulk action") }
            try await time?.checkIsFuture(database)
        case .assign(let assignee, let note):
            guard action == .assign else { throw Failure.missing("bulk action") }
            _ = try await TriageSubmission.account(assignee, database)
            if let note { _ = try StaffNote.check(note) }
        case .update: guard action == .update else { throw Failure.missing("bulk action") }
        }
    }

    private static func apply(
        _ request: BulkActionRequest, to locked: [(id: ID<Submission>, version: Int)], in id: ID<BulkAction>,
        _ transaction: AuditedTransaction
    ) async throws {
        let ids = locked.map(\.id)
        switch request {
        case .decide(let draft):
            for chunk in locked.chunks(of: chunkSize) {
                try await transaction.bulkActions.decide(chunk, in: id, draft, by: transaction.actor)
            }
        case .snooze(let time):
            let action = time == nil ? "submission.unsnooze" : "submission.snooze"
            try await transaction.bulkActions.recordEdits(ids, in: id, action: action, by: transaction.actor)
            _ = try await transaction.queue.snooze(ids, until: time)
        case .assign(let assignee, let note):
            try await transaction.bulkActions.recordEdits(
                ids, in: id, action: "submission.assign", by: transaction.actor)
            _ = try await transaction.queue.assign(ids, to: assignee)
            if let note {
                let mentioned = assignee?.account.map { [$0] } ?? []
                try await transaction.notes.add(note, .assign, on: ids, mentioning: mentioned, by: transaction.actor)
            }
        case .update(let priority):
            try await transaction.bulkActions.recordEdits(
                ids, in: id, action: "submission.update", by: transaction.actor)
            _ = try await transaction.queue.setPriority(ids, priority)
        }
    }

    // MARK: Approving

    /// Everything slow happens before the transaction, which is safe because submissions never change.
    private func approve(_ bulkAction: BulkActionRow, _ draft: Decision.Draft, _ event: AuditEvent, by actor: Actor)
        async throws
    {
        var prepare = PrepareApproval(database: database, rules: rules, by: actor)
        var prepared: [ID<Submission>: ApprovalDraft] = [:]
        var refused: [(id: ID<Submission>, reason: String)] = []
        var position = 0
        while true {
            let items = try await database.bulkActions.items(of: bulkAction.id, after: position, limit: Self.chunkSize)
            guard let last = items.last else { break }
            position = last.position
            for submission in try await database.submissions.find(items.map(\.id)) {
                do {
                    prepared[submission.id] = try await prepare(submission, draft)
                } catch let failure as Failure {
                    refused.append((submission.id, failure.sentence))
                }
            }
        }
        let staged = try await database.reviewStages.stageProgress(prepared.map { ($0, $1.categories) })
        for (id, stages) in staged where stages.contains(where: { !$0.isDone }) {
            prepared[id] = nil
            refused.append(
                (id, "Several people must approve this submission individually."))
        }
        let (approvalDrafts, skipped) = (prepared, refused)
        try await database.transaction(by: actor, event) { transaction in
            guard try await transaction.bulkActions.startRun(bulkAction.id) else { throw Self.alreadyRun }
            let locked = try await transaction.bulkActions.lockItems(
                bulkAction.id, for: actor, assignedOnly: policy.assignedOnly)
            let lockedIDs = Set(locked.map(\.id))
            try await transaction.bulkActions.skip(skipped.filter { lockedIDs.contains($0.id) }, in: bulkAction.id)
            let items = locked.compactMap { item in
                approvalDrafts[item.id].map {
                    BulkApproval.Item(id: item.id, version: item.version, approvalDraft: $0)
                }
            }
            try await BulkApproval(id: bulkAction.id, draft: draft, transaction: transaction).approve(items)
        }
    }

    private static func detail(_ request: BulkActionRequest) -> [String: JSONValue] {
        switch request {
        case .decide(let draft): draft.reason.map { ["reason": .string($0.rawValue)] } ?? [:]
        case .snooze(let time): ["until": time.map { .string($0.text) } ?? .null]
        case .assign(let assignee, _): ["to": assignee.map { .string($0.text) } ?? .null]
        case .update(let priority): ["priority": .string(priority.name)]
        }
    }
}

extension Array {
    func chunks(of size: Int) -> [[Element]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}
