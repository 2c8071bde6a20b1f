// Contributors as the team sees them: their status, their record and everything they have sent.
import Domain
import FoundationEssentials
import Postgres

package struct ReputationStore: Sendable {
    let connection: StoreConnection

    /// Submissions of a contributor in a scope.
    static func submissions(_ scope: AccessScope, contributor c: SQL = "c") -> SQL {
        "s.client_id = \(c).client_id and s.contributor = \(c).name and \(scope.submission("s"))"
    }

    static func isVisible(_ scope: AccessScope, contributor: SQL = "c") -> SQL {
        scope.isAll
            ? "true"
            : "exists (select from curation.submission s where \(submissions(scope, contributor: contributor)))"
    }

    /// The newest first, in the access scope of the page. `query`: beginnings of words of the name, or an email address.
    package func page(
        _ query: String?, _ status: ContributorStatus?, cursor: String?, limit: Int, countLimit: Int
    ) async throws -> Page<ContributorLine> {
        let scope = AccessScope.current
        var condition = Self.isVisible(scope)
        if let status { condition += " and \(ReputationRow.isCurrent) and c.status = \(status.rawValue)" }
        if let query { condition += " and \(Self.isKnown(as: query))" }
        if let cursor { condition += " and c.id < \(try Cursor(parsing: cursor, count: 1).uuid(0))" }
        let rows = try await connection.rows(
            """
            select \(ReputationRow.columns), n.submissions, (
                select s.received_at from curation.submission s where \(Self.submissions(scope))
                order by s.received_at desc limit 1) as last_seen_at
            from curation.contributor c \(ReputationRow.joined)
            cross join lateral (select count(*) as submissions from (
                select from curation.submission s where \(Self.submissions(scope)) limit \(fixed: countLimit + 1)) x) n
            where \(condition) order by c.id desc limit \(limit + 1)
            """
        ) {
            ContributorLine(
                contributor: try ReputationRow(row: $0), submissions: try $0("submissions"),
                lastSeen: try $0("last_seen_at"))
        }
        return Page(rows: rows, limit: limit) { Cursor([$0.contributor.id.description]) }
    }

    /// A condition on a contributor `c`: beginnings of words of the name, or the whole email address of a submission in the
    /// access scope of the page.
    static func isKnown(as query: String) -> SQL { query.contains("@") ? hasEmail(query) : isNamed(query) }

    private static func isNamed(_ query: String) -> SQL {
        "c.search_terms @@ (select api_v1.beginnings(\(query)))"
    }

    private static func hasEmail(_ email: String) -> SQL {
        """
        (c.client_id, c.name) in (
            select s.client_id, s.contributor from curation.submission s
            where lower(s.contributor_email) = \(EmailAddress.stored(email)) and s.contributor is not null
              and \(AccessScope.current.submission("s")))
        """
    }

    /// Nil also if everything that they have sent is outside the access scope of the page.
    package func find(_ id: ID<Contributor>) async throws -> ReputationRow? {
        try await connection.first(
            """
            select \(ReputationRow.columns) from curation.contributor c \(ReputationRow.joined)
            where c.id = \(id) and \(Self.isVisible(AccessScope.current))
            """, ReputationRow.init)
    }

    /// The contributor of a submission; nil if it has none.
    package func find(of submission: ID<Submission>) async throws -> ReputationRow? {
        try await connection.first(
            """
            select \(ReputationRow.columns) from curation.submission s
            join curation.contributor c on c.client_id = s.client_id and c.name = s.contributor \(ReputationRow.joined)
            where s.id = \(submission)
            """, ReputationRow.init)
    }

    /// The statuses of these contributors; omits those without one.
    package func statuses(of contributors: Set<ContributorKey>) async throws -> [ContributorKey: ContributorStatus] {
        let all = Array(contributors)
        let rows = try await connection.rows(
            """
            select c.client_id, c.name, c.status
            from unnest(\(all.map(\.client))::uuid[], \(all.map(\.contributor))::text[]) i (client_id, name)
            join curation.contributor c on c.client_id = i.client_id and c.name = i.name
            where \(ReputationRow.isCurrent)
            """
        ) {
            (
                ContributorKey(client: try $0("client_id"), contributor: try $0("name")),
                ContributorStatus(rawValue: try $0("status"))
            )
        }
        return Dictionary(rows.compactMap { key, status in status.map { (key, $0) } }) { first, _ in first }
    }

    /// Whether the contributor of a submission is blocked.
    package func isBlocked(_ submission: ID<Submission>) async throws -> Bool {
        try await connection.first(
            """
            select curation.blocked_until(s.client_id, s.contributor) is not null as is_blocked
            from curation.submission s where s.id = \(submission)
            """
        ) { try $0("is_blocked") } ?? false
    }

    // MARK: What they have sent

    /// The latest `limit` submissions by outcome, in the access scope of the page.
    package func record(
        of id: ID<Contributor>, limit: Int = ReputationRecord.limit
    ) async throws -> ReputationRecord {
        let rows = try await connection.rows(
            """
            with latest as materialized (
                select s.id, s.received_at, s.contributor_email, curation.submission_state(s.id) as state, (
                    select min(d.decided_at) from curation.decision d where d.submission_id = s.id) as decided_at,
                    exists (select from curation.queue_item q
                        where q.submission_id = s.id and q.is_held and q.snoozed_until > now()) as is_held
                from curation.contributor c join curation.submission s on \(Self.submissions(AccessScope.current))
                where c.id = \(id) order by s.received_at desc, s.id desc limit \(limit))
            select state, count(*) as n, count(*) filter (where is_held) as held, count(*) filter (where state = 'approved'
                and exists (select from curation.decision d where d.submission_id = latest.id and d.verdict = 'resubmit'))
                as resubmitted, max(received_at) as last_seen_at, (
                    select percentile_cont(0.5) within group (
                        order by extract(epoch from l.decided_at - l.received_at)::double precision)
                    from latest l) as median, (
                    select l.contributor_email from latest l where l.contributor_email is not null
                    order by l.received_at desc limit 1) as email
            from latest group by state limit 10
            """
        ) { try ReputationRecord.Group(row: $0) }
        return ReputationRecord(rows)
    }

    /// How many submissions, reports about these, mails and notes on the contributor there are, in the access scope of the page.
    package func counts(of id: ID<Contributor>) async throws -> ContributorCounts {
        let limit = ContributorCounts.limit + 1
        return try await connection.first(
            """
            select (select count(*) from (
                    select from curation.contributor c join curation.submission s on \(Self.submissions(AccessScope.current))
                    where c.id = \(id) limit \(fixed: limit)) x) as submissions,
                (select count(*) from (
                    select from curation.report_case c join curation.entry e on e.id = c.entry_id
                    where \(ReportCaseStore.isAbout(id)) limit \(fixed: limit)) x) as reports,
                (select count(*) from (\(Self.mails(to: id)) limit \(fixed: limit)) x) as messages,
                (select count(*) from (
                    select from curation.note where contributor_id = \(id) limit \(fixed: limit)) x) as notes
            """, ContributorCounts.init
        ).orMissing("contributor")
    }

    /// The newest first, in the access scope of the page, optionally only in one state, or only held ones.
    package func submissions(
        of id: ID<Contributor>, state: SubmissionState? = nil, isHeld: Bool = false, cursor: String?, limit: Int
    ) async throws -> Page<ContributorSubmissionRow> {
        var condition: SQL = "c.id = \(id)"
        if let state { condition += " and curation.submission_state(s.id) = \(state.rawValue)" }
        if isHeld { condition += " and \(Self.isHeld)" }
        if let cursor {
            let position = try QueuePosition(parsing: cursor, .newest)
            condition += " and (s.received_at, s.id) < (\(position.receivedAt)::timestamptz, \(position.id))"
        }
        let rows = try await connection.rows(
            """
            select s.id, s.type, coalesce(v.title, s.title) as title, s.received_at, s.received_at::text as received_at_text,
                curation.submission_state(s.id) as state, \(Self.isHeld) as is_held, q.submission_id is not null as is_queued,
                d.reason, left(d.message, 200) as message, b.name as decided_by, d.decided_at, exists (
                    select from curation.entry e join curation.live l on l.entry_id = e.id where e.submission_id = s.id) as is_live
            from curation.contributor c join curation.submission s on \(Self.submissions(AccessScope.current))
            left join curation.queue_item q on q.submission_id = s.id
            left join lateral (
                select reason, message, decided_by, decided_at from curation.decision d where d.submission_id = s.id
                order by d.number desc limit 1) d on true
            left join ops.actor b on b.id = d.decided_by
            \(SubmissionStore.latestVersion("title"))
            where \(condition) order by s.received_at desc, s.id desc limit \(limit + 1)
            """, ContributorSubmissionRow.init)
        return Page(rows: rows, limit: limit) {
            QueuePosition(receivedAt: $0.receivedAtText, id: $0.id).cursor(.newest)
        }
    }

    private static let isHeld: SQL = "coalesce(q.is_held and q.snoozed_until > now(), false)"

    /// The newest notes on their submissions and the entries of these, in the access scope of the page.
    package func notes(of id: ID<Contributor>, limit: Int) async throws -> [(note: NoteRow, subject: MentionRow)] {
        let scope = AccessScope.current
        // Two lists, because each has an index of its own.
        return try await connection.rows(
            """
            with own as materialized (
                select s.id, s.title from curation.contributor c join curation.submission s on \(Self.submissions(scope))
                where c.id = \(id))
            select n.id, n.kind, n.text, a.name as author, n.written_at, \(NoteStore.mentioned) as mentioned, true as is_seen,
                n.entry_id, n.submission_id, n.contributor_id, n.title
            from (
                select n.*, o.title from own o join curation.note n on n.submission_id = o.id
                union all
                select n.*, o.title from own o join curation.entry e on e.submission_id = o.id and \(scope.entry("e"))
                    join curation.note n on n.entry_id = e.id
                order by id desc limit \(limit)) n
            join ops.actor a on a.id = n.author_id order by n.id desc
            """
        ) { (note: try NoteRow(row: $0), subject: try MentionRow(row: $0)) }
    }

    // MARK: Changes

    /// False if there is no such contributor.
    package func setStatus(
        _ id: ID<Contributor>, _ status: ContributorStatus, reason: String, until: SnoozeTime?, by actor: Actor
    ) async throws -> Bool {
        try await connection.run(
            """
            update curation.contributor set status = \(status.rawValue), status_reason = \(reason),
                status_until = \(until.map(QueueStore.end) ?? "null::timestamptz"), status_by = \(actor.rowID), status_at = now()
            where id = \(id)
            """) > 0
    }

    package func removeStatus(_ id: ID<Contributor>) async throws -> Bool {
        try await connection.run(
            """
            update curation.contributor set status = null, status_reason = null, status_until = null, status_by = null,
                status_at = null
            where id = \(id)
            """) > 0
    }

    /// Erases everything that identifies the contributor; returns how many submissions that concerned, nil if there is no such
    /// contributor.
    package func erase(_ id: ID<Contributor>) async throws -> Int? {
        try await connection.first("select curation.erase_contributor(\(id)) as n") { try $0("n") as Int? } ?? nil
    }

    /// Everything that is stored about them, as JSON: one document for each submission, newest first.
    package func export(
        of id: ID<Contributor>, cursor: String?, limit: Int
    ) async throws -> Page<(document: String, position: QueuePosition)> {
        var condition: SQL = "c.id = \(id)"
        if let cursor {
            let position = try QueuePosition(parsing: cursor, .newest)
            condition += " and (s.received_at, s.id) < (\(position.receivedAt)::timestamptz, \(position.id))"
        }
        let rows = try await connection.rows(
            """
            select s.id, s.received_at::text as received_at_text, jsonb_build_object('submission', s.id, 'source', a.name,
                'contributor', s.contributor, 'contributor_email', s.contributor_email, 'contributor_locale', s.contributor_locale,
                'type', s.type, 'title', s.title, 'received_at', s.received_at, 'received', s.received,
                'state', curation.submission_state(s.id),
                'resubmissions', coalesce((
                    select jsonb_agg(jsonb_build_object('sent_at', v.sent_at, 'received', v.received) order by v.number)
                    from curation.submission_version v where v.submission_id = s.id), '[]'),
                'decisions', coalesce((
                    select jsonb_agg(jsonb_build_object('verdict', d.verdict, 'reason', d.reason, 'message', d.message,
                        'decided_at', d.decided_at) order by d.number)
                    from curation.decision d where d.submission_id = s.id), '[]'),
                'emails', coalesce((
                    select jsonb_agg(jsonb_build_object('recipient', m.recipient, 'subject', m.subject, 'created_at', m.created_at)
                        order by m.id)
                    from ops.outbox_message m where m.submission_id = s.id), '[]'))::text as document
            from curation.contributor c join ops.actor a on a.id = c.client_id
            join curation.submission s on s.client_id = c.client_id and s.contributor = c.name
            where \(condition) order by s.received_at desc, s.id desc limit \(limit + 1)
            """
        ) {
            (
                document: try $0("document") as String,
                position: QueuePosition(receivedAt: try $0("received_at_text"), id: try $0("id"))
            )
        }
        return Page(rows: rows, limit: limit) { $0.position.cursor(.newest) }
    }
}
