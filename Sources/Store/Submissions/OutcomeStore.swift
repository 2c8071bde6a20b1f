// What is told of decisions: each waits for its grace time, is told once, or gives way to a later action (m0024_contributors.sql).
import Domain
import FoundationEssentials
import Postgres

/// A decision that may be told now.
package struct DueOutcome: Sendable {
    package let decision: UUID
    package let submission: ID<Submission>
    package let verdict: String
    package let reason: String?
    package let message: String?
    package let title: String
    package let contributor: String?
    package let email: String?
    package let locale: String?

    init(row: Row) throws {
        decision = try row("decision_id")
        submission = try row("submission_id")
        verdict = try row("verdict")
        reason = try row("reason")
        message = try row("message")
        title = try row("title")
        contributor = try row("contributor")
        email = try row("contributor_email")
        locale = try row("contributor_locale")
    }
}

package enum OutcomeState: String, Sendable, CaseIterable {
    /// Its grace time is not over, or nobody has looked since.
    case waiting
    /// A mail was written.
    case notified
    case noAddress = "no_address"
    /// The text that it is rendered from is not published.
    case noText = "no_text"
    /// Something was done after it, before it was told.
    case superseded
}

/// What became of the newest decision's message.
package struct OutcomeRow: Sendable {
    package let verdict: String
    package let state: OutcomeState
    package let decidedAt: Date
    package let finishedAt: Date?
    /// Of the mail, where one was written.
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

    /// The messages about a submission, newest first.
    package func list(of id: ID<Submission>, limit: Int = 20) async throws -> [OutcomeRow] {
        try await connection.rows(
            """
            select d.verdict, o.state, o.decided_at, o.finished_at, m.state as mail_state, m.last_error
            from ops.outcome o join curation.decision d on d.id = o.decision_id
            left join ops.mail m on m.dedupe = 'outcome:' || o.decision_id
            where o.submission_id = \(id) order by d.number desc limit \(limit)
            """, OutcomeRow.init)
    }

    /// Locks those whose grace time is over: from the very moment on.
    package func due(afterMinutes grace: Int, limit: Int) async throws -> [DueOutcome] {
        try await connection.rows(
            """
            with due as materialized (
                select decision_id, submission_id, decided_at from ops.outcome
                where state = 'waiting' and decided_at + make_interval(mins => \(grace)::integer) <= clock_timestamp()
                order by decided_at, decision_id limit \(limit) for update skip locked)
            select o.decision_id, o.submission_id, d.verdict, d.reason, d.message, s.contributor, s.contributor_email, s.contributor_locale,
                coalesce(v.title, s.title) as title
            from due o join curation.decision d on d.id = o.decision_id
            join curation.submission s on s.id = o.submission_id
            left join lateral (
                select title from curation.submission_version v where v.submission_id = s.id order by v.number desc limit 1) v
                on true
            order by o.decided_at, o.decision_id
            """, DueOutcome.init)
    }

    /// Ends them all in one statement, and tells webhooks of them.
    package func finish(_ outcomes: [(decision: UUID, state: OutcomeState)]) async throws {
        try await connection.run(
            """
            update ops.outcome o set state = u.state, finished_at = clock_timestamp()
            from unnest(\(outcomes.map(\.decision))::uuid[], \(outcomes.map(\.state.rawValue))::text[]) u (id, state)
            where o.decision_id = u.id and o.state = 'waiting'
            """)
        try await connection.run("select ops.notify_decisions(\(outcomes.map(\.decision))::uuid[])")
    }
}
