// Decisions on submissions: one row each, never changed.
import Domain
import FoundationEssentials
import Postgres

package struct DecisionRow: Sendable {
    package let id: UUID
    package let number: Int
    /// approve, reject, request_changes, duplicate or undo; resubmit or appeal when made by the contributor.
    package let verdict: String
    package let reason: String?
    package let message: String?
    package let original: Original?
    package let originalTitle: String?
    package let bulkAction: ID<BulkAction>?
    package let decidedBy: String
    package let decidedByID: UUID
    package let decidedAt: Date

    init(row: Row) throws {
        id = try row("id")
        number = try row("number")
        verdict = try row("verdict")
        reason = try row("reason")
        message = try row("message")
        let submission: ID<Submission>? = try row("original_submission_id")
        let entry: ID<Entry>? = try row("original_entry_id")
        original = submission.map { .submission($0) } ?? entry.map { .entry($0) }
        originalTitle = try row("original_title")
        bulkAction = try row("bulk_action_id")
        decidedBy = try row("decided_by")
        decidedByID = try row("decided_by_id")
        decidedAt = try row("decided_at")
    }
}

package struct DecisionStore: Sendable {
    let connection: StoreConnection

    /// All decisions on a submission, oldest first.
    package func history(of submission: ID<Submission>) async throws -> [DecisionRow] {
        try await connection.rows(
            """
            select d.id, d.number, d.verdict, d.reason, d.message, d.original_submission_id, d.original_entry_id,
                coalesce(o.title, (
                    select r.content ->> 'title' from curation.revision r
                    where r.entry_id = d.original_entry_id order by r.number desc limit 1)) as original_title,
                d.bulk_action_id, a.name as decided_by, d.decided_by as decided_by_id, d.decided_at
            from curation.decision d join ops.actor a on a.id = d.decided_by
            left join curation.submission o on o.id = d.original_submission_id
            where d.submission_id = \(submission) order by d.number
            """, DecisionRow.init)
    }

    /// Writes decision number `number`; `decision_once` rejects it, at the latest at the commit, when another decision
    /// has that number.
    package func add(
        _ number: Int, on submission: ID<Submission>, verdict: String, reason: String?, message: String?,
        original: Original? = nil, undoes: UUID? = nil, resubmits: UUID? = nil, by actor: Actor
    ) async throws {
        try await connection.runLater(
            """
            insert into curation.decision (submission_id, number, verdict, reason, message, original_submission_id,
                original_entry_id, undoes, resubmits, decided_by, decider_role)
            values (\(submission), \(number), \(verdict), \(reason), \(message), \(original?.submission), \(original?.entry),
                \(undoes), \(resubmits), \(actor.rowID), \(actor.role))
            """)
    }

    /// Removes the submission from the queue and writes decision number `number`, in one statement. False when it was
    /// decided in the meantime, someone other than `account` has claimed it, or (with `assignedOnly`) it is assigned to
    /// others.
    package func addFromQueue(
        _ number: Int, on submission: ID<Submission>, _ draft: Decision.Draft,
        respectingClaimsExceptOf account: ID<Account>?, assignedOnly: Bool, by actor: Actor
    ) async throws -> Bool {
        try await connection.run(
            """
            with dequeued as (
                delete from curation.queue_item
                where submission_id = \(submission) and (\(account)::uuid is null
                    or claimed_by is null or claimed_by = \(account)::uuid or claimed_until <= now())
                  and (not \(assignedOnly)::boolean or \(Self.isDecidable(by: actor)))
                returning submission_id, \(Self.triage) as triage)
            insert into curation.decision (submission_id, number, verdict, reason, message, original_submission_id,
                original_entry_id, triage, decided_by, decider_role)
            select submission_id, \(number)::integer, \(draft.verdict.rawValue), \(draft.reason?.rawValue)::text,
                \(draft.message)::text, \(draft.original?.submission)::uuid, \(draft.original?.entry)::uuid, triage,
                \(actor.rowID)::uuid, \(actor.role)::text from dequeued
            """) > 0
    }

    /// Whether the actor may decide a row of `curation.queue_item`: unassigned, assigned to them or to their role.
    /// Administrators and operators may decide all; API clients and the program itself only what is not assigned.
    static func isDecidable(by actor: Actor) -> SQL {
        if actor.kind == .operator || actor.role == .administrator { return "true" }
        guard let role = actor.role else { return "(assigned_to is null and assigned_role is null)" }
        return """
            ((assigned_to is null or assigned_to = \(actor.rowID)::uuid)
             and (assigned_role is null or assigned_role = any(\(Role.allCases.filter { $0 <= role }.map(\.rawValue)))))
            """
    }

    /// The values of a queue item that are kept with its decision; null when all are defaults.
    static let triage: SQL = """
        case when priority <> 3 or assigned_to is not null or assigned_role is not null then
            jsonb_build_object('priority', priority, 'assigned_to', assigned_to, 'assigned_role', assigned_role) end
        """
}
