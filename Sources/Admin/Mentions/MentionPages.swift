// The notes on submissions, entries and contributors that mention the signed-in person.
import Domain
import HTTP
import Localization
import Store

enum MentionPages {
    private static let perPage = 25

    private struct Line: Encodable, Sendable {
        let title: String
        let url: String
        /// "Submission", "Entry" or "Contributor".
        let subject: String
        let author: String
        let when: Instant
        let text: String
        let isNew: Bool
    }

    private struct List: Encodable, Sendable {
        let lines: [Line]
        /// The URL of the next page.
        let next: String?
        let isFirst: Bool
    }

    /// A mention stays new until the page of what its note is about is opened.
    static func list(_ request: AdminRequest) async throws -> Response {
        guard let account = request.session?.account else { throw Failure.missing("page") }
        let cursor = request.cursor
        let page = try await request.database.notes.mentions(of: account, cursor: cursor, limit: perPage)
        let lines = page.items.map { row in
            let (url, subject) =
                switch row.subject {
                case .submission(let id): (AdminURL.submission(id), tr("Submission", context: "mention"))
                case .entry(let id): (AdminURL.entry(id) + "#notes", tr("Entry", context: "mention"))
                case .contributor(let id): (AdminURL.contributorNotes(id), tr("Contributor", context: "mention"))
                }
            return Line(
                title: EntryPages.shown(row.title), url: url, subject: subject, author: ActorName.shown(row.author),
                when: Instant(row.writtenAt), text: row.text, isNew: !row.isSeen)
        }
        let model = List(
            lines: lines, next: page.next.map { AdminURL.mentions(query: ["cursor": $0]) }, isFirst: cursor == nil)
        return try request.page("admin/mentions/list", model, title: tr("Mentions", context: "section"))
    }
}
