// The contributor of a submission on its review page: record, email, notifications, appeal and resubmissions.
import Domain
import FoundationEssentials
import Localization
import Store

struct ContributorPanel: Encodable, Sendable {
    struct Appeal: Encodable, Sendable {
        let text: String
        let sent: Instant
        let rejectedBy: String
        /// The signed-in person rejected it, so a different reviewer must decide.
        let isOwnRejection: Bool
    }

    struct Version: Encodable, Sendable {
        let number: Int
        let sent: Instant
        let lines: [DiffTable.Line]
        /// Required by the template of the diff.
        let unchanged = ""
    }

    /// The submissions that the record counts; the contributor's page counts more.
    private static let counted = 1000
    private static let shown = 5

    /// Nil for an anonymous one.
    let contributor: ContributorLink?
    /// Such as "15 submissions, 14 approved, last 3 d ago"; nil for an anonymous one.
    let record: String?
    /// The latest submissions except this one, newest first.
    let others: [ContributorPage.Line]
    /// Masked.
    let email: String?
    let messages: [String]
    let appeal: Appeal?
    /// The changes of each resubmission, newest first.
    let versions: [Version]
    let linkURL: String?
    /// Nil without an email address.
    let mails: MailPreview.Pair?

    static func load(_ request: AdminRequest, _ submission: SubmissionRow, _ type: ContentType) async throws
        -> ContributorPanel?
    {
        let database = request.database
        let context = request.context
        guard
            let contributor = try await database.contributors.find(
                submission.id, days: context.services.reviewPolicy.statusDays)
        else {
            return nil
        }
        let row = try await database.reputations.find(of: submission.id)
        async let record = record(of: row, database)
        async let others = others(of: row, besides: submission.id, request)
        let versions = try await database.contributors.versions(of: submission.id)
        let names = try await EntryTitles.load(versions.map { Content(fields: $0.fields) }, of: type, database)
        let outcomes = try await database.outcomes.list(of: submission.id)
        let mails = try await MailPreview.load(request, contributor, title: submission.title)
        let comparing = names.comparing(on: request)
        let changes = try await request.rendering(versions.map { Content(fields: $0.fields) }) {
            zip(versions, versions.dropFirst()).reversed().map { old, new in
                Version(
                    number: new.number, sent: Instant(new.sentAt),
                    lines: DiffTable.lines(
                        from: Content(fields: old.fields), to: Content(fields: new.fields), type, comparing))
            }
        }
        return ContributorPanel(
            contributor: row.map(ContributorLink.init), record: try await record, others: try await others,
            email: contributor.email.map(EmailAddress.masked),
            messages: outcomes.filter { $0.state != .superseded }.map {
                message(about: $0, undoWindowMinutes: context.services.reviewPolicy.undoWindowMinutes)
            },
            appeal: contributor.appeal.map { text in
                Appeal(
                    text: text, sent: Instant(contributor.appealedAt ?? contributor.since),
                    rejectedBy: contributor.rejectedByName.map(ActorName.shown)
                        ?? tr("someone", context: "rejected by"),
                    isOwnRejection: submission.state == .pending && contributor.rejectedBy == request.actor.rowID
                        && !request.actor.may(.administer))
            },
            versions: changes,
            linkURL: context.statusKey != nil && contributor.email != nil && request.actor.may(.decide)
                ? QueueQuery(request.query).url(AdminURL.submissionStatusLink(submission.id)) : nil,
            mails: mails)
    }

    private static func record(of contributor: ReputationRow?, _ database: Database) async throws -> String? {
        guard let contributor else { return nil }
        let record = try await database.reputations.record(of: contributor.id, limit: counted)
        guard let last = record.lastSeen else { return nil }
        let (approved, seen) = (record.count(.approved), Instant(last).relative)
        if record.count >= counted {
            return tr(
                "Latest \(CountText.text(counted, limit: counted)) submissions: \(approved) approved, last \(seen)")
        }
        return tr("\(BulkActionKind.Object.submission.count(record.count)), \(approved) approved, last \(seen)")
    }

    private static func others(
        of contributor: ReputationRow?, besides id: ID<Submission>, _ request: AdminRequest
    ) async throws -> [ContributorPage.Line] {
        guard let contributor else { return [] }
        let page = try await request.database.reputations.submissions(of: contributor.id, cursor: nil, limit: shown + 1)
        return page.items.filter { $0.id != id }.prefix(shown).map { ContributorPage.Line($0, request) }
    }

    /// The status of the email about a decision.
    private static func message(about outcome: OutcomeRow, undoWindowMinutes: Int) -> String {
        let subject = Self.subject(of: outcome.verdict)
        switch outcome.state {
        case .waiting:
            let due = Instant(outcome.decidedAt.addingTimeInterval(Double(undoWindowMinutes) * 60))
            return tr("Email about the \(subject): will be sent at \(due.text) unless undone.")
        case .noEmail: return tr("Email about the \(subject): not sent, because there is no email address.")
        case .noText:
            return
                tr(
                    "Email about the \(subject): not sent, because the text mail.outcome_\(textKey(outcome.verdict)) or its "
                        + "subject is not published.")
        case .superseded: return tr("Email about the \(subject): not sent, because another action followed.")
        case .notified:
            switch outcome.mail {
            case .sent: return tr("Email about the \(subject): sent.")
            case .failed:
                let error = outcome.mailError ?? tr("Unknown error.")
                return tr("Email about the \(subject): failed. \(error)")
            case .canceled: return tr("Email about the \(subject): canceled before it was sent.")
            case .waiting: return tr("Email about the \(subject): waiting for the mail server.")
            case nil: return tr("Email about the \(subject): created.")
            }
        }
    }

    /// What the email is about, within a sentence.
    static func subject(of verdict: String) -> String {
        switch verdict {
        case "approve": tr("approval", context: "email about")
        case "reject": tr("rejection", context: "email about")
        default: tr("requested changes")
        }
    }

    private static func textKey(_ verdict: String) -> String {
        verdict == "approve" ? "approved" : verdict == "reject" ? "rejected" : "changes_requested"
    }
}
