// Attempts to send a mail; its link is created for the attempt.
import Domain
import Fetch
import FoundationEssentials
import Localization
import Platform
import Store

package struct SendMail: Sendable {
    package let retries: RetrySchedule
    private let database: Database
    private let rules: MailRules
    private let server: MailServer
    private let client: FetchClient

    /// Nil without a mail server: mails stay queued.
    package init?(database: Database, rules: MailRules, client: FetchClient, retries: RetrySchedule = .mail) {
        guard let server = rules.server else { return nil }
        self.database = database
        self.rules = rules
        self.server = server
        self.client = client
        self.retries = retries
    }

    /// Nil if the mail is not waiting anymore.
    package func attempt(_ message: OutboxMessage) async throws -> SendAttempt? {
        guard let mail = try await database.mails.find(ID(message.id.uuid)), mail.state == .waiting else { return nil }
        if let problem = rules.problem(with: mail.recipient) { return SendAttempt(.refused(problem)) }
        if mail.link == .status, rules.statusKey == nil {
            return SendAttempt(.refused(tr("Its link can't be created: the key webhooks.key is unusable.")))
        }
        guard let body = try await body(of: mail) else { return SendAttempt(.canceled) }
        let formatted = MailMessage(
            id: mail.id, from: rules.from, fromName: rules.fromName, recipient: mail.recipient, subject: mail.subject,
            body: body, date: Date())
        switch await client.mail(formatted.bytes, from: rules.from, to: mail.recipient, by: server) {
        case .taken: return SendAttempt(.sent)
        case .refused(let reason): return SendAttempt(.refused(reason))
        case .later(let reason): return SendAttempt(.later(reason))
        }
    }

    /// The body with its link, which is created now: no table stores it, and its lifetime starts when it is sent. Nil when
    /// the account may no longer have one.
    private func body(of mail: MailRow) async throws -> String? {
        guard let link = mail.link else { return mail.body }
        if link == .status { return try await statusBody(of: mail) }
        let token = Token.make()
        let isCreated = try await database.work(as: Actor(kind: .system, name: "schedule")) {
            try await $0.mails.createLink(of: mail.id, tokenHash: token.hash, minutes: rules.minutes(of: link))
        }
        guard isCreated else { return nil }
        return mail.body.replacing(String(MailDraft.linkPlaceholder), with: rules.url(of: link, token))
    }

    /// This link is derived from the submission, so every mail about it contains the same one. Nil for anybody but its
    /// contributor, and once their data was erased.
    private func statusBody(of mail: MailRow) async throws -> String? {
        guard let id = mail.submission, let key = rules.statusKey,
            let edition = try await database.contributors.edition(of: id, for: mail.recipient)
        else { return nil }
        return mail.body.replacing(
            String(MailDraft.linkPlaceholder),
            with: rules.publicURL + AdminURL.status(key.text(for: id.bytes, edition: edition))
        )
    }
}
