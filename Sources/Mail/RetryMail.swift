// Retries a failed mail.
import Domain
import Localization
import Store

package struct RetryMail: Sendable {
    private let database: Database

    package init(database: Database) {
        self.database = database
    }

    package func callAsFunction(_ id: ID<Mail>, by actor: Actor) async throws {
        try actor.require(.administer, tr("retry mails"))
        let event = AuditEvent("mail.retry", on: "mail", id.description)
        let isQueued = try await database.transaction(by: actor, event) { try await $0.mails.retry(id) }
        if isQueued { return }
        guard try await database.mails.find(id) != nil else { throw Failure.missing("mail") }
        throw Failure.refused(code: "not_failed", message: tr("Only failed mails can be retried."))
    }
}
