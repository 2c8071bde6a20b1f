// Records a contributor's appeal against a rejection: one per submission, decided by another reviewer.
import Domain
import Localization
import Platform
import Store

package struct AppealRejection: Sendable {
    let database: Database
    /// What happens to appeals of blocked contributors.
    let blocked: Settings.Intake.Blocked

    package func callAsFunction(
        _ tracked: TrackedSubmission, _ text: String, from remoteAddress: String, requestID: String? = nil
    ) async throws {
        let text = try Appeal.check(PlainText.withLineFeeds(text))
        guard tracked.row.state == .rejected, let rejection = tracked.status.decision else {
            throw Failure.conflict(
                code: "not_rejected", message: tr("This submission isn't rejected, so it can't be appealed."))
        }
        let id = tracked.row.id
        let actor = Actor(kind: .visitor, name: "contributor", requestID: requestID, remoteAddress: remoteAddress)
        try await database.transaction(by: actor, AuditEvent("submission.appeal", on: "submission", id.description)) {
            transaction in
            // The constraint decision_one_appeal rejects a second appeal.
            try await transaction.decisions.add(
                tracked.row.version + 1, on: id, verdict: "appeal", reason: nil, message: text, resubmits: rejection,
                by: actor)
            try await transaction.reopen(id, blocked)
        }
    }
}
