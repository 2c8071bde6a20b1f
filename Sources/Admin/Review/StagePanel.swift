// The required and given approvals of a submission, on its review page.
import Domain
import FoundationEssentials
import Localization
import Operations
import Store

struct StagePanel: Encodable, Sendable {
    struct Stage: Encodable, Sendable {
        let name: String
        /// "1 of 2 approvals by editors; 3 people can approve".
        let progress: String
        let isDone: Bool
        /// The people who approved.
        let approvedBy: String?
    }

    let stages: [Stage]
    /// How many approvals are missing; nil if the signed-in person has approved.
    let hint: String?
    /// Where one's own approval is withdrawn; nil if there is none.
    let withdrawURL: String?

    /// Nil without review stages.
    static func load(
        _ request: AdminRequest, _ submission: SubmissionRow, _ permissions: ReviewPermissions
    ) async throws -> StagePanel? {
        let (progress, approvals) = (permissions.stages, permissions.approvals)
        if progress.isEmpty { return nil }
        let accounts = try await request.database.reviewStages.people()
        let isMine = approvals.contains { $0.byID == request.actor.rowID }
        let missing = progress.reduce(0) { $0 + max(0, $1.stage.requiredApprovals - $1.approvals) }
        return StagePanel(
            stages: progress.map { item in
                let stage = item.stage
                let able = accounts.filter { $0.key.includes(stage.role) }.values.reduce(0, +)
                let names = approvals.filter { $0.stage == item.id }.map { ActorName.shown($0.by) }
                return Stage(
                    name: stage.name,
                    progress:
                        tr(
                            "\(item.approvals) of \(stage.requiredApprovals) approvals by \(stage.role.people); "
                                + "\(able, one: "# person", other: "# people") can approve"),
                    isDone: item.isDone, approvedBy: names.isEmpty ? nil : names.joined(separator: ", "))
            },
            hint: isMine
                ? nil
                : missing <= 1 ? tr("One more approval is required.") : tr("\(missing) more approvals are required."),
            withdrawURL: isMine && permissions.mayReview
                ? QueueQuery(request.query).url(AdminURL.submissionApprovalWithdraw(submission.id)) : nil)
    }
}
