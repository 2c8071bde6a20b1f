// Saves a contributor's resubmission after a request for changes: a new version, back in the queue.
import Domain
import Localization
import Platform
import Store

package struct ResubmitSubmission: Sendable {
    /// Forms with files for one submission within `window` minutes.
    package static let filesPerSubmission = 30
    private static let window = 24 * 60

    let database: Database
    let rules: ContentRules
    /// What happens to resubmissions of blocked contributors.
    let blocked: Settings.Intake.Blocked

    /// Counts a form with files before they are stored: they stay in the library, although other fields are refused. Throws
    /// `Failure.refused` with code `too_many_attempts`.
    package func admitFiles(of tracked: TrackedSubmission) async throws {
        try await database.attempts.admit(
            [AttemptLimit("resubmission-files:\(tracked.row.id)", most: Self.filesPerSubmission)],
            minutes: Self.window)
    }

    /// Allowed once per request for changes. `fields` are validated and sanitized as at intake; fields that the
    /// contributor's form does not show keep their values.
    package func callAsFunction(
        _ tracked: TrackedSubmission, _ fields: [String: JSONValue], from remoteAddress: String,
        requestID: String? = nil
    ) async throws {
        guard tracked.mayResubmit, let request = tracked.status.decision else {
            throw Failure.conflict(
                code: "already_resubmitted",
                message: tr("No changes are requested any more. We have received your earlier resubmission."))
        }
        let submission = tracked.row
        let type = try rules.type(named: submission.type)
        var raw = submission.fields.filter { name, _ in type.field(name).map { !$0.isForContributors } ?? false }
        raw.merge(fields.filter { name, _ in type.field(name)?.isForContributors ?? true }) { $1 }
        let content = try await rules.checked(raw, as: type, for: .submission, keeping: submission.fields).content
        try await database.entries.checkTargets(of: [content], type)
        let received = JSONValue.object(["type": .string(type.name), "fields": .object(raw)]).canonicalText
        let actor = Self.actor(requestID, remoteAddress)
        let event = AuditEvent("submission.resubmit", on: "submission", submission.id.description)
        try await database.transaction(by: actor, event) { transaction in
            let number = submission.version + 1
            try await transaction.decisions.add(
                number, on: submission.id, verdict: "resubmit", reason: nil, message: nil, resubmits: request, by: actor
            )
            try await transaction.contributors.addVersion(
                of: submission.id, decision: number, title: content.title(in: type), fields: content.canonicalText,
                received: received)
            try await transaction.reopen(submission.id, blocked)
        }
    }

    /// The contributor, who also adds the images of the resubmission.
    package static func actor(_ requestID: String?, _ remoteAddress: String) -> Actor {
        Actor(kind: .visitor, name: "contributor", requestID: requestID, remoteAddress: remoteAddress)
    }
}
