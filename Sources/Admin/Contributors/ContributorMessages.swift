// The mails to a contributor as they were sent, newest first, with what became of each.
import Domain
import HTTP
import Localization
import Store

struct ContributorMessages: Encodable, Sendable {
    struct Line: Encodable, Sendable {
        let subject: String
        let text: String
        /// A BCP 47 tag.
        let language: String
        /// Masked.
        let recipient: String
        let url: String?
        let state: String
        let tone: String
        /// When it was sent or given up, else when it was written.
        let when: Instant
        /// The next one, while it waits.
        let attempt: Instant?
        let error: String?
    }

    private static let perPage = 20

    let header: ContributorPage
    let lines: [Line]
    /// Where failed mails are sent again; nil for people who may not.
    let retryURL: String?
    let first: String?
    let next: String?

    static func load(_ request: AdminRequest, _ contributor: ReputationRow) async throws -> ContributorMessages {
        let cursor = request.cursor
        async let header = ContributorPage.load(request, contributor, .messages)
        let page = try await request.database.reputations.mails(to: contributor.id, cursor: cursor, limit: perPage)
        func url(_ cursor: String?) -> String {
            AdminURL.contributorMessages(contributor.id, query: ["cursor": cursor])
        }
        let mayRetry =
            request.actor.may(BackgroundTaskKind.mail.retryPermission)
            && page.items.contains { $0.state == .failed }
        return ContributorMessages(
            header: try await header, lines: page.items.map(Line.init),
            retryURL: mayRetry
                ? AdminURL.tasks(query: [
                    "kind": BackgroundTaskKind.mail.rawValue, "state": BackgroundTaskState.failed.rawValue,
                ]) : nil,
            first: cursor.map { _ in url(nil) }, next: page.next.map { url($0) })
    }
}

extension ContributorMessages.Line {
    init(_ row: ContributorMailRow) {
        let (address, masked) = (row.recipient, EmailAddress.masked(row.recipient))
        subject = row.subject
        text = row.body.replacing(
            String(MailDraft.linkPlaceholder), with: tr("[link to the status page]", context: "message"))
        language = row.locale
        recipient = masked
        url = row.submission.map { AdminURL.submission($0) }
        state = BackgroundTaskState.label(of: row.state.rawValue)
        tone = BackgroundTaskState(result: row.state.rawValue).tone
        when = Instant(row.finishedAt ?? row.createdAt)
        attempt = row.state == .waiting ? Instant(row.nextAt) : nil
        // Servers repeat the address in their responses.
        error = row.state == .sent ? nil : row.lastError?.replacing(address, with: masked)
    }
}
