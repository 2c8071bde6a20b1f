// Writes an approved submission: the entry, its revision, the approval, and the publication or release.
import Domain
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

    func run(_ transaction: AuditedTransaction) async throws -> DecisionOutcome {
        let (item, isApproved) = try await write(transaction)
        var publication: Int64?
        var release: Int64?
        if isApproved {
            (publication, release) = try await publishTiming.apply(to: [item], title: submission.title, transaction)
        }
        var outcome = DecisionOutcome(
            state: .approved, entry: item.entry, isApproved: isApproved, publication: publication, release: release,
            warnings: warnings)
        if case .at(let time) = publishTiming { outcome.time = time }
        return outcome
    }

    /// Writes the entry and its revision, and approves the revision if this approval completes it.
    func write(_ transaction: AuditedTransaction) async throws -> (item: LiveChange, isApproved: Bool) {
        // A submission whose approval was undone keeps its entry, which gets a new revision.
        let entry = submission.entry
        if entry != nil, publishTiming == .now { _ = try await transaction.publications.lock() }
        var base = 0
        if let entry { base = try await transaction.revisions.newest(of: entry)?.number ?? 0 }
        let written = try await transaction.write(
            EntryDraft(
                entry: entry, type: type, content: content, texts: texts, base: base, note: Self.note,
                submission: submission.id, author: author))
        let isApproved = approves ? try await transaction.approve(written.revision, of: written.entry) : false
        return (LiveChange(entry: written.entry, revision: written.revision), isApproved)
    }

    /// The note of the revision.
    static let note = "approved submission"
}

extension PublishTiming {
    /// Publishes approved revisions together, or adds them to one release scheduled for that time.
    func apply(
        to items: [LiveChange], title: String, _ transaction: AuditedTransaction
    ) async throws -> (publication: Int64?, release: Int64?) {
        switch self {
        case .now:
            return (try await transaction.publications.publish(.listed(items), note: title, by: transaction.actor), nil)
        case .at(let time):
            let release = try await transaction.releases.add(
                title: title, time: time, items: items, by: transaction.actor)
            return (nil, release.number)
        case .approveOnly: return (nil, nil)
        }
    }
}
