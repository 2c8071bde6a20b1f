// Bulk actions on submissions: planned, run and undone in a few statements, whatever their size.
import Domain
import FoundationEssentials
import Postgres

package struct BulkActionRow: Sendable {
    package let id: ID<BulkAction>
    package let action: BulkActionKind
    /// The query string of the list that it was created from.
    package let query: String
    package let createdBy: String
    package let createdByID: UUID
    package let createdAt: Date
    package let doneAt: Date?
    package let undoneAt: Date?
    package let publication: Int64?
    /// The number of the release that contains the approved entries.
    package let release: Int64?
    package let size: Int
    /// Items by result; those not yet run are under nil.
    package let counts: [BulkActionItemRow.Result?: Int]

    init(row: Row) throws {
        id = try row("id")
        action = BulkActionKind(rawValue: try row("action")) ?? .reject
        query = try row("query")
        createdBy = try row("created_by_name")
        createdByID = try row("created_by")
        createdAt = try row("created_at")
        doneAt = try row("done_at")
        undoneAt = try row("undone_at")
        publication = try row("publication")
        release = try row("release")
        var counts: [BulkActionItemRow.Result?: Int] = [:]
        for result in BulkActionItemRow.Result.allCases { counts[result] = try row(result.rawValue) }
        counts[nil] = try row("open")
        self.counts = counts
        size = counts.values.reduce(0, +)
    }

    package func count(_ result: BulkActionItemRow.Result) -> Int { counts[result] ?? 0 }
}

package struct BulkActionItemRow: Sendable {
    package enum Result: String, Sendable, CaseIterable {
        case done, skipped, undone
        /// Not undone because a later decision exists.
        case kept
    }

    package let id: ID<Submission>
    package let title: String
    package let type: String
    package let source: String
    package let position: Int
    package let result: Result?
    package let reason: String?

    init(row: Row) throws {
        id = try row("submission_id")
        title = try row("title")
        type = try row("type")
        source = try row("source")
        position = try row("position")
        result = (try row("result") as String?).flatMap(Result.init)
        reason = try row("reason")
    }
}

/// How many submissions of a plan share a type and source.
package struct BulkActionGroup: Sendable {
    package let type: String
    package let source: String
    package let count: Int
    /// How many of them are claimed by others now.
    package let claimed: Int
}

