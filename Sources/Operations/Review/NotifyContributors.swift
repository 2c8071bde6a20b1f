// Notifies contributors and reporters of decisions once the undo window has passed: one email per decision or report.
import Domain
import FoundationEssentials
import Store

package enum NotifyContributors {
    /// Notifications per run; the next run starts within seconds.
    package static let batchSize = 200

    /// Writes each email in the transaction that completes its outcome. Without an email address or a published text
    /// nothing is sent, now or later; webhooks are notified either way. Returns how many were completed.
    package static func write(
        afterMinutes undoMinutes: Int, _ types: ContentTypes?, _ transaction: AuditedTransaction
    ) async throws -> Int {
        let due = try await transaction.outcomes.due(afterMinutes: undoMinutes, limit: batchSize)
        if due.isEmpty { return 0 }
        var notified: [(decision: UUID, state: OutcomeState)] = []
        for outcome in due {
            notified.append((outcome.decision, try await write(outcome, types, transaction)))
        }
        try await transaction.outcomes.finish(notified)
        try await eraseEmails(of: due.compactMap(\.report), transaction)
        return due.count
    }

    /// The language of a contributor who named none is English.
    package static func locale(_ locale: String?) -> String { locale ?? "en" }

    /// Email addresses of reporters are needed once. They are also erased when nobody decides for a long time.
    package static func eraseEmails(of reports: [ID<Report>], _ transaction: AuditedTransaction) async throws {
        if reports.isEmpty { return }
        try await transaction.audit(
            AuditEvent("report.erase", on: "report", detail: ["emails": .int(Int64(reports.count))]))
        try await transaction.reports.eraseEmails(of: reports)
    }

    /// Days after which the email address of an undecided report is erased.
    package static let emailDays = 180

    private static func write(
        _ outcome: DueOutcome, _ types: ContentTypes?, _ transaction: AuditedTransaction
    ) async throws -> OutcomeState {
        if outcome.report != nil { return try await writeToReporter(outcome, transaction) }
        guard let email = outcome.email, let text = MailText(outcome: outcome.verdict) else { return .noEmail }
        let locale = locale(outcome.locale)
        var values = ["title": outcome.title, "reason": "", "message": ""]
        values["message"] = FieldNotes.text(outcome.message ?? "", outcome.fieldNotes, as: types?[outcome.type])
        if let reason = outcome.reason {
            values["reason"] = try await transaction.mails.reasons([reason], in: locale)[reason] ?? reason
        }
        do {
            try await transaction.mails.write(
                text, to: MailRecipient(email: email, name: outcome.contributor ?? "", locale: locale),
                // A reviewer's message may contain the link placeholder.
                values.mapValues { $0.filter { $0 != MailDraft.linkPlaceholder } }, link: .status,
                about: outcome.submission,
                dedupe: "outcome:\(ID<Decision>(outcome.decision))")
            return .notified
        } catch Failure.refused(code: "mail_text", _) {
            return .noText
        }
    }

    private static func writeToReporter(
        _ outcome: DueOutcome, _ transaction: AuditedTransaction
    ) async throws -> OutcomeState {
        guard let email = outcome.email, let what = ReportOutcome(rawValue: outcome.verdict) else { return .noEmail }
        let locale = locale(outcome.locale)
        let sentence = try await transaction.mails.text(what.textKey, in: locale) ?? what.sentence
        let values = ["title": outcome.title, "outcome": sentence]
        do {
            try await transaction.mails.write(
                .reportDecided, to: MailRecipient(email: email, name: outcome.contributor ?? "", locale: locale),
                values.mapValues { $0.filter { $0 != MailDraft.linkPlaceholder } },
                dedupe: "outcome:\(ID<Decision>(outcome.decision))")
            return .notified
        } catch Failure.refused(code: "mail_text", _) {
            return .noText
        }
    }
}
