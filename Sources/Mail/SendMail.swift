// Sends what waits to be sent, a few mails at a time, until nothing more is due.
import Domain
import Fetch
import FoundationEssentials
import Platform
import Store

package struct SendMail: Sendable {
    /// Mails that are sent at the same time.
    package static let atOnce = 4

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

    /// Gives how many were tried. `isStopping` ends it between two batches. Without a server everything waits.
    @discardableResult
    package func callAsFunction(unless isStopping: @Sendable () -> Bool = { false }) async throws -> Int {
        guard let server = rules.server else { return 0 }
        var tried = 0
        while !isStopping() {
            let mails = try await database.work(as: Self.actor) { try await $0.mails.claim(limit: Self.atOnce) }
            if mails.isEmpty { break }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for mail in mails { group.addTask { try await send(mail, server) } }
                try await group.waitForAll()
            }
            tried += mails.count
        }
        return tried
    }

    private func send(_ mail: MailRow, _ server: MailServer) async throws {
        if let objection = rules.objection(to: mail.recipient) {
            return try await finish(mail, .refused(objection))
        }
        if mail.link == .status, rules.statusKey == nil {
            return try await finish(mail, .refused("Its link cannot be made: the key webhooks.key is unusable."))
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

    /// The body with its link, which is made now: it stands in no table, and its time begins when it leaves. Nil when
    /// nobody may have one any more.
    private func body(of mail: MailRow) async throws -> String? {
        guard let link = mail.link else { return mail.body }
        if link == .status { return try await statusBody(of: mail) }
        let token = Token.make()
        let isMade = try await database.work(as: Self.actor) {
            try await $0.mails.makeLink(of: mail.id, tokenHash: token.hash, minutes: rules.minutes(of: link))
        }
        guard isMade else { return nil }
        return mail.body.replacing(String(MailDraft.linkPlace), with: rules.address(of: link, token))
    }

    /// This link follows from the submission: whoever lost the mail finds it in the next one.
    private func statusBody(of mail: MailRow) async throws -> String? {
        guard let id = mail.submission, let key = rules.statusKey,
            let edition = try await database.contributors.edition(of: id)
        else { return nil }
        return mail.body.replacing(
            String(MailDraft.linkPlace), with: rules.publicURL + "/s/" + key.text(for: id.bytes, edition: edition))
    }

    private func finish(_ mail: MailRow, _ outcome: MailOutcome) async throws {
        let id = LogValue.text(mail.id.description)
        switch outcome {
        case .taken:
            try await note(mail, .sent, nil)
            log.info("a mail was sent", ["mail": id, "text": .text(mail.key)])
        case .refused(let reason):
            try await note(mail, .failed, reason)
            log.error("a mail was refused", ["mail": id, "text": .text(mail.key), "reason": .text(reason)])
        case .later(let reason):
            let delay = retries.delay(after: mail.attempts, chance: Double.random(in: 0...1))
            try await note(mail, delay == nil ? .failed : .waiting, reason, again: delay ?? 0)
            log.warning(
                delay == nil ? "a mail was given up" : "a mail could not be sent and is tried again",
                [
                    "mail": id, "text": .text(mail.key), "attempt": .integer(mail.attempts), "reason": .text(reason),
                ])
        }
    }

    private func note(_ mail: MailRow, _ state: MailState, _ error: String?, again: Double = 0) async throws {
        try await database.work(as: Self.actor) {
            try await $0.mails.finish(mail.id, state, error: error, againAfter: again)
        }
    }
}
