// Sends queued mails, a few at a time, until none is due.
import Domain
import Fetch
import FoundationEssentials
import Localization
import Platform
import Store

package struct SendMail: Sendable {
    /// Mails sent concurrently.
    package static let concurrency = 4

    private let database: Database
    private let rules: MailRules
    private let client: FetchClient
    private let retries: MailRetries
    private let log: Logger

    package init(
        database: Database, rules: MailRules, client: FetchClient, retries: MailRetries = .standard, log: Logger
    ) {
        self.database = database
        self.rules = rules
        self.client = client
        self.retries = retries
        self.log = log
    }

    private static let actor = Actor(kind: .system, name: "schedule")

    /// Returns how many were attempted. `isStopping` ends it between batches. Without a server every mail stays queued.
    @discardableResult
    package func callAsFunction(unless isStopping: @Sendable () -> Bool = { false }) async throws -> Int {
        guard let server = rules.server else { return 0 }
        var attempted = 0
        while !isStopping() {
            let mails = try await database.work(as: Self.actor) { try await $0.mails.claim(limit: Self.concurrency) }
            if mails.isEmpty { break }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for mail in mails { group.addTask { try await send(mail, server) } }
                try await group.waitForAll()
            }
            attempted += mails.count
        }
        return attempted
    }

    private func send(_ mail: MailRow, _ server: MailServer) async throws {
        if let problem = rules.problem(with: mail.recipient) {
            return try await finish(mail, .refused(problem))
        }
        if mail.link == .status, rules.statusKey == nil {
            return try await finish(mail, .refused(tr("Its link can't be created: the key webhooks.key is unusable.")))
        }
        guard let body = try await body(of: mail) else {
            return try await database.work(as: Self.actor) {
                try await $0.mails.finish(mail.id, .canceled, error: nil)
            }
        }
        let message = MailMessage(
            id: mail.id, from: rules.from, fromName: rules.fromName, recipient: mail.recipient, subject: mail.subject,
            body: body, date: Date())
        try await finish(mail, await client.mail(message.bytes, from: rules.from, to: mail.recipient, by: server))
    }

    /// The body with its link, which is created now: no table stores it, and its lifetime starts when it is sent. Nil when
    /// the account may no longer have one.
    private func body(of mail: MailRow) async throws -> String? {
        guard let link = mail.link else { return mail.body }
        if link == .status { return try await statusBody(of: mail) }
        let token = Token.make()
        let isCreated = try await database.work(as: Self.actor) {
            try await $0.mails.createLink(of: mail.id, tokenHash: token.hash, minutes: rules.minutes(of: link))
        }
        guard isCreated else { return nil }
        return mail.body.replacing(String(MailDraft.linkPlaceholder), with: rules.url(of: link, token))
    }

    /// This link is derived from the submission, so every mail about it contains the same one.
    private func statusBody(of mail: MailRow) async throws -> String? {
        guard let id = mail.submission, let key = rules.statusKey,
            let edition = try await database.contributors.edition(of: id)
        else { return nil }
        return mail.body.replacing(
            String(MailDraft.linkPlaceholder),
            with: rules.publicURL + AdminURL.status(key.text(for: id.bytes, edition: edition))
        )
    }

    private func finish(_ mail: MailRow, _ outcome: MailOutcome) async throws {
        let id = LogValue.text(mail.id.description)
        switch outcome {
        case .taken:
            try await record(mail, .sent, nil)
            log.info("mail sent", ["mail": id, "text": .text(mail.key)])
        case .refused(let reason):
            try await record(mail, .failed, reason)
            log.error("mail refused", ["mail": id, "text": .text(mail.key), "reason": .text(reason)])
        case .later(let reason):
            let delay = retries.delay(after: mail.attempts, chance: Double.random(in: 0...1))
            try await record(mail, delay == nil ? .failed : .waiting, reason, retryAfter: delay ?? 0)
            log.warning(
                delay == nil ? "mail failed, no attempts left" : "mail not sent, will be retried",
                [
                    "mail": id, "text": .text(mail.key), "attempt": .integer(mail.attempts), "reason": .text(reason),
                ])
        }
    }

    private func record(_ mail: MailRow, _ state: MailState, _ error: String?, retryAfter seconds: Double = 0)
        async throws
    {
        try await database.work(as: Self.actor) {
            try await $0.mails.finish(mail.id, state, error: error, retryAfter: seconds)
        }
    }
}
