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

    /// The submissions to run it on, in the order of their ids, with the number of their decisions when it was planned.
    package func planned(_ id: ID<BulkAction>) async throws -> [(id: ID<Submission>, version: Int)] {
        try await connection.longRows(
            """
            select submission_id, version from curation.bulk_action_item
            where bulk_action_id = \(id) and result is null order by submission_id
            """
        ) { (id: try $0("submission_id"), version: try $0("version")) }
    }

    /// Keeps the values of queue items that the bulk action is about to change, for an undo.
    package func keepValues(of ids: [ID<Submission>], in id: ID<BulkAction>) async throws {
        try await connection.run(
            """
            update curation.bulk_action_item b set before = jsonb_build_object('priority', q.priority,
                'snoozed_until', q.snoozed_until, 'assigned_to', q.assigned_to, 'assigned_role', q.assigned_role)
            from curation.queue_item q
            where b.bulk_action_id = \(id) and b.submission_id = any(\(ids)::uuid[]) and q.submission_id = b.submission_id
            """)
    }

    /// Records what became of each submission: done, or skipped for a reason; and what was published.
    package func finish(
        _ results: [(id: ID<Submission>, skipped: String?)], publication: Int64? = nil, release: Int64? = nil,
        of id: ID<BulkAction>
    ) async throws {
        _ = try await connection.longRows(
            """
            with published as (
                update curation.bulk_action set publication = \(publication), release = \(release) where id = \(id))
            update curation.bulk_action_item b
            set result = case when u.reason is null then 'done' else 'skipped' end, reason = left(u.reason, 500)
            from unnest(\(results.map(\.id))::uuid[], \(results.map(\.skipped))::text[]) u (id, reason)
            where b.bulk_action_id = \(id) and b.submission_id = u.id
            """
        ) { _ in }
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

    /// Records which submissions were undone; the others keep their state, because of a later change.
    package func finishUndo(
        of id: ID<BulkAction>, undone: [ID<Submission>], keptBecause reason: String
    ) async throws {
        try await connection.run(
            """
            update curation.bulk_action_item b set result = case when u.is_undone then 'undone' else 'kept' end,
                reason = case when u.is_undone then null else \(reason)::text end
            from (
                select submission_id, submission_id = any(\(undone)::uuid[]) as is_undone from curation.bulk_action_item
                where bulk_action_id = \(id) and result = 'done') u
            where b.bulk_action_id = \(id) and b.submission_id = u.submission_id
            """)
    }

    /// Restores the previous values of queue items that are still in the queue, and returns these.
    package func restoreValues(of id: ID<BulkAction>) async throws -> [ID<Submission>] {
        try await connection.longRows(
            """
            with locked as materialized (
                select q.submission_id from curation.queue_item q
                where q.submission_id in (
                    select submission_id from curation.bulk_action_item where bulk_action_id = \(id) and result = 'done')
                order by q.submission_id for update)
            update curation.queue_item q set priority = (i.before ->> 'priority')::smallint,
                snoozed_until = (i.before ->> 'snoozed_until')::timestamptz,
                assigned_to = (i.before ->> 'assigned_to')::uuid, assigned_role = i.before ->> 'assigned_role'
            from curation.bulk_action_item i join locked l on l.submission_id = i.submission_id
            where i.bulk_action_id = \(id) and q.submission_id = i.submission_id returning q.submission_id
            """
        ) { try $0("submission_id") }
    }

    /// Deletes plans that were not run within a day.
    package func sweep() async throws {
        try await connection.run(
            "delete from curation.bulk_action where done_at is null and created_at < now() - interval '1 day'")
    }
}
