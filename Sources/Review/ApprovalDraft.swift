// Writes an approved submission: the entry, its revision, the approval, and the publication or release.
import Domain
import Publishing
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

    var categories: [ID<Entry>] {
        (content.fields["categories"]?.arrayValue ?? []).compactMap { $0.stringValue.flatMap { ID($0) } }
    }

    func run(_ transaction: AuditedTransaction) async throws -> ChangeOutcome {
        let (written, isApproved) = try await write(transaction)
        let published = try await transaction.publish(
            isApproved ? [written.change] : [], publishTiming, title: submission.title)
        var outcome = ChangeOutcome(
            entry: written.entry, revision: written.number, isApproved: isApproved, published)
        outcome.warnings = warnings
        return outcome
    }

    /// Writes the entry and its revision, and approves the revision if this approval completes it.
    func write(_ transaction: AuditedTransaction) async throws -> (WrittenRevision, isApproved: Bool) {
        // A submission whose approval was undone keeps its entry, which gets a new revision.
        let entry = submission.entry
        if entry != nil { try await transaction.lock(for: publishTiming) }
        var base = 0
        if let entry { base = try await transaction.revisions.newest(of: entry)?.number ?? 0 }
        let written = try await transaction.write(
            EntryDraft(
                entry: entry, type: type, content: content, texts: texts, base: base, note: Self.note,
                submission: submission.id, author: author))
        let isApproved = approves ? try await transaction.approve(written.revision, of: written.entry) : false
        return (written, isApproved)
    }

    /// The note of the revision.
    static let note = "approved submission"
}
