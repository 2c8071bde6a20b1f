// What accepting a submission writes: entry, revision, approval, and the way to the readers that was chosen.
import Domain
import Store

struct ApprovalDraft: Sendable {
    let submission: SubmissionRow
    let type: ContentType
    let content: Content
    let plain: String
    let publishTiming: PublishTiming
    let approves: Bool
    let author: Actor

    var categories: [ID<Entry>] {
        (content.fields["categories"]?.arrayValue ?? []).compactMap { $0.stringValue.flatMap { ID($0) } }
    }

    func carryOut(_ change: Change) async throws -> DecisionOutcome {
        let (item, isApproved) = try await write(change)
        var publication: Int64?
        var release: Int64?
        if isApproved { (publication, release) = try await publishTiming.carryOut([item], title: submission.title, change) }
        return DecisionOutcome(
            state: .approved, entry: item.entry, isApproved: isApproved, publication: publication, release: release)
    }

    /// Writes entry and revision, and approves it where that is enough.
    func write(_ change: Change) async throws -> (item: LiveChange, isApproved: Bool) {
        // A submission whose approval was undone has its entry already: it gets a new revision.
        let entry = submission.entry
        if entry != nil, publishTiming == .now { _ = try await change.publications.lock() }
        var base = 0
        if let entry { base = try await change.revisions.newest(of: entry)?.number ?? 0 }
        let written = try await change.write(
            EntryDraft(
                entry: entry, type: type, content: content, plain: plain, base: base, note: Self.note,
                submission: submission.id, author: author))
        let isApproved = approves ? try await change.approve(written.revision, of: written.entry) : false
        return (LiveChange(entry: written.entry, revision: written.revision), isApproved)
    }

    /// What the revision says of itself.
    static let note = "accepted submission"
}

extension PublishTiming {
    /// Publishes approved revisions together, or puts them into one release of that time.
    func carryOut(
        _ items: [LiveChange], title: String, _ change: Change
    ) async throws -> (publication: Int64?, release: Int64?) {
        switch self {
        case .now:
            return (try await change.publications.publish(.these(items), note: title, by: change.actor), nil)
        case .at(let time):
            let made = try await change.releases.add(title: title, time: time, holding: items, by: change.actor)
            return (nil, made.number)
        case .approveOnly: return (nil, nil)
        }
    }
}
