// Report cases: lists of open and decided ones, one with its counts, and decisions.
import Domain
import FoundationEssentials
import Postgres

package struct ReportCaseFilter: Sendable, Equatable {
    package enum Order: String, Sendable, CaseIterable {
        /// Most reports first.
        case most
        case oldest
    }

    package var isDecided = false
    package var reason: ReportReason?
    package var type: String?
    /// Of open cases; decided ones are listed by their decision, newest first.
    package var order = Order.most

    package init() {}
}

package struct ReportCaseRow: Sendable {
    package let id: ID<ReportCase>
    package let entry: ID<Entry>
    package let type: String
    package let kind: ContentType.Kind
    /// Of the published version, or of the newest.
    package let title: String
    package let submission: ID<Submission>?
    package let openedAt: Date
    package let lastReportAt: Date
    package let reports: Int
    package let reasons: [ReportReason: Int]
    /// The numbers of the version that was published when the first report arrived, and of the one that is now.
    package let reportedVersion: Int
    package let liveVersion: Int?
    /// The outcome of the last decided case of the same entry before this one.
    package let outcomeBefore: ReportOutcome?
    package let outcome: ReportOutcome?
    package let note: String?
    package let decidedBy: String?
    package let decidedAt: Date?

    package var isOpen: Bool { outcome == nil }
    /// A version that is newer than the reported one is published.
    package var isEdited: Bool { liveVersion.map { $0 != reportedVersion } ?? false }

    init(row: Row) throws {
        id = try row("id")
        entry = try row("entry_id")
        type = try row("type")
        kind = ContentType.Kind(rawValue: try row("kind"))
        title = try row("title")
        submission = try row("submission_id")
        openedAt = try row("opened_at")
        lastReportAt = try row("last_report_at")
        reports = try row("reports")
        let counts: JSONValue = try row("reasons")
        reasons = (counts.objectValue ?? [:]).reduce(into: [:]) { reasons, pair in
            guard let reason = ReportReason(rawValue: pair.key) else { return }
            reasons[reason] = pair.value.integerValue.map { Int($0) }
        }
        reportedVersion = try row("reported_version")
        liveVersion = try row("live_version")
        outcomeBefore = (try row("outcome_before") as String?).flatMap(ReportOutcome.init)
        outcome = (try row("outcome") as String?).flatMap(ReportOutcome.init)
        note = try row("note")
        decidedBy = try row("decided_by_name")
        decidedAt = try row("decided_at")
    }
}

