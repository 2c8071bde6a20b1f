// Does what was planned with many submissions, in one transaction of a few statements.
import Domain
import Platform
import Store

package struct RunBulkAction: Sendable {
    /// Rows of one statement, so that none takes long.
    private static let chunk = 500

    private let database: Database
    private let rules: ContentRules
    private let bindsAssignees: Bool

    /// `bindsAssignees`: what was handed on is decided by whom it was handed to.
    package init(database: Database, rules: ContentRules, bindsAssignees: Bool = false) {
        self.database = database
        self.rules = rules
        self.bindsAssignees = bindsAssignees
    }

    /// What could be done of it stands in the batch afterwards, item by item. One that was done before is a conflict.
    package func callAsFunction(_ id: ID<BulkAction>, _ request: BulkActionRequest, by actor: Actor) async throws -> BulkActionRow {
        try actor.require(.decide, "decide about submissions")
        guard let bulkAction = try await database.bulkActions.find(id) else { throw Failure.missing("bulk_action") }
        guard bulkAction.createdByID == actor.rowID else { throw Failure.forbidden("Only \(bulkAction.createdBy) may do this.") }
        guard bulkAction.doneAt == nil else { throw Self.doneBefore }
        try await check(request, bulkAction.action)
        let event = AuditEvent(
            "bulk_action.\(bulkAction.action.rawValue)", on: "bulk_action", id.description,
            detail: Self.detail(request).merging(["planned": .int(Int64(bulkAction.size))]) { $1 })
        switch request {
        case .decide(let draft) where draft.verdict == .approve: try await approve(bulkAction, draft, event, by: actor)
        default:
            try await database.change(by: actor, event) { change in
                guard try await change.bulkActions.begin(id) else { throw Self.doneBefore }
                let held = try await change.bulkActions.hold(id, for: actor, bindsAssignees: bindsAssignees)
                try await Self.carryOut(request, held, id, change)
            }
        }
        guard let done = try await database.bulkActions.find(id) else { throw Failure.missing("bulk_action") }
        return done
    }

    private static let doneBefore = Failure.conflict(
        code: "already_done", message: "This was done before. Nothing was done twice.")

    private func check(_ request: BulkActionRequest, _ action: BulkActionKind) async throws {
        switch request {
        case .decide(let draft):
            guard draft.verdict.rawValue == action.rawValue else { throw Failure.missing("bulk_action") }
            try draft.check(on: .pending)
        case .snooze(let time):
            guard action == .snooze else { throw Failure.missing("bulk_action") }
            try await time?.checkIsToCome(database)
        case .assign(let assignee, let words):
            guard action == .assign else { throw Failure.missing("bulk_action") }
            _ = try await TriageSubmission.person(assignee, database)
            if let words { _ = try StaffNote.check(words) }
        case .rank: guard action == .rank else { throw Failure.missing("bulk_action") }
        }
    }

    private static func carryOut(
        _ request: BulkActionRequest, _ held: [(id: ID<Submission>, version: Int)], _ id: ID<BulkAction>, _ change: Change
    ) async throws {
        let ids = held.map(\.id)
        switch request {
        case .decide(let draft):
            for part in held.chunks(of: chunk) {
                try await change.bulkActions.decide(part, in: id, draft, by: change.actor)
            }
        case .snooze(let time):
            let action = time == nil ? "submission.unsnooze" : "submission.snooze"
            try await change.bulkActions.keep(ids, in: id, action: action, by: change.actor)
            _ = try await change.queue.snooze(ids, until: time)
        case .assign(let assignee, let words):
            try await change.bulkActions.keep(ids, in: id, action: "submission.assign", by: change.actor)
            _ = try await change.queue.assign(ids, to: assignee)
            if let words {
                let person = assignee?.account.map { [$0] } ?? []
                try await change.notes.add(words, .assign, on: ids, mentioning: person, by: change.actor)
            }
        case .rank(let priority):
            try await change.bulkActions.keep(ids, in: id, action: "submission.update", by: change.actor)
            _ = try await change.queue.rank(ids, priority)
        }
    }

    // MARK: Accepting

    /// All that takes time is done before the transaction: submissions never change.
    private func approve(_ bulkAction: BulkActionRow, _ draft: Decision.Draft, _ event: AuditEvent, by actor: Actor) async throws {
        var prepare = PrepareApproval(database: database, rules: rules, by: actor)
        var prepared: [ID<Submission>: ApprovalDraft] = [:]
        var refused: [(id: ID<Submission>, reason: String)] = []
        var place = 0
        while true {
            let items = try await database.bulkActions.items(of: bulkAction.id, after: place, limit: Self.chunk)
            guard let last = items.last else { break }
            place = last.place
            for submission in try await database.submissions.find(items.map(\.id)) {
                do {
                    prepared[submission.id] = try await prepare(submission, draft)
                } catch let failure as Failure {
                    refused.append((submission.id, failure.sentence))
                }
            }
        }
        let staged = try await database.reviewStages.standings(prepared.map { ($0, $1.categories) })
        for (id, stages) in staged where stages.contains(where: { !$0.isDone }) {
            prepared[id] = nil
            refused.append(
                (id, "Several people have to agree to this. Approve it on its own page, or with \"queue agree\"."))
        }
        let (approvalDrafts, skipped) = (prepared, refused)
        try await database.change(by: actor, event) { change in
            guard try await change.bulkActions.begin(bulkAction.id) else { throw Self.doneBefore }
            let held = try await change.bulkActions.hold(
                bulkAction.id, for: actor, bindsAssignees: bindsAssignees)
            let taken = held.filter { approvalDrafts[$0.id] != nil }
            let isHeld = Set(held.map(\.id))
            try await change.bulkActions.skip(skipped.filter { isHeld.contains($0.id) }, in: bulkAction.id)
            for part in taken.chunks(of: Self.chunk) {
                try await change.bulkActions.decide(part, in: bulkAction.id, draft, by: actor)
            }
            let approved = try await Self.write(taken.compactMap { approvalDrafts[$0.id] }, change)
            guard !approved.isEmpty else { return }
            let title = "\(taken.count) accepted together"
            let (publication, release) = try await draft.publishTiming.carryOut(approved, title: title, change)
            try await change.bulkActions.note(publication: publication, release: release, of: bulkAction.id)
        }
    }

    /// Writes entries and revisions: what can be goes many to a statement; gives what is approved.
    private static func write(_ approvalDrafts: [ApprovalDraft], _ change: Change) async throws -> [LiveChange] {
        var approved: [LiveChange] = []
        for approvalDraft in approvalDrafts where !approvalDraft.isPlain {
            let (item, isApproved) = try await approvalDraft.write(change)
            if isApproved { approved.append(item) }
        }
        let similar = Dictionary(grouping: approvalDrafts.filter(\.isPlain), by: \.type.name)
        for (_, all) in similar.sorted(by: { $0.key < $1.key }) {
            for part in all.chunks(of: chunk) {
                guard let first = part.first else { continue }
                var drafts: [ImportedDraft] = []
                for approvalDraft in part {
                    drafts.append(
                        ImportedDraft(
                            entry: ID(UUIDv7.make()), revision: ID(UUIDv7.make()), base: 0,
                            content: try await change.media.completing(approvalDraft.content, of: approvalDraft.type),
                            plain: approvalDraft.plain, submission: approvalDraft.submission.id,
                            isApproved: approvalDraft.approves))
                }
                try await change.write(
                    drafts, type: first.type, source: nil, note: ApprovalDraft.note, author: first.author)
                approved += drafts.filter(\.isApproved).map { LiveChange(entry: $0.entry, revision: $0.revision) }
            }
        }
        return approved
    }

    private static func detail(_ request: BulkActionRequest) -> [String: JSONValue] {
        switch request {
        case .decide(let draft): draft.reason.map { ["reason": .string($0.rawValue)] } ?? [:]
        case .snooze(let time): ["until": time.map { .string($0.words) } ?? .null]
        case .assign(let assignee, _): ["to": assignee.map { .string($0.text) } ?? .null]
        case .rank(let priority): ["priority": .string(priority.name)]
        }
    }
}

extension ApprovalDraft {
    /// Whether it is a new entry of a type whose revisions have nothing of their own to be worked out, and which one yes
    /// approves: its author is the contributor.
    fileprivate var isPlain: Bool {
        submission.entry == nil && type.requiredApprovals <= 1 && content.catalogUses(of: type).isEmpty
            && !type.fields.contains { $0.type == .path }
    }
}

extension Array {
    fileprivate func chunks(of size: Int) -> [[Element]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}
