// Opens the status page of a submission to whoever holds its link; there is no account.
import Domain
import Platform
import Store

/// A submission as its contributor follows it.
package struct FollowedSubmission: Sendable {
    package let row: SubmissionRow
    package let standing: ContributorRow

    /// It was sent back and not sent again since.
    package var mayAnswer: Bool { row.state == .changesRequested && standing.verdict == "request_changes" }
    /// It was rejected, and nobody has appealed before.
    package var mayAppeal: Bool { row.state == .rejected && standing.verdict == "reject" && standing.appeal == nil }
}

package struct FollowSubmission: Sendable {
    package enum Opened: Sendable {
        case found(FollowedSubmission)
        /// No link, another one's, revoked, expired: they all look alike.
        case missing
        case tooMany(retryAfterSeconds: Int)
    }

    /// Links that open nothing, from one sender within so many minutes.
    package static let perIP = 60
    private static let window = 15

    private let database: Database
    private let key: LinkKey?
    private let days: Int

    package init(database: Database, key: LinkKey?, days: Int) {
        self.database = database
        self.key = key
        self.days = days
    }

    package func open(_ link: String, from address: String) async throws -> Opened {
        if let found = try await find(link) { return .found(found) }
        let subject = "status-from:\(address)"
        let count = try await database.accounts.failures(
            subject: subject, minutes: Self.window, limit: Self.perIP)
        if count >= Self.perIP { return .tooMany(retryAfterSeconds: Self.window * 60) }
        try await database.work(as: Actor(kind: .system, name: "contributor", address: address)) {
            try await $0.accounts.noteFailure(subjects: [subject])
        }
        return .missing
    }

    private func find(_ link: String) async throws -> FollowedSubmission? {
        guard let key, let id = LinkKey.id(in: link).flatMap({ ID<Submission>(bytes: $0) }),
            let standing = try await database.contributors.find(id, days: days),
            key.isValid(link, edition: standing.edition), !standing.isOver,
            let row = try await database.submissions.find(id)
        else { return nil }
        return FollowedSubmission(row: row, standing: standing)
    }

    /// Revokes the link that is out, and gives the one that works from now on.
    package func replaceLink(of id: ID<Submission>, by actor: Actor) async throws -> String {
        try actor.require(.decide, "replace status links")
        guard let key else {
            throw Failure.unavailable("Status links cannot be made now: the key webhooks.key is unusable.")
        }
        guard try await database.submissions.find(id) != nil else { throw Failure.missing("submission") }
        let event = AuditEvent("status_link.rotate", on: "submission", id.description)
        let edition = try await database.change(by: actor, event) { try await $0.contributors.replaceLink(of: id) }
        return key.text(for: id.bytes, edition: edition)
    }
}
