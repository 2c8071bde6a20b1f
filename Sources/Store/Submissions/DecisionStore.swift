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
    /// By the name of the field.
    package let fieldNotes: [String: String]
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
        fieldNotes = try FieldNotes.texts(row)
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

/// A submission whose decision was undone, with the entry that it approved.
package struct UndoneDecision: Sendable {
    package let submission: ID<Submission>
    package let entry: ID<Entry>?

    init(row: Row) throws {
        submission = try row("submission_id")
        entry = try row("entry_id")
    }
}

/// What keeps a person from deciding a submission or undoing its latest decision, besides permissions and stages.
package struct DecisionObstacles: Sendable {
    /// The data of the contributor was erased.
    package let isErased: Bool
    /// It is in the queue and assigned to somebody else, or to a role that the person's does not include.
    package let isAssignedToOthers: Bool
    /// The person rejected it, and it was appealed.
    package let isOwnRejection: Bool
    /// The person submitted it.
    package let isOwnSubmission: Bool
    package let undo: DecisionStore.UndoRefusal?

    init(row: Row) throws {
        isErased = try row("is_erased")
        isAssignedToOthers = try row("is_assigned_to_others")
        isOwnRejection = try row("is_own_rejection")
        isOwnSubmission = try row("is_own_submission")
        undo = (try row("undo_refusal") as String?).flatMap(DecisionStore.UndoRefusal.init)
    }
}

