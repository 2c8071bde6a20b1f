// Edits queue items: claims, snoozes, assigns, prioritizes and requeues them.
import Domain
import Postgres

extension QueueStore {
    // MARK: Claims

    /// Claims an item or renews the claim, unless someone else has claimed it. Returns the item with its claim, nil
    /// when it is gone.
    package func claim(_ id: ID<Submission>, by account: ID<Account>, minutes: Int) async throws -> QueueRow? {
        try await connection.run(
            """
            update curation.queue_item
            set claimed_by = \(account), claimed_until = now() + make_interval(mins => \(minutes)::integer)
            where submission_id = \(id) and (claimed_by is null or claimed_by = \(account) or claimed_until <= now())
            """)
        return try await find(id)
    }

    /// Renews the account's own unexpired claim; false when it no longer has one.
    package func renew(_ id: ID<Submission>, by account: ID<Account>, minutes: Int) async throws -> Bool {
        try await connection.run(
            """
            update curation.queue_item set claimed_until = now() + make_interval(mins => \(minutes)::integer)
            where submission_id = \(id) and claimed_by = \(account) and claimed_until > now()
            """) > 0
    }

    /// Takes over the claim of an item from its current owner.
    package func takeOver(_ id: ID<Submission>, by account: ID<Account>, minutes: Int) async throws -> Bool {
        try await connection.run(
            """
            update curation.queue_item
            set claimed_by = \(account), claimed_until = now() + make_interval(mins => \(minutes)::integer)
            where submission_id = \(id)
            """) > 0
    }

    package func release(_ id: ID<Submission>, by account: ID<Account>) async throws {
        try await connection.run(
            """
            update curation.queue_item set claimed_by = null, claimed_until = null
            where submission_id = \(id) and claimed_by = \(account)
            """)
    }

    // MARK: Requeueing

    /// Returns submissions to the queue after an undo or an action of their contributor: with their former position,
    /// priority and assignment.
    package func requeue(_ ids: [ID<Submission>]) async throws {
        try await connection.run(
            """
            insert into curation.queue_item (submission_id, type, client_id, title, requested_category, source_name, received_at,
                reopened_by, resubmitted_to, priority, assigned_to, assigned_role)
            select s.id, s.type, s.client_id, coalesce((
                    select v.title from curation.submission_version v where v.submission_id = s.id order by v.number desc limit 1),
                    s.title), s.requested_category, s.source_name, s.received_at, r.verdict,
                case r.verdict when 'resubmit' then r.decided_by end,
                coalesce((d.triage ->> 'priority')::smallint, 3), (d.triage ->> 'assigned_to')::uuid,
                -- unless the role was deleted meanwhile
                (select name from ops.role where name = d.triage ->> 'assigned_role')
            from curation.submission s
            left join lateral (
                select triage from curation.decision d
                where d.submission_id = s.id and d.verdict not in ('undo', 'resubmit', 'appeal')
                order by d.number desc limit 1) d on true
            left join lateral (
                -- with the person to whom the contributor responds
                select d.verdict, o.decided_by from curation.decision d join curation.decision o on o.id = d.resubmits
                where d.submission_id = s.id and d.verdict in ('resubmit', 'appeal')
                order by d.number desc limit 1) r on true
            where s.id = any(\(ids)::uuid[]) on conflict (submission_id) do nothing
            """)
    }

    // MARK: Snooze, assignment and priority

    /// Snoozes items until a time in the future, or (nil) returns snoozed and held ones to the queue, and ends their claims.
    /// Returns how many exist.
    package func snooze(_ ids: [ID<Submission>], until time: SnoozeTime?) async throws -> Int {
        try await connection.run(
            """
            update curation.queue_item q set snoozed_until = \(time.map(Self.end) ?? "null::timestamptz"), is_held = false,
                claimed_by = null, claimed_until = null
            from \(Self.locked(ids)) l where q.submission_id = l.submission_id
            """)
    }

    /// When a time that was set now ends.
    static func end(_ time: SnoozeTime) -> SQL {
        switch time {
        case .hours(let hours): "now() + make_interval(hours => \(hours)::integer)"
        case .at(let time): "\(time.local)::timestamp at time zone \(time.zone)::text"
        }
    }

    /// Holds those whose contributors are blocked.
    package func hold(_ ids: [ID<Submission>]) async throws {
        try await connection.run("select curation.hold(\(ids)::uuid[])")
    }

    /// Assigns items to one person or role, or (nil) unassigns them, and ends claims of other people. Returns how many
    /// exist.
    package func assign(_ ids: [ID<Submission>], to assignee: Assignee?) async throws -> Int {
        try await connection.run(
            """
            update curation.queue_item q set assigned_to = \(assignee?.account)::uuid, assigned_role = \(assignee?.role)::text,
                claimed_by = case when q.claimed_by = \(assignee?.account)::uuid then q.claimed_by end,
                claimed_until = case when q.claimed_by = \(assignee?.account)::uuid then q.claimed_until end
            from \(Self.locked(ids)) l where q.submission_id = l.submission_id
            """)
    }

    package func setPriority(_ ids: [ID<Submission>], _ priority: Priority) async throws -> Int {
        try await connection.run(
            """
            update curation.queue_item q set priority = \(priority.rawValue)
            from \(Self.locked(ids)) l where q.submission_id = l.submission_id
            """)
    }

    /// Locking several items always in the same order prevents deadlocks.
    private static func locked(_ ids: [ID<Submission>]) -> SQL {
        """
        (select submission_id from curation.queue_item where submission_id = any(\(ids)::uuid[])
         order by submission_id for update)
        """
    }
}
