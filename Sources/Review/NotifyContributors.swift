// Tells contributors what was decided, once the time in which it may be undone is over: one mail a decision.
import Domain
import FoundationEssentials
import Store

package enum NotifyContributors {
    /// Messages of one run; the next comes within seconds.
    package static let atOnce = 200

    /// Each is told in the transaction that ends it. Where there is no address, or the text is not published, nothing is
    /// sent, now or later; webhooks are told all the same.
    package static func write(afterMinutes grace: Int, _ change: Change) async throws {
        let due = try await change.outcomes.due(afterMinutes: grace, limit: atOnce)
        if due.isEmpty { return }
        var notified: [(decision: UUID, state: OutcomeState)] = []
        for outcome in due {
            notified.append((outcome.decision, try await write(outcome, change)))
        }
        try await change.outcomes.finish(notified)
    }

    private static func write(_ outcome: DueOutcome, _ change: Change) async throws -> OutcomeState {
        guard let email = outcome.email, let text = MailText(outcome: outcome.verdict) else { return .noAddress }
        let locale = outcome.locale ?? "en"
        var values = ["title": outcome.title, "reason": "", "message": outcome.message ?? ""]
        if let reason = outcome.reason {
            // In their language where the team wrote it, else in English.
            values["reason"] =
                try await change.mails.word("mail.reason_\(reason)", in: locale)
                ?? RejectReason(rawValue: reason)?.label ?? reason
        }
        do {
            try await change.mails.write(
                text, to: MailRecipient(email: email, name: outcome.contributor ?? "", locale: locale),
                // A curator may have pasted anything.
                values.mapValues { $0.filter { $0 != MailDraft.linkPlace } }, link: .status, about: outcome.submission,
                dedupe: "outcome:\(ID<Decision>(outcome.decision))")
            return .notified
        } catch Failure.refused(code: "mail_text", _) {
            return .noText
        }
    }
}
