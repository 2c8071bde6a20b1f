// The contributor's side of a submission on its review page: address, message, appeal, and what was changed since it was returned.
import Domain
import FoundationEssentials
import Store

struct ContributorPanel: Encodable, Sendable {
    struct Appeal: Encodable, Sendable {
        let text: String
        let sent: Instant
        /// Who rejected it.
        let rejectedBy: String
        /// Somebody else must decide.
        let isBarred: Bool
    }

    struct Version: Encodable, Sendable {
        let number: Int
        let sent: Instant
        let lines: [ChangeTable.Line]
        /// `partial` of changes asks for it.
        let unchanged = ""
    }

    /// Masked; nil where there is none.
    let email: String?
    let messages: [String]
    let appeal: Appeal?
    /// What each answer changed, the newest first.
    let versions: [Version]
    let linkAddress: String?

    static func load(_ request: AdminRequest, _ submission: SubmissionRow, _ type: ContentType) async throws
        -> ContributorPanel?
    {
        let database = request.database
        let context = request.context
        guard let standing = try await database.contributors.find(submission.id, days: context.statusDays) else {
            return nil
        }
        let versions = try await database.contributors.versions(of: submission.id)
        let names = try await EntryNames.load(versions.map { Content(fields: $0.fields) }, of: type, database)
        let outcomes = try await database.outcomes.list(of: submission.id)
        return ContributorPanel(
            email: standing.email.map(EmailAddress.masked),
            messages: outcomes.filter { $0.state != .superseded }.map {
                words(of: $0, graceMinutes: context.graceMinutes)
            },
            appeal: standing.appeal.map { text in
                Appeal(
                    text: text, sent: Instant(standing.appealedAt ?? standing.since),
                    rejectedBy: standing.rejectedByName ?? "somebody",
                    isBarred: submission.state == .pending && standing.rejectedBy == request.actor.rowID
                        && request.actor.role != .administrator)
            },
            versions: zip(versions, versions.dropFirst()).reversed().map { old, new in
                let changes = ContentDiff.between(
                    old: Content(fields: old.fields), new: Content(fields: new.fields), type: type,
                    naming: { names($0) })
                return Version(
                    number: new.number, sent: Instant(new.sentAt),
                    lines: changes.map {
                        ChangeTable.Line(label: $0.label, runs: $0.runs.map(ChangeTable.run))
                    })
            },
            linkAddress: context.statusKey != nil && request.actor.may(.decide)
                ? QueueQuery(request.query).address("/queue/\(submission.id)/status-link") : nil)
    }

    /// What became of the message about one decision, in a sentence; the same at the command line.
    static func words(of outcome: OutcomeRow, graceMinutes: Int) -> String {
        let about = outcome.verdict == "approve" ? "approval" : outcome.verdict == "reject" ? "rejection" : "request_changes"
        switch outcome.state {
        case .waiting:
            let due = Instant(outcome.decidedAt.addingTimeInterval(Double(graceMinutes) * 60))
            return "The message about the \(about) leaves at \(due.text), unless it is undone before."
        case .noAddress: return "Nobody was written to about the \(about): there is no address."
        case .noText:
            return
                "Nothing was sent about the \(about): the text mail.outcome_\(pastWord(outcome.verdict)) or its subject "
                + "is not published."
        case .superseded: return "Nothing was sent about the \(about): it was followed by another action."
        case .notified:
            switch outcome.mail {
            case .sent: return "The message about the \(about) was sent."
            case .failed: return "The message about the \(about) could not be sent: \(outcome.mailError ?? "no reason")"
            case .canceled: return "The message about the \(about) was taken back before it was sent."
            case .waiting: return "The message about the \(about) waits for the mail server."
            case nil: return "The message about the \(about) was written."
            }
        }
    }

    private static func pastWord(_ verdict: String) -> String {
        verdict == "approve" ? "approved" : verdict == "reject" ? "rejected" : "changes_requested"
    }
}
