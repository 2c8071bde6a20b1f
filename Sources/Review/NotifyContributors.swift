// Notifies contributors of decisions once the undo window has passed: one email per decision.
import Domain
import FoundationEssentials
import Store

package enum NotifyContributors {
    /// Notifications per run; the next run starts within seconds.
    package static let batchSize = 200

    /// Writes each email in the transaction that completes its outcome. Without an email address or a published text
    /// nothing is sent, now or later; webhooks are notified either way. Returns how many were completed.
    package static func write(afterMinutes undoMinutes: Int, _ transaction: AuditedTransaction) async throws -> Int {
        let due = try await transaction.outcomes.due(afterMinutes: undoMinutes, limit: batchSize)
        if due.isEmpty { return 0 }
        var notified: [(decision: UUID, state: OutcomeState)] = []
        for outcome in due {
            notified.append((outcome.decision, try await write(outcome, transaction)))
        }
        try await transaction.outcomes.finish(notified)
        return due.count
    }

    private static func write(_ outcome: DueOutcome, _ transaction: AuditedTransaction) async throws -> OutcomeState {
        guard let email = outcome.email, let text = MailText(outcome: outcome.verdict) else { return .noEmail }
        let locale = outcome.locale ?? "en"
        var values = ["title": outcome.title, "reason": "", "message": outcome.message ?? ""]
        if let reason = outcome.reason {
            // In the contributor's language if the team has translated it, else in English.
            values["reason"] =
                try await transaction.mails.text("mail.reason_\(reason)", in: locale)
                ?? RejectReason(rawValue: reason)?.label ?? reason
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
}
