// Decisions about submissions: each is a row, none is ever changed.
import Domain
import FoundationEssentials
import Postgres

package struct DecisionRow: Sendable {
    package let id: UUID
    package let number: Int
    /// accept, reject, return, duplicate or undo.
    package let verdict: String
    package let reason: String?
    package let message: String?
    package let decidedBy: String
    package let decidedAt: Date

    init(row: Row) throws {
        id = try row("id")
        number = try row("number")
        verdict = try row("verdict")
        reason = try row("reason")
        message = try row("message")
        decidedBy = try row("decided_by")
        decidedAt = try row("decided_at")
    }
}

package struct DecisionStore: Sendable {
    let connection: StoreConnection

    /// All decisions about a submission, oldest first.
    package func history(of submission: ID<Submission>) async throws -> [DecisionRow] {
        try await connection.rows(
            """
            select d.id, d.number, d.verdict, d.reason, d.message, a.name as decided_by, d.decided_at
            from curation.decision d join ops.actor a on a.id = d.decided_by
            where d.submission_id = \(submission) order by d.number
            """, DecisionRow.init)
    }

    /// Writes decision number `number`; `decision_once` refuses when another one came first, at the latest at the commit.
    package func add(
        _ number: Int, on submission: ID<Submission>, verdict: String, reason: String?, message: String?,
        undoes: UUID? = nil, by actor: Actor
    ) async throws {
        try await connection.runLater(
            """
            insert into curation.decision (submission_id, number, verdict, reason, message, undoes, decided_by, decider_role)
            values (\(submission), \(number), \(verdict), \(reason), \(message), \(undoes), \(actor.rowID), \(actor.role))
            """)
    }
}
