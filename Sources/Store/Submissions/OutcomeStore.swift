// Notifications about decisions: each waits for its undo window, then is sent once or superseded by a later decision.
import Domain
import FoundationEssentials
import Postgres

/// A decision whose notification is due: on a submission, or on the case of a report.
package struct DueOutcome: Sendable {
    /// The decision on a submission, or the report.
    package let decision: UUID
    /// Nil for a report.
    package let submission: ID<Submission>?
    package let report: ID<Report>?
    /// Or the outcome of a report case.
    package let verdict: String
    package let reason: String?
    package let message: String?
    /// By the name of the field.
    package let fieldNotes: [String: String]
    package let type: String
    package let title: String
    package let contributor: String?
    package let email: String?
    package let locale: String?

    init(row: Row) throws {
        decision = try row("decision_id")
        submission = try row("submission_id")
        report = try row("report_id")
        verdict = try row("verdict")
        reason = try row("reason")
        message = try row("message")
        fieldNotes = try FieldNotes.texts(row)
        type = try row("type")
        title = try row("title")
        contributor = try row("contributor")
        email = try row("contributor_email")
        locale = try row("contributor_locale")
    }
}

package enum OutcomeState: String, Sendable, CaseIterable {
    /// Its undo window is open, or it has not been processed since.
    case waiting
    /// A mail was written.
    case notified
    case noEmail = "no_email"
    /// The text to render is not published.
    case noText = "no_text"
    /// A later decision was made before the notification.
    case superseded
}

/// The state of the notification about one decision.
package struct OutcomeRow: Sendable {
    package let verdict: String
    package let state: OutcomeState
    package let decidedAt: Date
    package let finishedAt: Date?
    /// The state of the mail, if one was written.
    package let mail: MailState?
    package let mailError: String?

    init(row: Row) throws {
        verdict = try row("verdict")
        state = OutcomeState(rawValue: try row("state")) ?? .waiting
        decidedAt = try row("decided_at")
        finishedAt = try row("finished_at")
        mail = try row("mail_state")
        mailError = try row("last_error")
    }
}

package struct OutcomeStore: Sendable {
    let connection: StoreConnection

    /// The notifications about a submission, newest first.
    package func list(of id: ID<Submission>, limit: Int = 20) async throws -> [OutcomeRow] {
        try await connection.rows(
            """
            select d.verdict, o.state, o.decided_at, o.finished_at, m.state as mail_state, m.last_error
            from ops.outcome o join curation.decision d on d.id = o.decision_id
            left join ops.outbox_message m on m.dedupe = 'outcome:' || o.decision_id
            where o.submission_id = \(id) order by d.number desc limit \(limit)
            """, OutcomeRow.init)
    }

    /// Locks the notifications whose undo window has ended, from that exact moment on.
    package func due(afterMinutes minutes: Int, limit: Int) async throws -> [DueOutcome] {
        try await connection.rows(
            """
            with due as materialized (
                select decision_id, submission_id, report_id, decided_at from ops.outcome
                where state = 'waiting' and decided_at + make_interval(mins => \(minutes)::integer) <= clock_timestamp()
                order by decided_at, decision_id limit \(limit) for update skip locked)
            select o.decision_id, o.submission_id, o.report_id, coalesce(d.verdict, c.outcome) as verdict, d.reason, d.message,
                coalesce(d.field_notes, '{}') as field_notes, coalesce(s.type, e.type) as type,
                coalesce(s.contributor, r.reporter) as contributor,
                coalesce(s.contributor_email, r.reporter_email) as contributor_email,
                coalesce(s.contributor_locale, r.reporter_locale) as contributor_locale,
                coalesce(v.title, s.title, p.content ->> 'title', '') as title
            from due o left join curation.decision d on d.id = o.decision_id
            left join curation.submission s on s.id = o.submission_id
            left join curation.report r on r.id = o.report_id left join curation.report_case c on c.id = r.case_id
            left join curation.entry e on e.id = c.entry_id left join curation.revision p on p.id = c.revision_id
            \(SubmissionStore.latestVersion("title"))
            order by o.decided_at, o.decision_id
            """, DueOutcome.init)
    }

    /// Finishes all of them in one statement and notifies webhooks.
    package func finish(_ outcomes: [(decision: UUID, state: OutcomeState)]) async throws {
        try await connection.run(
            """
            update ops.outcome o set state = u.state, finished_at = clock_timestamp()
            from unnest(\(outcomes.map(\.decision))::uuid[], \(outcomes.map(\.state.rawValue))::text[]) u (id, state)
            where o.decision_id = u.id and o.state = 'waiting'
            """)
        // Those of report cases were notified when they were decided.
        try await connection.run("select ops.notify_decisions(\(outcomes.map(\.decision))::uuid[])")
    }
}
