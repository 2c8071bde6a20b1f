// Writes approved submissions: their entries, revisions and approvals.
import Domain
import Platform
import Store

struct ApprovalDraft: Sendable {
    let submission: SubmissionRow
    let type: ContentType
    let content: Content
    let texts: DerivedTexts
    let warnings: FieldErrors
    let publishTiming: PublishTiming
    let approves: Bool
    let author: Actor
    let approver: Actor

    /// The note of the revision.
    static let note = "Approved submission"

    var categories: [ID<Entry>] {
        (content.fields["categories"]?.arrayValue ?? []).compactMap { $0.stringValue.flatMap { ID($0) } }
    }

    /// Whether it is a new entry whose revision needs no derived rows and only one approval, so that it can be written in
    /// a batch.
    var isBatchable: Bool {
        submission.entry == nil && type.requiredApprovals <= 1 && !type.fourEyes
            && content.catalogUses(of: type).isEmpty && !type.fields.contains { $0.type == .path }
    }

    /// Whether it names its slug. In a batch, another one replaces a slug that is taken; alone, that is an error at its
    /// field.
    var hasOwnSlug: Bool {
        guard let field = type.slugField, let slug = content.fields[field]?.stringValue else { return false }
        return !slug.isEmpty
    }
}

/// An approved submission with its revision.
struct WrittenApproval: Sendable {
    let draft: ApprovalDraft
    let revision: WrittenRevision
    /// Whether the revision may be published.
    let isApproved: Bool

    func outcome(_ published: Published) -> ChangeOutcome {
        var outcome = ChangeOutcome(
            entry: revision.entry, revision: revision.number, isApproved: isApproved, published)
        outcome.warnings = draft.warnings
        return outcome
    }
}

extension AuditedTransaction {
    /// Writes entries and revisions, in batches where possible, and approves the revisions as far as their approvers may.
    func write(_ drafts: [ApprovalDraft]) async throws -> [WrittenApproval] {
        var written: [WrittenApproval] = []
        let batches = Dictionary(grouping: drafts) { $0.isBatchable ? $0.type.name : "" }
        for (type, all) in batches.sorted(by: { $0.key < $1.key }) {
            for batch in all.chunks(of: RunBulkAction.chunkSize) {
                if type.isEmpty || batch.count == 1 {
                    for draft in batch { written.append(try await write(draft)) }
                } else {
                    written += try await write(batch: batch)
                }
            }
        }
        return written
    }

    private func write(_ draft: ApprovalDraft) async throws -> WrittenApproval {
        // A submission whose approval was undone keeps its entry, which gets a new revision.
        let entry = draft.submission.entry
        var base = 0
        if let entry {
            try await lock(for: draft.publishTiming)
            base = try await revisions.newest(of: entry)?.number ?? 0
        }
        let own = acting(as: draft.approver)
        let revision = try await own.write(
            EntryDraft(
                entry: entry, type: draft.type, content: draft.content, texts: draft.texts, base: base,
                note: ApprovalDraft.note, submission: draft.submission.id, author: draft.author))
        let isApproved = draft.approves ? try await own.approve(revision.revision) : false
        return WrittenApproval(draft: draft, revision: revision, isApproved: isApproved)
    }

    /// Writes new entries of one type in a few statements.
    private func write(batch: [ApprovalDraft]) async throws -> [WrittenApproval] {
        let contents = try await media.completing(batch.map(\.content), of: batch[0].type)
        let entries = zip(batch, contents).map { draft, content in
            ImportedDraft(
                entry: ID(UUIDv7.make()), revision: ID(UUIDv7.make()), base: 0, content: content, texts: draft.texts,
                submission: draft.submission.id, author: draft.author, approver: draft.approver,
                isApproved: draft.approves)
        }
        try await write(entries, type: batch[0].type, source: nil, note: ApprovalDraft.note)
        return zip(batch, entries).map { draft, entry in
            WrittenApproval(
                draft: draft, revision: WrittenRevision(entry: entry.entry, revision: entry.revision, number: 1),
                isApproved: draft.approves)
        }
    }
}
