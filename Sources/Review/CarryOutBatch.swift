// Does what was planned with many submissions, in one transaction of a few statements.
import Domain
import Platform
import Store

package struct CarryOutBatch: Sendable {
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
    package func callAsFunction(_ id: ID<Batch>, _ deed: BatchDeed, by actor: Actor) async throws -> BatchRow {
        try actor.require(.decide, "decide about submissions")
        guard let batch = try await database.batches.find(id) else { throw Failure.missing("batch") }
        guard batch.madeByID == actor.rowID else { throw Failure.forbidden("Only \(batch.madeBy) may do this.") }
        guard batch.doneAt == nil else { throw Self.doneBefore }
        try await check(deed, batch.act)
        let event = AuditEvent(
            "batch.\(batch.act.rawValue)", on: "batch", id.description,
            detail: Self.detail(deed).merging(["planned": .int(Int64(batch.size))]) { $1 })
        switch deed {
        case .decide(let draft) where draft.verdict == .accept: try await accept(batch, draft, event, by: actor)
        default:
            try await database.change(by: actor, event) { change in
                guard try await change.batches.begin(id) else { throw Self.doneBefore }
                let held = try await change.batches.hold(id, for: actor, bindsAssignees: bindsAssignees)
                try await Self.carryOut(deed, held, id, change)
            }
        }
        guard let done = try await database.batches.find(id) else { throw Failure.missing("batch") }
        return done
    }

    private static let doneBefore = Failure.conflict(
        code: "already_done", message: "This was done before. Nothing was done twice.")

    private func check(_ deed: BatchDeed, _ act: BatchAct) async throws {
        switch deed {
        case .decide(let draft):
            guard draft.verdict.rawValue == act.rawValue else { throw Failure.missing("batch") }
            try draft.check(on: .pending)
        case .snooze(let time):
            guard act == .snooze else { throw Failure.missing("batch") }
            try await time?.checkIsToCome(database)
        case .assign(let assignee, let words):
            guard act == .assign else { throw Failure.missing("batch") }
            _ = try await ArrangeSubmission.person(assignee, database)
            if let words { _ = try StaffNote.check(words) }
        case .rank: guard act == .rank else { throw Failure.missing("batch") }
        }
    }

    private static func carryOut(
        _ deed: BatchDeed, _ held: [(id: ID<Submission>, version: Int)], _ id: ID<Batch>, _ change: Change
    ) async throws {
        let ids = held.map(\.id)
        switch deed {
        case .decide(let draft):
            for part in held.chunks(of: chunk) {
                try await change.batches.decide(part, in: id, draft, by: change.actor)
            }
        case .snooze(let time):
            let act = time == nil ? "submission.wake" : "submission.snooze"
            try await change.batches.keep(ids, in: id, act: act, by: change.actor)
            _ = try await change.queue.snooze(ids, until: time)
        case .assign(let assignee, let words):
            try await change.batches.keep(ids, in: id, act: "submission.assign", by: change.actor)
            _ = try await change.queue.assign(ids, to: assignee)
            if let words {
                let person = assignee?.account.map { [$0] } ?? []
                try await change.notes.add(words, .assign, on: ids, mentioning: person, by: change.actor)
            }
        case .rank(let priority):
            try await change.batches.keep(ids, in: id, act: "submission.rank", by: change.actor)
            _ = try await change.queue.rank(ids, priority)
        }
    }

    // MARK: Accepting

    /// All that takes time is done before the transaction: submissions never change.
    private func accept(_ batch: BatchRow, _ draft: Decision.Draft, _ event: AuditEvent, by actor: Actor) async throws {
        var prepare = PrepareAcceptance(database: database, rules: rules, by: actor)
        var prepared: [ID<Submission>: Acceptance] = [:]
        var refused: [(id: ID<Submission>, reason: String)] = []
        var place = 0
        while true {
            let items = try await database.batches.items(of: batch.id, after: place, limit: Self.chunk)
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
                (id, "Several people have to agree to this. Accept it on its own page, or with \"queue agree\"."))
        }
        let (acceptances, skipped) = (prepared, refused)
        try await database.change(by: actor, event) { change in
            guard try await change.batches.begin(batch.id) else { throw Self.doneBefore }
            let held = try await change.batches.hold(
                batch.id, for: actor, bindsAssignees: bindsAssignees)
            let taken = held.filter { acceptances[$0.id] != nil }
            let isHeld = Set(held.map(\.id))
            try await change.batches.skip(skipped.filter { isHeld.contains($0.id) }, in: batch.id)
            for part in taken.chunks(of: Self.chunk) {
                try await change.batches.decide(part, in: batch.id, draft, by: actor)
            }
            let approved = try await Self.write(taken.compactMap { acceptances[$0.id] }, change)
            guard !approved.isEmpty else { return }
            let title = "\(taken.count) accepted together"
            let (publication, release) = try await draft.goLive.carryOut(approved, title: title, change)
            try await change.batches.note(publication: publication, release: release, of: batch.id)
        }
    }

    /// Writes entries and revisions: what can be goes many to a statement; gives what is approved.
    private static func write(_ acceptances: [Acceptance], _ change: Change) async throws -> [LiveChange] {
        var approved: [LiveChange] = []
        for acceptance in acceptances where !acceptance.isPlain {
            let (item, isApproved) = try await acceptance.write(change)
            if isApproved { approved.append(item) }
        }
        let alike = Dictionary(grouping: acceptances.filter(\.isPlain), by: \.type.name)
        for (_, all) in alike.sorted(by: { $0.key < $1.key }) {
            for part in all.chunks(of: chunk) {
                guard let first = part.first else { continue }
                var drafts: [ImportedDraft] = []
                for acceptance in part {
                    drafts.append(
                        ImportedDraft(
                            entry: ID(UUIDv7.make()), revision: ID(UUIDv7.make()), base: 0,
                            content: try await change.media.completing(acceptance.content, of: acceptance.type),
                            plain: acceptance.plain, submission: acceptance.submission.id,
                            isApproved: acceptance.approves))
                }
                try await change.write(
                    drafts, type: first.type, source: nil, note: Acceptance.note, author: first.author)
                approved += drafts.filter(\.isApproved).map { LiveChange(entry: $0.entry, revision: $0.revision) }
            }
        }
        return approved
    }

    private static func detail(_ deed: BatchDeed) -> [String: JSONValue] {
        switch deed {
        case .decide(let draft): draft.reason.map { ["reason": .string($0.rawValue)] } ?? [:]
        case .snooze(let time): ["until": time.map { .string($0.words) } ?? .null]
        case .assign(let assignee, _): ["to": assignee.map { .string($0.text) } ?? .null]
        case .rank(let priority): ["priority": .string(priority.name)]
        }
    }
}

extension Acceptance {
    /// Whether it is a new entry of a type whose revisions have nothing of their own to be worked out, and which one yes
    /// approves: its author is the contributor.
    fileprivate var isPlain: Bool {
        submission.entry == nil && type.consents <= 1 && content.catalogueUses(of: type).isEmpty
            && !type.fields.contains { $0.type == .path }
    }
}

extension Array {
    fileprivate func chunks(of size: Int) -> [[Element]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}
