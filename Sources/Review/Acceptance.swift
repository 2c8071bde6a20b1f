// What accepting a submission writes: entry, revision, approval, and the way to the readers that was chosen.
import Domain
import Store

struct Acceptance: Sendable {
    let submission: SubmissionRow
    let type: ContentType
    let content: Content
    let plain: String
    let goLive: GoLive
    let approves: Bool
    let author: Actor

    func carryOut(_ change: Change) async throws -> DecisionOutcome {
        // A submission whose acceptance was undone has its entry already: it gets a new revision.
        let entry = submission.entry
        var base = 0
        if let entry { base = try await change.revisions.newest(of: entry)?.number ?? 0 }
        let written = try await change.write(
            EntryDraft(
                entry: entry, type: type, content: content, plain: plain, base: base, note: "accepted submission",
                submission: submission.id, author: author))
        let isApproved = approves ? try await change.approve(written.revision, of: written.entry) : false
        var publication: Int64?
        var release: Int64?
        if isApproved {
            let item = LiveChange(entry: written.entry, revision: written.revision)
            switch goLive {
            case .now:
                publication = try await change.publications.publish(
                    .these([item]), note: submission.title, by: change.actor)
            case .at(let time):
                let made = try await change.releases.add(
                    title: submission.title, time: time,
                    holding: [item], by: change.actor)
                release = made.number
            case .approveOnly: break
            }
        }
        return DecisionOutcome(
            state: .accepted, entry: written.entry, isApproved: isApproved, publication: publication, release: release)
    }
}