package struct BulkActionStore: Sendable {
    let connection: StoreConnection

    private static let lines: SQL = """
        select b.id, b.action, b.query, a.name as created_by_name, b.created_by, b.created_at, b.done_at, b.undone_at, b.publication,
            b.release, n.done, n.skipped, n.undone, n.kept, n.open
        from curation.bulk_action b join ops.actor a on a.id = b.created_by
        cross join lateral (
            select count(*) filter (where i.result = 'done') as done, count(*) filter (where i.result = 'skipped') as skipped,
                count(*) filter (where i.result = 'undone') as undone, count(*) filter (where i.result = 'kept') as kept,
                count(*) filter (where i.result is null) as open
            from curation.bulk_action_item i where i.bulk_action_id = b.id) n
        """

    package func find(_ id: ID<BulkAction>) async throws -> BulkActionRow? {
        try await connection.first("\(Self.lines) where b.id = \(id)", BulkActionRow.init)
    }

    /// The items of a bulk action in their order, optionally those with one result.
    package func items(
        of id: ID<BulkAction>, result: BulkActionItemRow.Result? = nil, after position: Int = 0, limit: Int
    ) async throws -> [BulkActionItemRow] {
        try await connection.rows(
            """
            select i.submission_id, s.title, s.type, c.name as source, i.position, i.result, i.reason
            from curation.bulk_action_item i join curation.submission s on s.id = i.submission_id
            join ops.actor c on c.id = s.client_id
            where i.bulk_action_id = \(id) and i.position > \(position) and (\(result?.rawValue)::text is null or i.result = \(result?.rawValue)::text)
            order by i.position limit \(limit)
            """, BulkActionItemRow.init)
    }

    /// What a plan contains, by type and source, largest group first.
    package func groups(of id: ID<BulkAction>, for account: UUID) async throws -> [BulkActionGroup] {
        try await connection.rows(
            """
            select s.type, c.name as source, count(*) as n, count(*) filter (
                where q.claimed_by <> \(account) and q.claimed_until > now()) as claimed
            from curation.bulk_action_item i join curation.submission s on s.id = i.submission_id
            join ops.actor c on c.id = s.client_id
            left join curation.queue_item q on q.submission_id = i.submission_id
            where i.bulk_action_id = \(id) group by s.type, c.name order by 3 desc, 1, 2 limit 50
            """
        ) {
            BulkActionGroup(
                type: try $0("type"), source: try $0("source"), count: try $0("n"), claimed: try $0("claimed"))
        }
    }

    // MARK: Planning

    /// Creates a plan for these submissions, omitting any that are not in the queue.
    package func plan(
        _ action: BulkActionKind, for ids: [ID<Submission>], query: String, by actor: Actor
    ) async throws -> ID<BulkAction> {
        try await plan(
            action, query,
            """
            select submission_id from curation.queue_item where submission_id = any(\(ids)::uuid[])
            order by received_at, submission_id
            """, actor)
    }

    /// Creates a plan for everything that matches, in order, up to the size limit.
    package func plan(
        _ action: BulkActionKind, for filter: QueueFilter, order: QueueOrder, query: String, by actor: Actor
    ) async throws -> ID<BulkAction> {
        try await plan(action, query, QueueStore.idsQuery(filter, order: order, limit: BulkActionKind.limit), actor)
    }

    private func plan(_ action: BulkActionKind, _ query: String, _ selection: SQL, _ actor: Actor) async throws -> ID<
        BulkAction
    > {
        let id: ID<BulkAction>? = try await connection.first(
            """
            insert into curation.bulk_action (action, query, created_by) values (\(action.rawValue), \(query), \(actor.rowID)) returning id
            """
        ) { try $0("id") }
        guard let id else { throw Failure.missing("bulk_action") }
        _ = try await connection.longRows(
            """
            insert into curation.bulk_action_item (bulk_action_id, submission_id, position, version)
            select \(id)::uuid, c.submission_id, row_number() over (), coalesce((
                select max(d.number) from curation.decision d where d.submission_id = c.submission_id), 0)
            from (\(selection)) c
            """
        ) { _ in }
        return id
    }

    // MARK: Running

    /// Marks the bulk action as run; false when it was run before. A concurrent run of the same one waits here.
    package func startRun(_ id: ID<BulkAction>) async throws -> Bool {
        try await connection.run(
            "update curation.bulk_action set done_at = clock_timestamp() where id = \(id) and done_at is null") > 0
    }

    /// Locks the queue items of the bulk action, always in the same order; skips those decided in the meantime, claimed
    /// by others, or decided more often than the plan recorded. Returns the rest with their versions. An appeal is not
    /// decided by the person who rejected it, and with `assignedOnly` nothing that is assigned to others.
    package func lockItems(_ id: ID<BulkAction>, for actor: Actor, assignedOnly: Bool) async throws -> [(
        id: ID<Submission>, version: Int
    )] {
        let (account, role) = (actor.rowID, actor.role)
        return try await connection.longRows(
            """
            with item as materialized (
                select submission_id, version from curation.bulk_action_item where bulk_action_id = \(id) and result is null),
            locked as materialized (
                select q.submission_id from curation.queue_item q
                where q.submission_id in (select submission_id from item)
                  and (q.claimed_by is null or q.claimed_by = \(account) or q.claimed_until <= now())
                order by q.submission_id for update),
            checked as materialized (
                select i.submission_id, i.version, h.submission_id is not null as is_locked,
                    exists (select from curation.queue_item q where q.submission_id = i.submission_id) as is_queued,
                    coalesce((select max(d.number) from curation.decision d where d.submission_id = i.submission_id), 0)
                        = i.version as is_same,
                    \(assignedOnly)::boolean
                        and exists (select from curation.bulk_action b where b.id = \(id) and b.action in ('approve', 'reject', 'request_changes'))
                        and exists (
                            select from curation.queue_item
                            where submission_id = i.submission_id and not \(DecisionStore.isDecidable(by: actor))) as is_assigned_away,
                    exists (select from curation.bulk_action b where b.id = \(id) and b.action in ('approve', 'reject', 'request_changes'))
                        and curation.rejected_by(i.submission_id, \(account), \(role)::text) as is_own_appeal
                from item i left join locked h on h.submission_id = i.submission_id),
            skipped as (
                update curation.bulk_action_item b set result = 'skipped',
                    reason = case when not j.is_queued then 'decided' when not j.is_locked then 'claimed'
                        when not j.is_same then 'changed'
                        when j.is_assigned_away then 'assigned' else 'appeal' end
                from checked j
                where b.bulk_action_id = \(id) and b.submission_id = j.submission_id and not (j.is_locked and j.is_same and not j.is_own_appeal and not j.is_assigned_away))
            select submission_id, version from checked
            where is_locked and is_same and not is_own_appeal and not is_assigned_away order by submission_id
            """
        ) { (id: try $0("submission_id"), version: try $0("version")) }
    }

    /// Skips submissions for a reason of their own.
    package func skip(_ skipped: [(id: ID<Submission>, reason: String)], in id: ID<BulkAction>) async throws {
        guard !skipped.isEmpty else { return }
        try await connection.run(
            """
            update curation.bulk_action_item b set result = 'skipped', reason = left(u.reason, 500)
            from unnest(\(skipped.map(\.id))::uuid[], \(skipped.map(\.reason))::text[]) u (id, reason)
            where b.bulk_action_id = \(id) and b.submission_id = u.id
            """)
    }

    /// Makes the same decision on all locked submissions: queue, decisions, audit events and results in one statement.
    package func decide(
        _ locked: [(id: ID<Submission>, version: Int)], in id: ID<BulkAction>, _ draft: Decision.Draft, by actor: Actor
    ) async throws {
        try await connection.run(
            """
            with input as (
                select * from unnest(\(locked.map(\.id))::uuid[], \(locked.map(\.version))::integer[]) u (id, version)),
            dequeued as (
                delete from curation.queue_item q using input i where q.submission_id = i.id
                returning q.submission_id, i.version, \(DecisionStore.triage) as triage),
            decided as (
                insert into curation.decision (submission_id, number, verdict, reason, message, bulk_action_id, triage,
                    decided_by, decider_role)
                select submission_id, version + 1, \(draft.verdict.rawValue), \(draft.reason?.rawValue)::text,
                    \(draft.message)::text, \(id)::uuid, triage, \(actor.rowID), \(actor.role)::text from dequeued),
            audited as (\(audit("submission.\(draft.verdict.rawValue)", "select submission_id as id from dequeued", id, actor)))
            update curation.bulk_action_item b set result = 'done' from dequeued t
            where b.bulk_action_id = \(id) and b.submission_id = t.submission_id
            """)
    }

    /// Records the previous values of the queue items for an undo, and marks them as done.
    package func recordEdits(_ ids: [ID<Submission>], in id: ID<BulkAction>, action: String, by actor: Actor)
        async throws
    {
        try await connection.run(
            """
            with changed as (
                update curation.bulk_action_item b set result = 'done', before = jsonb_build_object('priority', q.priority,
                    'snoozed_until', q.snoozed_until, 'assigned_to', q.assigned_to, 'assigned_role', q.assigned_role)
                from curation.queue_item q
                where b.bulk_action_id = \(id) and b.submission_id = any(\(ids)::uuid[]) and q.submission_id = b.submission_id
                returning b.submission_id)
            \(audit(action, "select submission_id as id from changed", id, actor))
            """)
    }

    package func record(publication: Int64?, release: Int64?, of id: ID<BulkAction>) async throws {
        try await connection.run(
            "update curation.bulk_action set publication = \(publication), release = \(release) where id = \(id)")
    }

    /// One audit event per submission, which names the bulk action whose own event is the parent.
    private func audit(_ action: String, _ objects: SQL, _ id: ID<BulkAction>, _ actor: Actor) -> SQL {
        """
        insert into ops.audit_event (actor_id, actor_role, action, object_type, object_id, detail, request_id, remote_address)
        select \(actor.rowID), \(actor.role)::text, \(action), 'submission', o.id::text,
            jsonb_build_object('bulk_action', \(id)::uuid), \(actor.requestID)::text, \(actor.remoteAddress)::text
        from (\(objects)) o
        """
    }

    // MARK: Undoing

    /// Marks the bulk action as undone; false when it was never run or was undone before.
    package func startUndo(_ id: ID<BulkAction>) async throws -> Bool {
        try await connection.run(
            """
            update curation.bulk_action set undone_at = clock_timestamp()
            where id = \(id) and done_at is not null and undone_at is null
            """) > 0
    }

    /// Undoes the decisions of the bulk action except those followed by later decisions. Returns the submissions.
    package func undoDecisions(of id: ID<BulkAction>, by actor: Actor) async throws -> [ID<Submission>] {
        try await connection.longRows(
            """
            with latest as materialized (
                select i.submission_id, d.id, d.number, d.bulk_action_id
                from curation.bulk_action_item i
                cross join lateral (
                    select * from curation.decision d where d.submission_id = i.submission_id
                    order by d.number desc limit 1) d
                where i.bulk_action_id = \(id) and i.result = 'done'),
            decided as (
                insert into curation.decision (submission_id, number, verdict, undoes, decided_by, decider_role)
                select submission_id, number + 1, 'undo', id, \(actor.rowID), \(actor.role)::text
                from latest where bulk_action_id = \(id)),
            audited as (\(audit(
                "submission.undo", "select submission_id as id from latest where bulk_action_id = \(id)", id, actor))),
            recorded as (
                update curation.bulk_action_item b set
                    result = case when l.bulk_action_id = \(id) then 'undone' else 'kept' end,
                    reason = case when l.bulk_action_id = \(id) then null else 'changed' end
                from latest l where b.bulk_action_id = \(id) and b.submission_id = l.submission_id)
            select submission_id from latest where bulk_action_id = \(id) order by submission_id
            """
        ) { try $0("submission_id") }
    }

    /// Restores the previous values of queue items that are still in the queue.
    package func undoQueueEdits(of id: ID<BulkAction>, by actor: Actor) async throws -> Int {
        try await connection.run(
            """
            with locked as materialized (
                select q.submission_id from curation.queue_item q
                where q.submission_id in (
                    select submission_id from curation.bulk_action_item where bulk_action_id = \(id) and result = 'done')
                order by q.submission_id for update),
            restored as (
                update curation.queue_item q set priority = (i.before ->> 'priority')::smallint,
                    snoozed_until = (i.before ->> 'snoozed_until')::timestamptz,
                    assigned_to = (i.before ->> 'assigned_to')::uuid, assigned_role = i.before ->> 'assigned_role'
                from curation.bulk_action_item i join locked l on l.submission_id = i.submission_id
                where i.bulk_action_id = \(id) and q.submission_id = i.submission_id returning q.submission_id),
            audited as (\(audit("submission.undo", "select submission_id as id from restored", id, actor)))
            update curation.bulk_action_item b set result = case when r.submission_id is null then 'kept' else 'undone' end,
                reason = case when r.submission_id is null then 'decided' end
            from (select i.submission_id from curation.bulk_action_item i where i.bulk_action_id = \(id) and i.result = 'done') i
            left join restored r on r.submission_id = i.submission_id
            where b.bulk_action_id = \(id) and b.submission_id = i.submission_id
            """)
    }

    /// Deletes plans that were not run within a day.
    package func sweep() async throws {
        try await connection.run(
            "delete from curation.bulk_action where done_at is null and created_at < now() - interval '1 day'")
    }
}
