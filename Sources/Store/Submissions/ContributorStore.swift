// The contributor's view of a submission: its status, its versions and its status link.
import Domain
import FoundationEssentials
import Postgres

/// The status of a submission for its contributor.
package struct ContributorRow: Sendable {
    package let name: String?
    package let email: String?
    package let locale: String?
    /// The edition of the valid status link.
    package let edition: Int
    /// When it was last received, decided, resubmitted or appealed.
    package let since: Date
    /// The status link has expired because nothing has happened for too long.
    package let isExpired: Bool
    /// The latest decision; nil when there is none.
    package let decision: UUID?
    package let verdict: String?
    package let reason: String?
    package let message: String?
    /// By the name of the field.
    package let fieldNotes: [String: String]
    /// The text of the appeal; nil when there is none.
    package let appeal: String?
    package let appealedAt: Date?
    /// Who made the rejection that is appealed.
    package let rejectedBy: UUID?
    package let rejectedByName: String?
    /// The entry created from it is live.
    package let isLive: Bool

    init(row: Row) throws {
        name = try row("contributor")
        email = try row("contributor_email")
        locale = try row("contributor_locale")
        edition = try row("edition")
        since = try row("since")
        isExpired = try row("is_over")
        decision = try row("decision_id")
        verdict = try row("verdict")
        reason = try row("reason")
        message = try row("message")
        fieldNotes = try FieldNotes.texts(row)
        appeal = try row("appeal")
        appealedAt = try row("appealed_at")
        rejectedBy = try row("rejected_by")
        rejectedByName = try row("rejected_by_name")
        isLive = try row("is_live")
    }
}

/// One version of a submission: 1 is the submission as first received.
package struct VersionRow: Sendable {
    package let number: Int
    package let fields: [String: JSONValue]
    package let sentAt: Date

    init(row: Row) throws {
        number = try row("number")
        fields = (try row("fields") as StoredFields).values
        sentAt = try row("sent_at")
    }
}

package struct ContributorStore: Sendable {
    let connection: StoreConnection

    /// Nil also when the data of the contributor was erased. `days`: how long after the latest activity the status link is valid; it expires exactly at that moment.
    package func find(_ id: ID<Submission>, days: Int) async throws -> ContributorRow? {
        try await connection.first(
            """
            select s.contributor, s.contributor_email, s.contributor_locale, coalesce(l.edition, 1) as edition, t.since,
                t.since + make_interval(days => \(days)::integer) <= clock_timestamp() as is_over,
                d.id as decision_id, d.verdict, d.reason, d.message, d.field_notes, p.message as appeal, p.decided_at as appealed_at,
                r.decided_by as rejected_by, n.name as rejected_by_name,
                exists (select from curation.entry e join curation.live v on v.entry_id = e.id where e.submission_id = s.id)
                    as is_live
            from curation.submission s
            left join curation.status_link l on l.submission_id = s.id
            left join lateral (
                select * from curation.decision d where d.submission_id = s.id order by d.number desc limit 1) d on true
            left join curation.decision p on p.submission_id = s.id and p.verdict = 'appeal'
            left join curation.decision r on r.id = p.resubmits
            left join ops.actor n on n.id = r.decided_by
            cross join lateral (select coalesce(d.decided_at, s.received_at) as since) t
            where s.id = \(id) and s.erased_at is null
            """, ContributorRow.init)
    }

    /// The edition of the valid status link. With a recipient, nil unless it is the contributor's email address: a mail in the
    /// outbox could name any.
    package func edition(of id: ID<Submission>, for recipient: String? = nil) async throws -> Int? {
        try await connection.first(
            """
            select coalesce(l.edition, 1) as edition
            from curation.submission s left join curation.status_link l on l.submission_id = s.id
            where s.id = \(id) and (\(recipient)::text is null or s.contributor_email = \(recipient))
            """
        ) { try $0("edition") }
    }

    /// The original and the latest 100 versions of a submission, oldest first.
    package func versions(of id: ID<Submission>) async throws -> [VersionRow] {
        try await connection.rows(
            """
            select 1 as number, fields, received_at as sent_at from curation.submission where id = \(id)
            union all
            (select number, fields, sent_at from curation.submission_version where submission_id = \(id)
            order by number desc limit 100) order by number
            """, VersionRow.init)
    }

    // MARK: Changes

    /// Adds the version sent with the resubmission that is decision `number`.
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

    /// Raises the edition of the status link, which invalidates the previous link. Returns the new edition.
    package func rotateLink(of id: ID<Submission>) async throws -> Int {
        try await connection.first(
            """
            insert into curation.status_link as l (submission_id, edition) values (\(id), 2)
            on conflict (submission_id) do update set edition = l.edition + 1, replaced_at = clock_timestamp()
            returning edition
            """
        ) { try $0("edition") } ?? 1
    }
}
