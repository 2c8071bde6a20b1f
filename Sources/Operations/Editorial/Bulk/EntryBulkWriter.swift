// Carries out a bulk action on entries in one transaction. Each entry has its audit event and its result; one that fails never
// blocks the others.
import Domain
import Platform
import Store

/// The next revision of an entry.
struct EntryEdit: Sendable {
    let entry: ID<Entry>
    let revision: EditRevision
    /// For an undo: the revision that was published before.
    var published: ID<Revision>?
}

struct EntryBulkWriter: Sendable {
    struct Outcome: Sendable {
        var results: [BulkActionResult] = []
        var publication: Int64?
        var release: Int64?
    }

    /// Rows per statement, so that none takes long.
    static let chunkSize = 500

    private typealias Reasons = [ID<Entry>: String]

    /// Thrown to undo an attempt: these can't be changed.
    private struct Refused: Error {
        let reasons: Reasons
    }

    let transaction: AuditedTransaction
    let id: ID<BulkAction>

    // MARK: Actions

    /// Approves the newest revisions; one that needs more approvals gets a remark.
    func approve(_ entries: [BulkEntry]) async throws -> Outcome {
        try await each(entries, \.id) { entries, _ in
            var outcome = Outcome()
            for chunk in entries.chunks(of: Self.chunkSize) {
                try await audit("entry.approve", chunk.map(\.newest))
                let revisions = chunk.map(\.newest.revision)
                let (given, publishable) = try await transaction.approve(revisions)
                try Self.refuse(.alreadyApproved, chunk.filter { !given.contains($0.newest.revision) }.map(\.id))
                outcome.results += chunk.map { entry in
                    let isApproved = publishable.contains(entry.newest.revision)
                    return .done(entry.id, isApproved ? nil : EntryBulkRefusal.needsApprovals.rawValue)
                }
            }
            return outcome
        }
    }

    /// Publishes or unpublishes in one publication what no rule blocks. `audited` are the revisions that the audit events
    /// name.
    func publish(
        _ changes: [LiveChange], _ action: String, audited: [ID<Entry>: Int] = [:], title: String
    ) async throws -> Outcome {
        try await each(changes, \.entry) { changes, isTrial in
            try await audit(
                action, changes.map { ($0.entry, audited[$0.entry].map { ["revision": .int(Int64($0))] } ?? [:]) })
            var outcome = Outcome(results: changes.map { .done($0.entry) })
            if !isTrial { outcome.publication = try await publishAll(changes, title) }
            return outcome
        }
    }

    /// Writes the revisions, and publishes those whose entries are published when `timing` is now.
    func write(_ edits: [EntryEdit], _ timing: PublishTiming) async throws -> Outcome {
        try await each(edits, \.entry) { edits, isTrial in
            let written = try await write(edits, "entry.update")
            var remarks: [ID<Entry>: EntryBulkRefusal] = [:]
            var changes: [LiveChange] = []
            if timing != .draft {
                let approving = zip(edits, written).filter(\.0.revision.isPublished).map(\.1)
                let publishable = try await transaction.approve(approving.map(\.revision)).publishable
                changes = approving.filter { publishable.contains($0.revision) }.map(\.change)
                let published = Set(changes.map(\.entry))
                for revision in written where !published.contains(revision.entry) { remarks[revision.entry] = .draft }
                for revision in approving where !published.contains(revision.entry) {
                    remarks[revision.entry] = .needsApprovals
                }
            }
            var outcome = Outcome(results: written.map { .done($0.entry, remarks[$0.entry]?.rawValue) })
            if !isTrial { outcome.publication = try await publishAll(changes, "\(written.count) edited in bulk") }
            return outcome
        }
    }

    /// Adds the newest revisions to a release that the transaction has locked.
    func add(_ entries: [BulkEntry], to release: ReleaseRow) async throws -> Outcome {
        try await each(entries, \.id) { entries, _ in
            var outcome = Outcome(release: release.number)
            for chunk in entries.chunks(of: Self.chunkSize) {
                let contained = try await transaction.bulkEntries.keepItems(
                    of: release.id, for: chunk.map(\.id), in: id)
                try Self.refuse(.inRelease, Array(contained))
                try await transaction.add(chunk.map(\.newest.change), to: release.id)
                outcome.results += chunk.map { .done($0.id) }
            }
            return outcome
        }
    }

    /// Writes the revisions of an undo. Where another one was published before, they are published; if one needs more
    /// approvals than the actor's, the one of before is, which has the same content for readers.
    func restore(_ edits: [EntryEdit]) async throws -> Outcome {
        try await each(edits, \.entry) { edits, isTrial in
            let written = try await write(edits, "entry.undo")
            let shown = zip(edits, written).compactMap { edit, written in
                edit.published.map { (before: $0, now: written) }
            }
            let publishable = try await transaction.approve(shown.map(\.now.revision)).publishable
            let changes = shown.map { before, now in
                publishable.contains(now.revision) ? now.change : LiveChange(entry: now.entry, revision: before)
            }
            if !isTrial { _ = try await publishAll(changes, "Bulk action undone") }
            return Outcome(results: written.map { .done($0.entry) })
        }
    }

