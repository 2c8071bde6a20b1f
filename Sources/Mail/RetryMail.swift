// Sends a mail again that failed, once what was wrong is mended.
import Domain
import Store

package struct RetryMail: Sendable {
    private let database: Database

    package init(database: Database) {
        self.database = database
    }

    package func callAsFunction(_ id: ID<Mail>, by actor: Actor) async throws {
        try actor.require(.administer, "send mail again")
        let event = AuditEvent("mail.retry", on: "mail", id.description)
        let isWaiting = try await database.change(by: actor, event) { try await $0.mails.retry(id) }
        if isWaiting { return }
        guard try await database.mails.find(id) != nil else { throw Failure.missing("mail") }
        throw Failure.refused(code: "not_failed", message: "This mail did not fail; only failed ones are sent again.")
    }
}
