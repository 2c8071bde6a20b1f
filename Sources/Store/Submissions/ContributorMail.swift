// The mails to a contributor, with what became of each.
import Domain
import FoundationEssentials
import Postgres

package struct ContributorMailRow: Sendable {
    package let id: ID<Mail>
    /// Nil for one about a report that they sent.
    package let submission: ID<Submission>?
    package let recipient: String
    package let locale: String
    package let subject: String
    /// With the placeholder of its link, which is stored nowhere.
    package let body: String
    package let state: MailState
    /// Of the next attempt, while it waits.
    package let nextAt: Date
    package let lastError: String?
    package let createdAt: Date
    package let finishedAt: Date?

    init(row: Row) throws {
        id = try row("id")
        submission = try row("submission_id")
        recipient = try row("recipient")
        locale = try row("locale")
        subject = try row("subject")
        body = try row("body")
        state = try row("state")
        nextAt = try row("next_at")
        lastError = try row("last_error")
        createdAt = try row("created_at")
        finishedAt = try row("finished_at")
    }
}

extension ReputationStore {
    /// How many submissions of a contributor are looked at, as in its record.
    private static let latest = 10_000

    /// The ids of the mails about their latest submissions, and about the reports that they sent, in the access scope of
    /// the page. Erasing a contributor deletes these mails.
    static func mails(to id: ID<Contributor>) -> SQL {
        """
        select m.id from (
            select s.id from curation.contributor c join curation.submission s on \(submissions(AccessScope.current))
            where c.id = \(id) order by s.received_at desc limit \(latest)) sent
        join ops.outbox_message m on m.submission_id = sent.id and m.account_id is null
        union all
        select m.id from curation.contributor c
        join curation.report r on r.client_id = c.client_id and r.reporter = c.name
        join curation.report_case k on k.id = r.case_id join curation.entry e on e.id = k.entry_id
        join ops.outbox_message m on m.dedupe = 'outcome:' || r.id
        where c.id = \(id) and \(AccessScope.current.entry("e"))
        """
    }

    /// The newest first, in the access scope of the page.
    package func mails(
        to id: ID<Contributor>, cursor: String?, limit: Int
    ) async throws -> Page<ContributorMailRow> {
        var condition: SQL = "true"
        if let cursor { condition = "x.id < \(try Cursor(parsing: cursor, count: 1).uuid(0))" }
        let rows = try await connection.rows(
            """
            select m.id, m.submission_id, m.recipient, m.locale, m.subject, m.body, m.state, m.next_at, m.last_error,
                m.created_at, m.finished_at
            from (select x.id from (\(Self.mails(to: id))) x
                where \(condition) order by x.id desc limit \(limit + 1)) p
            join ops.outbox_message m on m.id = p.id order by m.id desc
            """, ContributorMailRow.init)
        return Page(rows: rows, limit: limit) { Cursor([$0.id.description]) }
    }
}