package struct ReportCaseStore: Sendable {
    let connection: StoreConnection

    private static let columns: SQL = """
        select c.id, c.entry_id, e.type, e.kind, e.submission_id, c.opened_at, c.outcome, c.note, c.decided_at,
            a.name as decided_by_name, n.reports, n.reasons, n.last_report_at,
            p.number as reported_version, v.number as live_version,
            coalesce(v.content ->> 'title', (
                select r.content ->> 'title' from curation.revision r where r.entry_id = e.id order by r.number desc limit 1), '') as title,
            (select o.outcome from curation.report_case o where o.entry_id = c.entry_id and o.id < c.id order by o.id desc limit 1)
                as outcome_before
        from curation.report_case c join curation.entry e on e.id = c.entry_id
        join curation.revision p on p.id = c.revision_id
        left join curation.live l on l.entry_id = e.id left join curation.revision v on v.id = l.revision_id
        left join ops.actor a on a.id = c.decided_by
        cross join lateral (
            select sum(g.n)::bigint as reports, max(g.last) as last_report_at, jsonb_object_agg(g.reason, g.n) as reasons
            from (select r.reason, count(*) as n, max(r.received_at) as last from curation.report r
                where r.case_id = c.id group by r.reason) g) n
        """

    /// A case without reports, which nobody sees: its first one was refused at the moment it was opened.
    private static let hasReports: SQL = "exists (select from curation.report x where x.case_id = c.id)"

    /// In the access scope of the page.
    package func page(_ filter: ReportCaseFilter, cursor: String?, limit: Int) async throws -> Page<ReportCaseRow> {
        var condition = Self.condition(filter)
        let order: SQL
        switch (filter.isDecided, filter.order) {
        case (true, _):
            order = "c.decided_at desc, c.id desc"
            if let cursor {
                condition += """
                     and (c.decided_at, c.id) < (select o.decided_at, o.id from curation.report_case o
                        where o.id = \(try Cursor(parsing: cursor, count: 1).uuid(0)))
                    """
            }
        case (false, .most):
            order = "n.reports desc, c.id"
            if let cursor {
                let position = try Cursor(parsing: cursor, count: 2)
                let (reports, id) = (try position.integer(0), try position.uuid(1))
                condition += " and (n.reports < \(reports) or n.reports = \(reports) and c.id > \(id))"
            }
        case (false, .oldest):
            // IDs ascend with time.
            order = "c.id"
            if let cursor { condition += " and c.id > \(try Cursor(parsing: cursor, count: 1).uuid(0))" }
        }
        let rows = try await connection.rows(
            "\(Self.columns) where \(condition) order by \(order) limit \(limit + 1)", ReportCaseRow.init)
        return Page(rows: rows, limit: limit) { row in
            switch (filter.isDecided, filter.order) {
            case (false, .most): Cursor([String(row.reports), row.id.description])
            case (true, _), (false, .oldest): Cursor([row.id.description])
            }
        }
    }

    private static func condition(_ filter: ReportCaseFilter) -> SQL {
        let state: SQL = filter.isDecided ? "not null" : "null"
        var condition: SQL = """
            c.decided_at is \(state) and \(hasReports) and \(AccessScope.current.entry("e"))
            """
        if let type = filter.type { condition += " and e.type = \(type)" }
        if let reason = filter.reason {
            condition += """
                 and exists (select from curation.report x where x.case_id = c.id and x.reason = \(reason.rawValue))
                """
        }
        return condition
    }

    /// Open ones in the access scope of the page; stops counting at `limit` + 1.
    package func openCount(limit: Int) async throws -> Int {
        try await connection.first(
            """
            select count(*) as n from (
                select from curation.report_case c join curation.entry e on e.id = c.entry_id
                where \(Self.condition(ReportCaseFilter())) limit \(limit + 1)) x
            """
        ) { try $0("n") } ?? 0
    }

    package func find(_ id: ID<ReportCase>) async throws -> ReportCaseRow? {
        try await connection.first("\(Self.columns) where c.id = \(id) and \(Self.hasReports)", ReportCaseRow.init)
    }

    /// The earlier and later cases of its entry, newest first.
    package func others(of reportCase: ReportCaseRow, limit: Int = 10) async throws -> [ReportCaseRow] {
        try await connection.rows(
            """
            \(Self.columns) where c.entry_id = \(reportCase.entry) and c.id <> \(reportCase.id) and \(Self.hasReports)
            order by c.id desc limit \(limit)
            """, ReportCaseRow.init)
    }

    /// Those of the entries of a contributor's latest submissions, newest first, in the access scope of the page.
    package func about(
        _ contributor: ID<Contributor>, cursor: String?, limit: Int
    ) async throws -> Page<ReportCaseRow> {
        var condition = Self.isAbout(contributor)
        if let cursor { condition += " and c.id < \(try Cursor(parsing: cursor, count: 1).uuid(0))" }
        let rows = try await connection.rows(
            "\(Self.columns) where \(condition) order by c.id desc limit \(limit + 1)", ReportCaseRow.init)
        return Page(rows: rows, limit: limit) { Cursor([$0.id.description]) }
    }

    /// How many submissions of a contributor are looked at, as in its record.
    private static let latest = 10_000

    /// A condition on a case `c` and its entry `e`.
    static func isAbout(_ contributor: ID<Contributor>) -> SQL {
        """
        c.entry_id in (
            select y.id from (
                select s.id from curation.contributor k
                join curation.submission s on s.client_id = k.client_id and s.contributor = k.name
                where k.id = \(contributor) order by s.received_at desc limit \(latest)) sent
            join curation.entry y on y.submission_id = sent.id)
        and \(hasReports) and \(AccessScope.current.entry("e"))
        """
    }

    // MARK: Changes

    /// False if somebody has decided it.
    package func decide(
        _ id: ID<ReportCase>, _ outcome: ReportOutcome, note: String, by actor: Actor
    ) async throws -> Bool {
        try await connection.run(
            """
            update curation.report_case set outcome = \(outcome.rawValue), note = \(note), decided_by = \(actor.rowID),
                decided_at = clock_timestamp()
            where id = \(id) and decided_at is null
            """) > 0
    }
}