package struct DecisionStore: Sendable {
    let connection: StoreConnection

    /// The latest 200 decisions on a submission, oldest first; without the original of a duplicate that is outside the access scope
    /// of the page, unless it is a published entry.
    package func history(of submission: ID<Submission>) async throws -> [DecisionRow] {
        try await connection.rows(
            """
            select d.id, d.number, d.verdict, d.reason, d.message, d.field_notes, o.id as original_submission_id, e.id as original_entry_id,
                coalesce(o.title, r.content ->> 'title') as original_title,
                d.bulk_action_id, a.name as decided_by, d.decided_by as decided_by_id, d.decided_at
            from (
                select * from curation.decision where submission_id = \(submission) order by number desc limit 200) d
            join ops.actor a on a.id = d.decided_by
            left join curation.submission o on o.id = d.original_submission_id and \(AccessScope.current.submission("o"))
            left join (curation.entry e cross join lateral (\(EntryStore.shown)) r) on e.id = d.original_entry_id
            order by d.number
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

    /// Writes decisions and removes their submissions from the queue, in one statement. Returns for each why the queue
    /// refuses it, or nil when it was written.
    package func add(_ actions: [QueueAction]) async throws -> [QueueRefusal?] {
        try await connection.rows(
            """
            with \(Self.checked(actions)),
            dequeued as (
                delete from curation.queue_item q using checked c where q.submission_id = c.id and c.is_queued and c.refusal is null
                returning q.submission_id, \(Self.triage) as triage),
            decided as (
                insert into curation.decision (submission_id, number, verdict, reason, message, field_notes, original_submission_id,
                    original_entry_id, bulk_action_id, triage, decided_by, decider_role)
                select c.id, c.version + 1, c.verdict, c.reason, c.message, c.field_notes::jsonb, c.original_submission, c.original_entry, c.bulk_action,
                    t.triage, c.actor_id, c.actor_role
                from checked c left join dequeued t on t.submission_id = c.id
                where c.refusal is null)
            select refusal from checked order by position
            """, Self.refusal)
    }

    /// Locks the queue items and returns for each action why the queue refuses it, or nil. Without `waits`, locked ones are
    /// refused as claimed.
    package func lock(_ actions: [QueueAction], waits: Bool = true) async throws -> [QueueRefusal?] {
        try await connection.longRows(
            "with \(Self.checked(actions, waits: waits)) select refusal from checked order by position", Self.refusal)
    }

    private static func refusal(_ row: Row) throws -> QueueRefusal? {
        (try row("refusal") as String?).flatMap(QueueRefusal.init)
    }

    /// The actions with the reasons why the queue refuses them. The items are locked always in the same order. PostgreSQL
    /// must not see how many there are: it would plan the statement each time, which takes as long as running it.
    private static func checked(_ actions: [QueueAction], waits: Bool = true) -> SQL {
        let drafts = actions.map(\.decision)
        let lock: SQL = waits ? "for update of q" : "for update of q skip locked"
        return """
            argument as materialized (
                select \(actions.map(\.submission))::uuid[] as a, \(actions.map(\.version))::integer[] as b,
                    \(actions.map(\.actor.rowID))::uuid[] as c, \(actions.map(\.actor.role))::text[] as d,
                    \(actions.map(\.isQueued))::boolean[] as e, \(actions.map(\.respectsClaims))::boolean[] as f,
                    \(actions.map(\.respectsAssignment))::boolean[] as g, \(drafts.map { $0?.verdict.rawValue })::text[] as h,
                    \(drafts.map { $0?.reason?.rawValue })::text[] as i, \(drafts.map { $0?.message })::text[] as j,
                    \(drafts.map { $0?.original?.submission })::uuid[] as k, \(drafts.map { $0?.original?.entry })::uuid[] as l,
                    \(actions.map(\.bulkAction))::uuid[] as m, \(drafts.map { FieldNotes.json($0?.fieldNotes) })::text[] as n),
            input as materialized (
                select u.* from argument cross join lateral unnest(a, b, c, d, e, f, g, h, i, j, k, l, m, n) with ordinality
                    u (id, version, actor_id, actor_role, is_queued, respects_claims, respects_assignment, verdict, reason, message,
                        original_submission, original_entry, bulk_action, field_notes, position)),
            locked as materialized (
                select q.submission_id, q.assigned_to, q.assigned_role
                from curation.queue_item q join input i on i.id = q.submission_id
                where not i.respects_claims or q.claimed_by is null or q.claimed_by = i.actor_id or q.claimed_until <= now()
                order by q.submission_id \(lock)),
            checked as materialized (
                select i.*, case
                    when not i.is_queued then null
                    when l.submission_id is null then case when exists (
                        select from curation.queue_item q where q.submission_id = i.id) then 'claimed' else 'decided' end
                    when i.version <> coalesce((
                        select max(d.number) from curation.decision d where d.submission_id = i.id), 0) then 'changed'
                    when i.respects_assignment and \(isAssignedToOthers("l", than: "i.actor_id", role: "i.actor_role"))
                        then 'assigned'
                    when i.verdict is not null and i.version > 0 and curation.rejected_by(i.id, i.actor_id, i.actor_role)
                        then 'appeal' end as refusal
                from input i left join locked l on l.submission_id = i.id)
            """
    }

    /// Whether a queue item is assigned to somebody else, or to a role that the actor's does not include; null for no.
    private static func isAssignedToOthers(_ item: SQL, than actor: SQL, role: SQL) -> SQL {
        """
        (\(item).assigned_to <> \(actor)
            or \(item).assigned_role is not null and not ops.role_includes(\(role), \(item).assigned_role))
        """
    }

    /// What keeps the actor from deciding, for a page that shows only what they can do; nil if there is no such
    /// submission. `add` and `undo` refuse it in any case.
    package func obstacles(
        to actor: Actor, on submission: ID<Submission>, graceMinutes: Int
    ) async throws -> DecisionObstacles? {
        let person: SQL = "\(actor.rowID)::uuid"
        let role: SQL = "\(actor.role)::text"
        return try await connection.first(
            """
            select s.erased_at is not null as is_erased,
                coalesce((
                    select \(Self.isAssignedToOthers("q", than: person, role: role))
                    from curation.queue_item q where q.submission_id = s.id), false) as is_assigned_to_others,
                coalesce(curation.rejected_by(s.id, \(person), \(role)), false) as is_own_rejection,
                s.client_id = \(person) or exists (
                    select from ops.account a where a.id = \(person) and lower(a.email) = lower(s.contributor_email)
                ) as is_own_submission, (
                    select \(Self.refusal(graceMinutes, by: actor)) from curation.decision d
                    where d.submission_id = s.id order by d.number desc limit 1) as undo_refusal
            from curation.submission s where s.id = \(submission)
            """, DecisionObstacles.init)
    }

    // MARK: Undo

    /// Why a decision is not undone although it is the latest one.
    package enum UndoRefusal: String, Sendable {
        /// The data of the contributor was erased.
        case erased
        /// Somebody else edited the entry since its approval.
        case edited
        /// The approved entry is published, and only publishers undo that.
        case published
        /// It is in a scheduled release, which only publishers change.
        case scheduled
    }

    /// Undoes the latest decision on a submission, unless it is another one than number `version`, or `refusal` has a reason.
    /// For `graceMinutes` the decider may undo it, with everything that followed.
    package func undo(
        _ submission: ID<Submission>, version: Int, graceMinutes: Int, by actor: Actor
    ) async throws -> [UndoneDecision] {
        try await connection.rows(
            Self.undo("d.number = \(version)", "select \(submission)::uuid", graceMinutes, by: actor),
            UndoneDecision.init)
    }

    /// Why the latest decisions on submissions can't be undone by the actor; omits those it can undo.
    package func undoRefusals(
        of submissions: [ID<Submission>], graceMinutes: Int, by actor: Actor
    ) async throws -> [ID<Submission>: UndoRefusal] {
        let rows = try await connection.rows(
            """
            select i.id, \(Self.refusal(graceMinutes, by: actor)) as reason
            from unnest(\(submissions)::uuid[]) i (id)
            cross join lateral (
                select * from curation.decision d where d.submission_id = i.id order by d.number desc limit 1) d
            """
        ) { (id: try $0("id") as ID<Submission>, refusal: (try $0("reason") as String?).flatMap(UndoRefusal.init)) }
        return Dictionary(rows.compactMap { row in row.refusal.map { (row.id, $0) } }) { first, _ in first }
    }

    /// The refusal of undoing the decision `d`, or null. An undone approval unpublishes its entry and removes it from
    /// releases: that takes back what others edited, and beyond the grace period it is what a publisher does. Anybody who
    /// decides may undo what screening approved; a command approves for the operator.
    private static func refusal(_ graceMinutes: Int, by actor: Actor) -> SQL {
        """
        case when exists (
                select from curation.submission s where s.id = d.submission_id and s.erased_at is not null)
                then 'erased'
            when d.verdict <> 'approve' then null
            when exists (
                select from curation.entry e
                join curation.revision r on r.entry_id = e.id and r.number > 1 and r.author_id <> \(actor.rowID)::uuid
                where e.submission_id = d.submission_id) then 'edited'
            when not \(actor.may(.publish))::boolean
                and (d.decided_by <> \(actor.rowID)::uuid
                    or d.decided_at < now() - make_interval(mins => \(graceMinutes)))
                and d.decided_by <> \(SystemActor.system)::uuid
                then case when exists (
                    select from curation.entry e join curation.live l on l.entry_id = e.id
                    where e.submission_id = d.submission_id) then 'published'
                when exists (
                    select from curation.entry e join curation.release_item i on i.entry_id = e.id
                    join curation.release r on r.id = i.release_id and r.state = 'scheduled'
                    where e.submission_id = d.submission_id) then 'scheduled' end end
        """
    }

    /// Undoes the decisions of a bulk action except those followed by later decisions, and those with a `refusal`.
    package func undo(
        _ id: ID<BulkAction>, graceMinutes: Int, by actor: Actor
    ) async throws -> [UndoneDecision] {
        let statement = Self.undo(
            "d.bulk_action_id = \(id)",
            "select submission_id from curation.bulk_action_item where bulk_action_id = \(id) and result = 'done'",
            graceMinutes, by: actor)
        return try await connection.longRows(statement, UndoneDecision.init)
    }

    private static func undo(_ condition: SQL, _ submissions: SQL, _ graceMinutes: Int, by actor: Actor) -> SQL {
        """
        with latest as materialized (
            select d.submission_id, d.id, d.number, d.verdict
            from (\(submissions)) i (id)
            cross join lateral (
                select * from curation.decision d where d.submission_id = i.id order by d.number desc limit 1) d
            where (\(condition)) and (\(refusal(graceMinutes, by: actor))) is null),
        undone as (
            insert into curation.decision (submission_id, number, verdict, undoes, decided_by, decider_role)
            select submission_id, number + 1, 'undo', id, \(actor.rowID)::uuid, \(actor.role)::text from latest)
        select submission_id, (
            select e.id from curation.entry e where l.verdict = 'approve' and e.submission_id = l.submission_id) as entry_id
        from latest l order by submission_id
        """
    }

    /// The values of a queue item that are kept with its decision; null when all are defaults.
    static let triage: SQL = """
        case when priority <> 3 or assigned_to is not null or assigned_role is not null then
            jsonb_build_object('priority', priority, 'assigned_to', assigned_to, 'assigned_role', assigned_role) end
        """
}
