// Opens the status page of a submission for anyone with its link, without an account; rotates the link.
import Domain
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

    /// Failed lookups allowed per IP address within the window.
    package static let perIP = 60
    /// In minutes.
    private static let window = 15

    private let database: Database
    private let key: LinkKey?
    private let days: Int

    package init(database: Database, key: LinkKey?, days: Int) {
        self.database = database
        self.key = key
        self.days = days
    }

    package func open(_ link: String, from remoteAddress: String) async throws -> Lookup {
        if let found = try await find(link) { return .found(found) }
        let subject = "status-from:\(remoteAddress)"
        let count = try await database.accounts.failures(
            subject: subject, minutes: Self.window, limit: Self.perIP)
        if count >= Self.perIP { return .tooMany(retryAfterSeconds: Self.window * 60) }
        try await database.work(as: Actor(kind: .system, name: "contributor", remoteAddress: remoteAddress)) {
            try await $0.accounts.recordFailure(subjects: [subject])
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

    /// Revokes the current link and returns the new one.
    package func rotateLink(of id: ID<Submission>, by actor: Actor) async throws -> String {
        try actor.require(.decide, "send new status links")
        guard let key else {
            throw Failure.unavailable("Status links are unavailable because webhooks.key can't be used.")
        }
        guard try await database.submissions.find(id) != nil else { throw Failure.missing("submission") }
        let event = AuditEvent("status_link.rotate", on: "submission", id.description)
        let edition = try await database.transaction(by: actor, event) { try await $0.contributors.rotateLink(of: id) }
        return key.text(for: id.bytes, edition: edition)
    }
}
