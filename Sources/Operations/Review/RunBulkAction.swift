// Runs a planned bulk action in one transaction of a few statements for each chunk.
import Domain
import Localization
import Platform
import Store

package struct RunBulkAction: Sendable {
    /// Rows per statement, so that none takes long.
    static let chunkSize = 500

    let database: Database
    let rules: ContentRules
    let policy: ReviewPolicy

    /// Records the result of every item in the bulk action. Running it a second time is a conflict.
    package func callAsFunction(_ id: ID<BulkAction>, _ request: BulkActionRequest, by actor: Actor) async throws
        -> BulkActionRow
    {
        try actor.require(.decide, tr("decide submissions"))
        guard let bulkAction = try await database.bulkActions.find(id) else { throw Failure.missing(tr("bulk action")) }
        try bulkAction.requirePlan(.submission, by: actor)
        try await check(request, bulkAction.action)
        let event = AuditEvent(
            "bulk_action.\(bulkAction.action.rawValue)", on: "bulk_action", id.description,
            detail: Self.detail(request).merging(["planned": .int(Int64(bulkAction.size))]) { $1 })
        let planned = try await database.bulkActions.planned(id)
        if case .decide(let draft) = request {
            try await decide(planned, in: id, try await policy.delayed(draft, database), event, by: actor)
        } else {
            try await database.transaction(by: actor, event) { transaction in
                guard try await transaction.bulkActions.startRun(id) else { throw BulkActionRow.alreadyRun }
                try await Self.edit(planned, request, in: id, transaction)
            }
        }
        return try await database.bulkActions.find(id).orMissing(tr("bulk action"))
    }

    private func check(_ request: BulkActionRequest, _ action: BulkActionKind) async throws {
        switch request {
        case .decide(let draft):
            guard draft.verdict.rawValue == action.rawValue else { throw Failure.missing(tr("bulk action")) }
            try draft.check(on: .pending)
            if !draft.fieldNotes.isEmpty {
                throw Failure.invalid(
                    FieldErrors("/field_notes", "unknown_field", tr("Notes at fields are for one submission.")))
            }
        case .snooze(let time):
            guard action == .snooze else { throw Failure.missing(tr("bulk action")) }
            try await time?.checkIsFuture(database)
        case .assign(let assignee, let note):
            guard action == .assign else { throw Failure.missing(tr("bulk action")) }
            _ = try await TriageSubmission.account(assignee, database)
            if let note { _ = try StaffNote.check(note) }
        case .update: guard action == .update else { throw Failure.missing(tr("bulk action")) }
        }
    }

    /// Snoozes, assigns or prioritizes the submissions that the queue does not refuse.
    private static func edit(
        _ planned: [(id: ID<Submission>, version: Int)], _ request: BulkActionRequest, in id: ID<BulkAction>,
        _ transaction: AuditedTransaction
    ) async throws {
        let refusals = try await transaction.decisions.lock(
            planned.map { QueueAction($0.id, version: $0.version, nil, assignedOnly: false, by: transaction.actor) })
        let results = zip(planned, refusals).map { item, refusal in
            refusal.map { BulkActionResult.skipped(item.id, $0.rawValue) } ?? .done(item.id)
        }
        let ids = zip(planned, refusals).filter { $1 == nil }.map(\.0.id)
        try await transaction.bulkActions.keepValues(of: ids, in: id)
        try await transaction.bulkActions.finish(results, of: id)
        let action: String
        switch request {
        case .decide: return
        case .snooze(let time):
            action = time == nil ? "submission.unsnooze" : "submission.snooze"
            _ = try await transaction.queue.snooze(ids, until: time)
        case .assign(let assignee, let note):
            action = "submission.assign"
            _ = try await transaction.queue.assign(ids, to: assignee)
            if let note {
                let mentioned = assignee?.account.map { [$0] } ?? []
                try await transaction.notes.add(
                    note, .assign, on: ids.map { .submission($0) }, mentioning: mentioned, by: transaction.actor)
            }
        case .update(let priority):
            action = "submission.update"
            _ = try await transaction.queue.setPriority(ids, priority)
        }
        try await transaction.audit(ids.map { (.part(action, of: id, $0), transaction.actor) })
    }

    /// Everything slow happens before the transaction.
    private func decide(
        _ planned: [(id: ID<Submission>, version: Int)], in id: ID<BulkAction>, _ draft: Decision.Draft,
        _ event: AuditEvent, by actor: Actor
    ) async throws {
        var prepare = PrepareDecisions(database: database, rules: rules)
        var prepared: [(id: ID<Submission>, result: Result<ReviewDecision, Failure>)] = []
        for chunk in planned.chunks(of: Self.chunkSize) {
            let rows = draft.verdict == .approve ? try await database.submissions.find(chunk.map(\.id)) : []
            let submissions = Dictionary(rows.map { ($0.id, $0) }) { first, _ in first }
            prepared += try await prepare(
                chunk.map { item in
                    ReviewDecision(
                        id: item.id, version: item.version, draft: draft, actor: actor,
                        submission: submissions[item.id], bulkAction: id, assignedOnly: policy.assignedOnly,
                        event: .part("submission.\(draft.verdict.rawValue)", of: id, item.id))
                })
        }
        try await database.transaction(by: actor, event) { [prepared] transaction in
            guard try await transaction.bulkActions.startRun(id) else { throw BulkActionRow.alreadyRun }
            let results = try await DecideTogether(transaction: transaction)(
                prepared.compactMap { try? $0.result.get() })
            let changes = results.values.compactMap { try? $0.get().change }
            let change = changes.first { $0.publication != nil || $0.release != nil }
            try await transaction.bulkActions.finish(
                prepared.map { item in
                    Self.reason(item.result, results[item.id]).map { .skipped(item.id, $0) } ?? .done(item.id)
                },
                publication: change?.publication, release: change?.release, of: id)
        }
    }

    /// Why a decision was skipped; nil when it was carried out.
    private static func reason(
        _ prepared: Result<ReviewDecision, Failure>, _ result: Result<DecisionOutcome, DecideTogether.Refusal>?
    ) -> String? {
        switch (prepared, result) {
        case (.failure(let failure), _), (_, .failure(.failure(let failure))): failure.sentence
        case (_, .failure(.queue(let refusal))): refusal.rawValue
        case (.success, _): nil
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
