// Opens the status page of a submission for anyone with its link, without an account; rotates the link.
import Domain
import Localization
import Platform
import Store

/// A submission as its contributor sees it.
package struct TrackedSubmission: Sendable {
    package let row: SubmissionRow
    package let status: ContributorRow

    /// Changes were requested, and the contributor has not resubmitted since.
    package var mayResubmit: Bool { row.state == .changesRequested && status.verdict == "request_changes" }
    /// It was rejected and has not been appealed before.
    package var mayAppeal: Bool { row.state == .rejected && status.verdict == "reject" && status.appeal == nil }
}

package struct TrackSubmission: Sendable {
    package enum Lookup: Sendable {
        case found(TrackedSubmission)
        /// Not a link, or forged, revoked or expired: indistinguishable for the visitor.
        case missing
        case tooMany(retryAfterSeconds: Int)
    }

    /// Failed lookups allowed per network within the window.
    package static let perIP = 60
    /// In minutes.
    private static let window = 15

    let database: Database
    let key: LinkKey?
    let days: Int

    package func open(_ link: String, from remoteAddress: String) async throws -> Lookup {
        if let found = try await find(link) { return .found(found) }
        do {
            _ = try await database.attempts.count(
                AttemptLimit.networks(of: remoteAddress, "status-from", most: Self.perIP), minutes: Self.window)
        } catch let error as TooManyAttempts {
            return .tooMany(retryAfterSeconds: error.retryAfterSeconds)
        }
        return .missing
    }

    private func find(_ link: String) async throws -> TrackedSubmission? {
        guard let key, let id = LinkKey.id(in: link).flatMap({ ID<Submission>(bytes: $0) }),
            let status = try await database.contributors.find(id, days: days),
            key.isValid(link, edition: status.edition), !status.isExpired,
            let row = try await database.submissions.find(id)
        else { return nil }
        return TrackedSubmission(row: row, status: status)
    }

    /// Revokes the current link and mails the new one to the contributor. Nobody else sees it: anyone with the link reads
    /// and writes as the contributor.
    package func rotateLink(of id: ID<Submission>, by actor: Actor) async throws {
        try actor.require(.decide, tr("send new status links"))
        if key == nil { throw Failure.unavailable("Status links are unavailable because webhooks.key can't be used.") }
        guard let submission = try await database.submissions.find(id),
            let contributor = try await database.contributors.find(id, days: days)
        else { throw Failure.missing("submission") }
        try await database.access.require(actor, .submission(submission.id))
        guard let email = contributor.email else {
            throw Failure.refused(
                code: "no_email",
                message:
                    tr(
                        "This submission has no email address to send a new status link to. The current link still works."
                    ))
        }
        let event = AuditEvent("status_link.rotate", on: "submission", id.description)
        try await database.transaction(by: actor, event) { transaction in
            let edition = try await transaction.contributors.rotateLink(of: id)
            // The link itself is created when the mail is sent.
            try await transaction.mails.write(
                .statusLink,
                to: MailRecipient(email: email, name: contributor.name ?? "", locale: contributor.locale ?? "en"),
                ["title": submission.title], link: .status, about: id, dedupe: "status_link:\(id):\(edition)")
        }
    }
}
