// Bulk actions: planned, run and undone in a few statements, whatever their size. Those on entries: BulkEntryStore.
import Domain
import FoundationEssentials
import Localization
import Postgres

package struct BulkActionRow: Sendable {
    package let id: ID<BulkAction>
    package let object: BulkActionKind.Object
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
    /// How many more items are outside the access scope of the page.
    package let others: Int
    /// Items by result; those not yet run are under nil.
    package let counts: [BulkActionItemRow.Result?: Int]

    init(row: Row) throws {
        id = try row("id")
        object = BulkActionKind.Object(rawValue: try row("object")) ?? .submission
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
        others = try row("others")
    }

    package func count(_ result: BulkActionItemRow.Result) -> Int { counts[result] ?? 0 }

    /// How many are still to be changed.
    package var openCount: Int { counts[nil] ?? 0 }

    /// Throws unless it is a plan of the actor for this action, which has not run.
    package func requirePlan(_ object: BulkActionKind.Object, by actor: Actor) throws {
        guard self.object == object else { throw Failure.missing(tr("bulk action")) }
        guard createdByID == actor.rowID else {
            throw Failure.forbidden(tr("Only \(createdBy) may run this bulk action."))
        }
        guard doneAt == nil else { throw Self.alreadyRun }
    }

    package static var alreadyRun: Failure {
        .conflict(code: "already_done", message: tr("This bulk action has already run. Nothing was changed."))
    }

    package static var notUndoable: Failure {
        .conflict(
            code: "already_undone",
            message: tr("This bulk action has not run, or has already been undone. Nothing was changed."))
    }
}

package struct BulkActionItemRow: Sendable {
    package enum Result: String, Sendable, CaseIterable {
        case done, skipped, undone
        /// Not undone because a later decision exists.
        case kept
    }

    /// Of the submission or entry.
    package let id: UUID
    package let title: String
    package let type: String
    /// Of a submission.
    package let source: String?
    package let position: Int
    package let result: Result?
    /// Why it was skipped or kept, or what else there is to say about it.
    package let reason: String?
    /// The number of decisions of a submission, or of the newest revision of an entry, when it was planned.
    package let version: Int
    /// The state before.
    package let before: JSONValue?

    init(row: Row) throws {
        id = try row("id")
        title = try row("title")
        type = try row("type")
        source = try row("source")
        position = try row("position")
        result = (try row("result") as String?).flatMap(Result.init)
        reason = try row("reason")
        version = try row("version")
        before = try row("before")
    }
}

/// What became of one submission or entry: done, with a remark if there is more to say, or skipped for a reason.
package struct BulkActionResult: Sendable {
    package let id: UUID
    package let isSkipped: Bool
    package let reason: String?

    package static func done<Object>(_ id: ID<Object>, _ remark: String? = nil) -> BulkActionResult {
        BulkActionResult(id: id.uuid, isSkipped: false, reason: remark)
    }

    package static func skipped<Object>(_ id: ID<Object>, _ reason: String) -> BulkActionResult {
        BulkActionResult(id: id.uuid, isSkipped: true, reason: reason)
    }
}

/// How many submissions of a plan share a type and source, or entries a type.
package struct BulkActionGroup: Sendable {
    package let type: String
    package let source: String?
    package let count: Int
    /// How many of them are claimed by others now.
    package let claimed: Int
}

