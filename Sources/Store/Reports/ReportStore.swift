// The reports of readers: stores each once, finds one, and lists those of a case.
import Domain
import FoundationEssentials
import Postgres

/// A checked report to be stored.
package struct NewReport: Sendable {
    package let id: ID<Report>
    package let entry: ID<Entry>
    /// The API client that sends it.
    package let actor: Actor
    package let reporter: String?
    package let email: String?
    package let locale: String?
    package let reason: ReportReason
    package let text: String
    package let idempotencyKey: String?
    /// SHA-256 of the request, which detects a reused key with another body.
    package let requestHash: [UInt8]

    package init(
        id: ID<Report>, entry: ID<Entry>, actor: Actor, reporter: String?, email: String?, locale: String?,
        reason: ReportReason, text: String, idempotencyKey: String?, requestHash: [UInt8]
    ) {
        (self.id, self.entry, self.actor, self.reporter) = (id, entry, actor, reporter)
        (self.email, self.locale, self.reason, self.text) = (email, locale, reason, text)
        (self.idempotencyKey, self.requestHash) = (idempotencyKey, requestHash)
    }
}

package enum ReportReceipt: Sendable, Equatable {
    case stored
    /// The same request, or the same reporter about the same entry; the report that counts.
    case storedBefore(ID<Report>)
    /// The key was used with another body.
    case keyReused
    case notPublished
}

/// A report as its sender and the team see it.
package struct ReportRow: Sendable {
    package let id: ID<Report>
    package let reportCase: ID<ReportCase>
    package let entry: ID<Entry>
    package let client: UUID
    package let clientName: String
    package let reporter: String?
    /// The row of the reporter as a contributor.
    package let contributor: ID<Contributor>?
    package let email: String?
    package let reason: ReportReason
    package let text: String
    package let receivedAt: Date
    package let isErased: Bool
    /// Of its case; nil while that is open.
    package let outcome: ReportOutcome?
    package let decidedAt: Date?

    init(row: Row) throws {
        id = try row("id")
        reportCase = try row("case_id")
        entry = try row("entry_id")
        client = try row("client_id")
        clientName = try row("client_name")
        reporter = try row("reporter")
        contributor = try row("contributor_id")
        email = try row("reporter_email")
        reason = ReportReason(rawValue: try row("reason")) ?? .other
        text = try row("text")
        receivedAt = try row("received_at")
        isErased = try row("is_erased")
        outcome = (try row("outcome") as String?).flatMap(ReportOutcome.init)
        decidedAt = try row("decided_at")
    }
}

