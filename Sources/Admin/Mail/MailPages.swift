// The mails with their states, and retrying failed ones.
import Domain
import FoundationEssentials
import HTTP
import Localization
import Mail
import Store

enum MailPages {
    private static let perPage = 50

    struct Line: Encodable, Sendable {
        let id: ID<Mail>
        let key: String
        let recipient: String
        let subject: String
        let state: String
        let tone: String
        let reason: String?
        /// The time of the next attempt.
        let next: Instant?
        let created: Instant
        let mayRetry: Bool

        init(_ row: MailRow, _ request: AdminRequest) {
            id = row.id
            key = row.key
            recipient = row.recipient
            subject = row.subject
            state = row.state.label
            tone =
                switch row.state {
                case .waiting: "wait"
                case .sent: "ok"
                case .failed: "bad"
                case .canceled: ""
                }
            reason = row.state == .sent ? nil : row.lastError
            next = row.state == .waiting && row.attempts > 0 ? Instant(row.nextAt) : nil
            created = Instant(row.createdAt)
            mayRetry = row.state == .failed
        }
    }

    private struct List: Encodable, Sendable {
        let isMailConfigured: Bool
        let states: [PageContext.Link]
        let mails: [Line]
        let first: String?
        let next: String?
    }

    static func list(_ request: AdminRequest) async throws -> Response {
        let state = request.query.first("state").flatMap { MailState(rawValue: $0) }
        let cursor = request.query.first("cursor")
        let page = try await request.database.mails.page(state: state, cursor: cursor, limit: perPage)
        let states =
            [PageContext.Link(label: tr("All", context: "list"), url: AdminURL.mail(), isHere: state == nil)]
            + MailState.allCases.map { one in
                PageContext.Link(
                    label: one.label,
                    url: AdminURL.mail(query: ["state": one.rawValue]), isHere: one == state)
            }
        let model = List(
            isMailConfigured: request.context.mail.isConfigured, states: states,
            mails: page.items.map { Line($0, request) },
            first: cursor == nil ? nil : AdminURL.mail(query: ["state": state?.rawValue]),
            next: page.next.map { AdminURL.mail(query: ["state": state?.rawValue, "cursor": $0]) })
        return try request.page("admin/mail/list", model, title: tr("Mail", context: "list"))
    }

    static func retry(_ request: AdminRequest) async throws -> Response {
        try await request.services.retryMail(try request.id(), by: request.actor)
        return request.redirect(to: AdminURL.mail(), Flash(tr("Mail queued again.")))
    }
}