package struct BulkActionStore: Sendable {
    let connection: StoreConnection

    private static var lines: SQL {
        """
        select b.id, b.object, b.action, b.query, a.name as created_by_name, b.created_by, b.created_at, b.done_at, b.undone_at, b.publication,
            b.release, n.done, n.skipped, n.undone, n.kept, n.open, n.others
        from curation.bulk_action b join ops.actor a on a.id = b.created_by
        cross join lateral (
            select count(*) filter (where i.result = 'done') as done, count(*) filter (where i.result = 'skipped') as skipped,
                count(*) filter (where i.result = 'undone') as undone, count(*) filter (where i.result = 'kept') as kept,
                count(*) filter (where i.result = 'open') as open, count(*) filter (where i.result = 'outside') as others
            from curation.bulk_action_item m, lateral (select case when \(AccessScope.current.bulkActionItem("m"))
                then coalesce(m.result, 'open') else 'outside' end as result) i where m.bulk_action_id = b.id) n
        """
    }

    package func find(_ id: ID<BulkAction>) async throws -> BulkActionRow? {
        try await connection.first("\(Self.lines) where b.id = \(id)", BulkActionRow.init)
    }

    /// The items of a bulk action in the access scope of the page, in order, optionally those with one of `results` or still open.
    package func items(
        of id: ID<BulkAction>, results: [BulkActionItemRow.Result] = [], isOpen: Bool = false, after position: Int = 0,
        limit: Int
    ) async throws -> [BulkActionItemRow] {
        let names = results.map(\.rawValue)
        return try await connection.rows(
            """
            select coalesce(i.submission_id, i.entry_id) as id, coalesce(s.title, r.content ->> 'title', '') as title,
                coalesce(s.type, e.type) as type, coalesce(s.source_name, c.name) as source, i.position, i.result, i.reason, i.version, i.before
            from curation.bulk_action_item i
            left join curation.submission s on s.id = i.submission_id
            left join ops.actor c on c.id = s.client_id
            left join curation.entry e on e.id = i.entry_id
            left join curation.revision r on r.entry_id = i.entry_id and r.number = i.version
            where i.bulk_action_id = \(id) and \(AccessScope.current.bulkActionItem("i")) and i.position > \(position) and (not \(isOpen) or i.result is null)
              and (\(names.isEmpty)::boolean or i.result = any(\(names)::text[]))
            order by i.position limit \(limit)
            """, BulkActionItemRow.init)
    }

    /// What a plan contains, by type and source, largest group first.
    package func groups(of id: ID<BulkAction>, for account: UUID) async throws -> [BulkActionGroup] {
        try await connection.rows(
            """
            select coalesce(s.type, e.type) as type, coalesce(s.source_name, c.name) as source, count(*) as n, count(*) filter (
                where q.claimed_by <> \(account) and q.claimed_until > now()) as claimed
            from curation.bulk_action_item i
            left join curation.submission s on s.id = i.submission_id
            left join ops.actor c on c.id = s.client_id
            left join curation.entry e on e.id = i.entry_id
            left join curation.queue_item q on q.submission_id = i.submission_id
            where i.bulk_action_id = \(id) and \(AccessScope.current.bulkActionItem("i"))
            group by 1, 2 order by 3 desc, 1, 2 limit 50
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
        let id = try await add(action, on: .submission, query: query, by: actor)
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

    /// Without filters that are too long to keep; they are for the link back only.
    func add(
        _ action: BulkActionKind, on object: BulkActionKind.Object, query: String, by actor: Actor
    ) async throws -> ID<BulkAction> {
        try await connection.first(
            """
            insert into curation.bulk_action (object, action, query, created_by)
            values (\(object.rawValue), \(action.rawValue), \(query.utf8.count > 2000 ? "" : query), \(actor.rowID)) returning id
            """
        ) { try $0("id") as ID<BulkAction> }.orMissing("bulk_action")
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
                'snoozed_until', q.snoozed_until, 'is_held', q.is_held, 'assigned_to', q.assigned_to, 'assigned_role', q.assigned_role)
            from curation.queue_item q
            where b.bulk_action_id = \(id) and b.submission_id = any(\(ids)::uuid[]) and q.submission_id = b.submission_id
            """)
    }

    /// Records what became of each submission or entry, and what was published.
    package func finish(
        _ results: [BulkActionResult], publication: Int64? = nil, release: Int64? = nil, of id: ID<BulkAction>
    ) async throws {
        _ = try await connection.longRows(
            """
            with published as (
                update curation.bulk_action set publication = \(publication), release = \(release) where id = \(id))
            update curation.bulk_action_item b
            set result = case when u.is_skipped then 'skipped' else 'done' end, reason = left(u.reason, 500)
            from unnest(\(results.map(\.id))::uuid[], \(results.map(\.isSkipped))::boolean[], \(results.map(\.reason))::text[])
                u (id, is_skipped, reason)
            where b.bulk_action_id = \(id) and coalesce(b.submission_id, b.entry_id) = u.id
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

    /// Records which submissions or entries were undone; the others keep their state, for one of `reasons` or because of a
    /// later change.
    package func finishUndo<Object>(
        of id: ID<BulkAction>, undone: [ID<Object>], keptBecause reason: String, reasons: [ID<Object>: String] = [:]
    ) async throws {
        let kept = Array(reasons.keys)
        try await connection.run(
            """
            update curation.bulk_action_item b set result = case when u.is_undone then 'undone' else 'kept' end,
                reason = case when not u.is_undone then coalesce(left(k.reason, 500), \(reason)::text) end
            from (
                select position, coalesce(submission_id, entry_id) as id,
                    coalesce(submission_id, entry_id) = any(\(undone)::uuid[]) as is_undone
                from curation.bulk_action_item where bulk_action_id = \(id) and result = 'done') u
            left join unnest(\(kept)::uuid[], \(kept.map { reasons[$0] ?? reason })::text[]) k (id, reason) on k.id = u.id
            where b.bulk_action_id = \(id) and b.position = u.position
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
                is_held = coalesce((i.before ->> 'is_held')::boolean, false),
                assigned_to = (i.before ->> 'assigned_to')::uuid, 
                -- unless the role was deleted meanwhile
                assigned_role = (select name from ops.role where name = i.before ->> 'assigned_role')
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