package struct ReportStore: Sendable {
    let connection: StoreConnection

    private static let rows: SQL = """
        select r.id, r.case_id, r.entry_id, r.client_id, a.name as client_name, r.reporter, b.id as contributor_id, r.reporter_email,
            r.reason, r.text, r.received_at, r.erased_at is not null as is_erased, c.outcome, c.decided_at
        from curation.report r join curation.report_case c on c.id = r.case_id join ops.actor a on a.id = r.client_id
        left join curation.contributor b on b.client_id = r.client_id and b.name = r.reporter
        """

    package func find(_ id: ID<Report>) async throws -> ReportRow? {
        try await connection.first("\(Self.rows) where r.id = \(id)", ReportRow.init)
    }

    /// The reports of a case, newest first, optionally of one reason.
    package func page(
        of reportCase: ID<ReportCase>, reason: ReportReason? = nil, cursor: String?, limit: Int
    ) async throws -> Page<ReportRow> {
        var condition: SQL = "r.case_id = \(reportCase)"
        if let reason { condition += " and r.reason = \(reason.rawValue)" }
        if let cursor { condition += " and r.id < \(try Cursor(parsing: cursor, count: 1).uuid(0))" }
        let rows = try await connection.rows(
            "\(Self.rows) where \(condition) order by r.id desc limit \(limit + 1)", ReportRow.init)
        return Page(rows: rows, limit: limit) { Cursor([$0.id.description]) }
    }

    /// The report that a request repeats: by its key, or of the same reporter about the same entry.
    func before(_ report: NewReport) async throws -> ReportReceipt? {
        let found = try await connection.first(
            """
            select r.id, r.request_hash, r.idempotency_key is not distinct from \(report.idempotencyKey)::text
                and r.idempotency_key is not null as has_key
            from curation.report r
            where r.client_id = \(report.actor.rowID) and (r.idempotency_key = \(report.idempotencyKey)
                or r.reporter = \(report.reporter) and r.entry_id = \(report.entry))
            order by has_key desc limit 1
            """
        ) {
            (
                id: try $0("id") as ID<Report>, hash: try $0.bytes("request_hash"),
                hasKey: try $0("has_key") as Bool
            )
        }
        guard let found else { return nil }
        return found.hasKey && found.hash != report.requestHash ? .keyReused : .storedBefore(found.id)
    }

    package func isLive(_ entry: ID<Entry>) async throws -> Bool {
        try await connection.first("select exists (select from curation.live l where l.entry_id = \(entry)) as is_live")
        {
            try $0("is_live")
        } ?? false
    }

    // MARK: Storing

    /// One statement: the case unless the entry has an open one, the report and its audit event. It locks the open case
    /// against decisions only, so reports of one entry never wait for each other. Stores nothing if somebody was faster;
    /// the caller then looks again.
    static func statement(_ report: NewReport) -> SQL {
        let actor = report.actor
        return """
            with live as materialized (
                select l.entry_id, l.revision_id from curation.live l
                where l.entry_id = \(report.entry) and not exists (
                    select from curation.report r
                    where r.client_id = \(actor.rowID) and (r.idempotency_key = \(report.idempotencyKey)
                        or r.reporter = \(report.reporter) and r.entry_id = \(report.entry)))),
            opened as (
                insert into curation.report_case (entry_id, revision_id)
                select l.entry_id, l.revision_id from live l where not exists (
                    select from curation.report_case c where c.entry_id = l.entry_id and c.decided_at is null)
                on conflict (entry_id) where decided_at is null do nothing
                returning id),
            found as materialized (
                select c.id from curation.report_case c
                where c.entry_id = (select l.entry_id from live l) and c.decided_at is null for share),
            stored as (
                insert into curation.report (id, case_id, entry_id, client_id, reporter, reporter_email, reporter_locale, reason,
                    text, idempotency_key, request_hash)
                select \(report.id)::uuid, x.id, \(report.entry)::uuid, \(actor.rowID)::uuid, \(report.reporter)::text,
                    \(report.email)::text, \(report.locale)::text, \(report.reason.rawValue), \(report.text),
                    \(report.idempotencyKey)::text, \(report.requestHash)::bytea
                from (select id from opened union all select id from found) x
                on conflict do nothing
                returning id, client_id),
            audited as materialized (
                select ops.\(raw: actor.authority.function)(array_agg(\(actor.credential?.bytes)::bytea), array_agg(s.client_id),
                    array_agg('report.create'::text), array_agg('report'::text), array_agg(s.id::text), array_agg('{}'::text),
                    array_agg(\(actor.requestID)::text), array_agg(\(actor.remoteAddress)::text)) as done
                from stored s)
            select s.id from stored s cross join audited
            """
    }

    // MARK: Emails

    /// Reports whose email address is older than this are not going to be decided soon.
    package func oldEmails(days: Int, limit: Int = 1000) async throws -> [ID<Report>] {
        try await connection.rows(
            """
            select r.id from curation.report r
            where r.reporter_email is not null and r.received_at < now() - make_interval(days => \(days)::integer)
            order by r.received_at limit \(limit)
            """
        ) { try $0("id") }
    }

    package func eraseEmails(of reports: [ID<Report>]) async throws {
        try await connection.run("select curation.erase_report_emails(\(reports)::uuid[])")
    }

    /// Everything that is stored about a reporter, as JSON: one document for each report, newest first.
    package func export(
        of contributor: ID<Contributor>, cursor: String?, limit: Int
    ) async throws -> Page<(document: String, id: ID<Report>)> {
        var condition: SQL = "b.id = \(contributor)"
        if let cursor { condition += " and r.id < \(try Cursor(parsing: cursor, count: 1).uuid(0))" }
        let rows = try await connection.rows(
            """
            select r.id, jsonb_build_object('report', r.id, 'source', a.name, 'reporter', r.reporter,
                'reporter_email', r.reporter_email, 'reporter_locale', r.reporter_locale, 'entry', r.entry_id, 'reason', r.reason,
                'text', r.text, 'received_at', r.received_at, 'outcome', c.outcome, 'emails', coalesce((
                    select jsonb_agg(jsonb_build_object('recipient', m.recipient, 'subject', m.subject, 'created_at', m.created_at))
                    from ops.outbox_message m where m.dedupe = 'outcome:' || r.id), '[]'))::text as document
            from curation.contributor b join curation.report r on r.client_id = b.client_id and r.reporter = b.name
            join curation.report_case c on c.id = r.case_id join ops.actor a on a.id = r.client_id
            where \(condition) order by r.id desc limit \(limit + 1)
            """
        ) { (document: try $0("document") as String, id: try $0("id") as ID<Report>) }
        return Page(rows: rows, limit: limit) { Cursor([$0.id.description]) }
    }
}

extension Database {
    /// Attempts until a report finds its case: each fails only when somebody opened or decided one at the same moment.
    private static let attempts = 8

    /// Stores a report with its audit event; returns after the commit. Called by Intake only.
    package func receive(_ report: NewReport) async throws -> ReportReceipt {
        let client = client(of: report.actor)
        for _ in 0..<Self.attempts {
            if let before = try await reports.before(report) { return before }
            let isStored = try await StoreFailure.translating {
                try await client.transaction { try await !$0.query(ReportStore.statement(report)).isEmpty }
            }
            if isStored { return .stored }
            if try await !reports.isLive(report.entry) { return .notPublished }
        }
        throw Failure.unavailable("Too many decisions at once. Try again in a moment.")
    }
}
