// Who agreed to a submission and who still has to, on its review page.
import Domain
import FoundationEssentials
import Store

struct StagePanel: Encodable, Sendable {
    struct Stage: Encodable, Sendable {
        let name: String
        /// "1 of 2 approvals by editors".
        let words: String
        let isDone: Bool
        /// Those who agreed.
        let by: String?
    }

    let stages: [Stage]
    /// What one's own yes would do now; nil where one has agreed.
    let sentence: String?
    /// Where one's own yes is taken back; nil where there is none.
    let removal: String?

    /// Nil where no stages are planned for it. `categories` are those that it would be accepted into as it came.
    static func load(
        _ request: AdminRequest, _ submission: SubmissionRow, _ categories: [ID<Entry>]
    ) async throws -> StagePanel? {
        let store = request.database.reviewStages
        guard submission.state == .pending || submission.state == .changesRequested,
            let standings = try await store.standings([(submission.id, categories)])[submission.id]
        else { return nil }
        let approvals = try await store.approvals(of: submission.id, version: submission.version)
        let people = try await store.people()
        let isMine = approvals.contains { $0.byID == request.actor.rowID }
        let left = standings.reduce(0) { $0 + max(0, $1.stage.needed - $1.given) }
        return StagePanel(
            stages: standings.map { standing in
                let stage = standing.stage
                let able = people.filter { $0.key >= stage.role }.values.reduce(0, +)
                let names = approvals.filter { $0.stage == standing.id }.map(\.by)
                return Stage(
                    name: stage.name,
                    words:
                        "\(standing.given) of \(stage.needed) approvals by \(stage.role.label.lowercased())s; \(able) \(able == 1 ? "person" : "people") can give one",
                    isDone: standing.isDone, by: names.isEmpty ? nil : names.joined(separator: ", "))
            },
            sentence: isMine
                ? nil
                : left <= 1
                    ? "The next yes accepts it." : "Accepting gives one yes; it is accepted with the last of \(left).",
            removal: isMine
                ? QueueQuery(request.query).address("/queue/\(submission.id)/approval/withdraw") : nil)
    }
}
