// The contributor's side of submissions: how one stands, what was sent again, and the number of its status link.
import Domain
import FoundationEssentials
import Postgres

/// How a submission stands with its contributor.
package struct ContributorRow: Sendable {
    package let email: String?
    /// Of the status link that works.
    package let edition: Int
    /// When something happened last: it came in, or something was decided, answered or appealed.
    package let since: Date
    /// Nothing has happened for so long that the status link works no more.
    package let isOver: Bool
    /// The latest action, nil where there is none.
    package let decision: UUID?
    package let verdict: String?
    package let reason: String?
    package let message: String?
    /// What was written in the appeal; nil where there is none.
    package let appeal: String?
    package let appealedAt: Date?
    /// Who rejected what the appeal is about.
    package let rejectedBy: UUID?
    package let rejectedByName: String?
    /// Readers see its entry.
    package let isLive: Bool

    init(row: Row) throws {
        email = try row("contributor_email")
        edition = try row("edition")
        since = try row("since")
        isOver = try row("is_over")
        decision = try row("decision_id")
        verdict = try row("verdict")
        reason = try row("reason")
        message = try row("message")
        appeal = try row("appeal")
        appealedAt = try row("appealed_at")
        rejectedBy = try row("rejected_by")
        rejectedByName = try row("rejected_by_name")
        isLive = try row("is_live")
    }
}

/// What came in at one time: 1 is the submission as it was received first.
package struct VersionRow: Sendable {
    package let number: Int
    package let fields: [String: JSONValue]
    package let sentAt: Date

    init(row: Row) throws {
        number = try row("number")
        fields = (try row("fields") as JSONValue).objectValue ?? [:]
        sentAt = try row("sent_at")
    }
}

package struct ContributorStore: Sendable {
    let connection: StoreConnection

    /// `days`: how long after the latest action the status link works; at that very moment it works no more.
    package func find(_ id: ID<Submission>, days: Int) async throws -> ContributorRow? {
        try await connection.first(
            """
            select s.contributor_email, coalesce(l.edition, 1) as edition, t.since,
                t.since + make_interval(days => \(days)::integer) <= clock_timestamp() as is_over,
                d.id as decision_id, d.verdict, d.reason, d.message, p.message as appeal, p.decided_at as appealed_at,
                r.decided_by as rejected_by, n.name as rejected_by_name,
                exists (select from curation.entry e join curation.live v on v.entry_id = e.id where e.submission_id = s.id)
                    as is_live
            from curation.submission s
            left join curation.status_link l on l.submission_id = s.id
            left join lateral (
                select * from curation.decision d where d.submission_id = s.id order by d.number desc limit 1) d on true
            left join curation.decision p on p.submission_id = s.id and p.verdict = 'appeal'
            left join curation.decision r on r.id = p.answers
            left join ops.actor n on n.id = r.decided_by
            cross join lateral (select coalesce(d.decided_at, s.received_at) as since) t
            where s.id = \(id)
            """, ContributorRow.init)
    }

    /// Of the status link that works.
    package func edition(of id: ID<Submission>) async throws -> Int? {
        try await connection.first(
            """
            select coalesce(l.edition, 1) as edition
            from curation.submission s left join curation.status_link l on l.submission_id = s.id where s.id = \(id)
            """
        ) { try $0("edition") }
    }

    /// All versions of a submission, oldest first.
    package func versions(of id: ID<Submission>) async throws -> [VersionRow] {
        try await connection.rows(
            """
            select 1 as number, fields, received_at as sent_at from curation.submission where id = \(id)
            union all
            select number, fields, sent_at from curation.submission_version where submission_id = \(id) order by number
            """, VersionRow.init)
    }

    // MARK: Changes

    /// Adds what came with the answer that is decision `number`.
    package func addVersion(
        of id: ID<Submission>, decision number: Int, title: String, fields: String, received: String
    ) async throws {
        try await connection.run(
            """
            insert into curation.submission_version (decision_id, submission_id, number, title, fields, received)
            select d.id, d.submission_id, 2 + (
                    select count(*) from curation.submission_version v where v.submission_id = d.submission_id),
                \(title), \(fields)::jsonb, \(received)::jsonb
            from curation.decision d where d.submission_id = \(id) and d.number = \(number)
            """)
    }

    /// Gives the status link another number: the one that is out works no more.
    package func replaceLink(of id: ID<Submission>) async throws -> Int {
        try await connection.first(
            """
            insert into curation.status_link as l (submission_id, edition) values (\(id), 2)
            on conflict (submission_id) do update set edition = l.edition + 1, replaced_at = clock_timestamp()
            returning edition
            """
        ) { try $0("edition") } ?? 1
    }
}