    // MARK: Parts

    /// What the audit trail says about each entry, whose parent is the event of the bulk action.
    func audit(_ action: String, _ entries: [(id: ID<Entry>, detail: [String: JSONValue])]) async throws {
        try await transaction.audit(
            entries.map { entry in
                let detail = entry.detail.merging(["bulk_action": .string(id.description)]) { $1 }
                return (AuditEvent(action, on: "entry", entry.id.description, detail: detail), transaction.actor)
            })
    }

    private func audit(_ action: String, _ revisions: [WrittenRevision]) async throws {
        try await audit(action, revisions.map { ($0.entry, ["revision": .int(Int64($0.number))]) })
    }

    private static func refuse(_ refusal: EntryBulkRefusal, _ entries: [ID<Entry>]) throws {
        if entries.isEmpty { return }
        throw Refused(reasons: Dictionary(entries.map { ($0, refusal.rawValue) }) { first, _ in first })
    }

    /// Publishes the changes, or throws which of them a rule blocks.
    private func publishAll(_ changes: [LiveChange], _ title: String) async throws -> Int64? {
        let published = try await transaction.publish(changes, .now, leavingOutBlocked: true, title: title)
        guard let first = published.blocked.first else { return published.publication }
        let listed = Set(changes.map(\.entry))
        let reasons = published.blocked.compactMap { blocked in
            blocked.entry.flatMap { listed.contains($0) ? ($0, blocked.message) : nil }
        }
        if reasons.isEmpty { throw first.failure }
        throw Refused(reasons: Dictionary(reasons) { first, _ in first })
    }

    /// Writes the revisions, in a few statements where they need no derived rows.
    private func write(_ edits: [EntryEdit], _ action: String) async throws -> [WrittenRevision] {
        var written: [ID<Entry>: WrittenRevision] = [:]
        for chunk in edits.chunks(of: Self.chunkSize) {
            try await audit(action, chunk.map { ($0.entry, ["base": .int(Int64($0.revision.draft.base))]) })
            let groups = Dictionary(grouping: chunk) {
                $0.revision.draft.isBatchable ? $0.revision.draft.type.name : ""
            }
            for (type, edits) in groups {
                if !type.isEmpty {
                    for revision in try await write(batch: edits) { written[revision.entry] = revision }
                } else {
                    for edit in edits { written[edit.entry] = try await transaction.write(edit.revision.draft) }
                }
            }
        }
        return edits.compactMap { written[$0.entry] }
    }

    /// Writes the next revisions of entries of one type, which keep their images and slugs, in a few statements.
    private func write(batch edits: [EntryEdit]) async throws -> [WrittenRevision] {
        guard let first = edits.first?.revision.draft else { return [] }
        let drafts = edits.map { edit in
            let draft = edit.revision.draft
            return ImportedDraft(
                entry: edit.entry, revision: ID(UUIDv7.make()), base: draft.base, content: draft.content,
                texts: draft.texts, isApproved: false)
        }
        try await transaction.write(drafts, type: first.type, source: nil, note: first.note)
        return drafts.map { WrittenRevision(entry: $0.entry, revision: $0.revision, number: $0.base + 1) }
    }

    /// Runs `body` for all items that can be changed; the others get a reason and stay as they are. Nothing that `body` does
    /// in a trial is kept, so it need not publish.
    private func each<Item: Sendable>(
        _ items: [Item], _ key: (Item) -> ID<Entry>, _ body: ([Item], _ isTrial: Bool) async throws -> Outcome
    ) async throws -> Outcome {
        var refused: Reasons = [:]
        var rest = items
        while !rest.isEmpty {
            do {
                var outcome = try await transaction.attempt { try await body(rest, false) }
                outcome.results += refused.map { .skipped($0.key, $0.value) }
                return outcome
            } catch let found as Refused {
                refused.merge(found.reasons) { $1 }
            } catch let failure as Failure where failure.isAboutOne {
                let found: Reasons = try await transaction.findRefused(among: rest) { error, items in
                    switch error {
                    case let refused as Refused: refused.reasons
                    case let failure as Failure where failure.isAboutOne && items.count == 1:
                        [key(items[0]): failure.sentence]
                    default: nil
                    }
                } write: { items in
                    _ = try await body(items, true)
                }
                if found.isEmpty { throw failure }
                refused.merge(found) { $1 }
            }
            rest.removeAll { refused[key($0)] != nil }
        }
        return Outcome(results: refused.map { .skipped($0.key, $0.value) })
    }
}
