// Submissions that have been decided, by their latest decisions.
import Domain
import FoundationEssentials
import Postgres

package struct DecidedFilter: Sendable, Equatable {
    /// The account that decided.
    package var decider: ID<Account>?
    package var verdict: Verdict?
    package var type: String?
    /// The requested category, in any case.
    package var category: String?
    /// Any of these sources.
    package var sources: SourceFilter?
    /// Beginnings of words of the contributor's name, or their email address.
    package var contributorName: String?
    /// The domain of a link.
    package var domain: String?
    /// The screening score, inclusive.
    package var minScore: Int?
    package var maxScore: Int?
    package var minAgeHours: Int?
    package var maxAgeHours: Int?
    /// Decided after the contributor had brought it back: `resubmit` or `appeal`.
    package var after: String?
    /// Words of the title, the contributor's name and the text.
    package var query: String?
    /// The filter can't be understood, so nothing matches it.
    package var isUnreadable = false

    package init() {}
}

package struct DecidedRow: Sendable {
    package let decision: UUID
    package let submission: ID<Submission>
    /// The version of the submission that undoing the decision expects.
    package let number: Int
    package let verdict: String
    package let reason: String?
    package let type: String
    package let title: String
    package let source: String
    package let contributor: String?
    package let decidedBy: String
    package let decidedAt: Date
    /// `resubmit` or `appeal`, if the contributor had brought it back.
    package let after: String?

    init(row: Row) throws {
        decision = try row("id")
        submission = try row("submission_id")
        number = try row("number")
        verdict = try row("verdict")
        reason = try row("reason")
        type = try row("type")
        title = try row("title")
        source = try row("source")
        contributor = try row("contributor")
        decidedBy = try row("decided_by")
        decidedAt = try row("decided_at")
        after = try row("after")
    }
}

package struct DecidedStore: Sendable {
    let connection: StoreConnection

    /// Decisions that a page looks at before it ends, so that a rare filter costs no more than a common one; the next page
    /// continues there.
    private static let examined = 5000

    /// Newest decision first. A page may have fewer than `limit` items although there are more; then `next` is set.
    package func page(_ filter: DecidedFilter, cursor: String?, limit: Int) async throws -> Page<DecidedRow> {
        var before: SQL = "true"
        if let cursor {
            guard let id = UUID(uuidString: try Cursor(parsing: cursor, count: 1).values[0]) else {
                throw Cursor.unreadable
            }
            before = "d.id < \(id)"
        }
        let decider: SQL = filter.decider.map { "d.decided_by = \($0)" } ?? "true"
        let search = Self.search(filter)
        let ifMany: SQL = search.isEmpty ? .empty : " and not (select are from few)"
        // IDs ascend with time.
        let walked: SQL = """
            select d.id, d.submission_id, d.number, d.verdict, d.reason, d.decided_by, d.decided_at from curation.decision d
            where \(before) and \(decider)\(ifMany)
            order by d.id desc limit \(fixed: Self.examined)
            """
        let lookedUp: SQL = """
            select d.id, d.submission_id, d.number, d.verdict, d.reason, d.decided_by, d.decided_at
            from hits h join curation.decision d on d.submission_id = h.submission_id
            where (select are from few) and \(before) and \(decider)
            """
        let examined: SQL = search.isEmpty ? walked : "\(lookedUp) union all (\(walked))"
        let found = try await connection.rows(
            """
            with \(search)examined as materialized (\(examined))
            select d.id, d.submission_id, d.number::integer as number, d.verdict, d.reason, s.type, s.title,
                coalesce(s.source_name, c.name) as source,
                s.contributor, a.name as decided_by, d.decided_at, \(Self.after) as after
            from examined d join curation.submission s on s.id = d.submission_id
            join ops.actor c on c.id = s.client_id join ops.actor a on a.id = d.decided_by
            where \(Self.condition(filter)) order by d.id desc limit \(limit + 1)
            """, DecidedRow.init)
        if found.count > limit { return Page(rows: found, limit: limit) { Cursor([$0.decision.uuidString]) } }
        let last: UUID? = try await connection.first(
            """
            with \(search)examined as materialized (\(walked))
            select id from examined order by id limit 1 offset (
                select case when count(*) = \(fixed: Self.examined) then 0 else 1000000 end from examined)
            """
        ) { try $0("id") }
        return Page(items: found, next: last.map { Cursor([$0.uuidString]).text })
    }

    private static let after: SQL = """
        (select p.verdict from curation.decision p
            where p.submission_id = d.submission_id and p.number = d.number - 1 and p.verdict in ('resubmit', 'appeal'))
        """

    /// The submissions with the words, the domain or the contributor, if they are few enough to look up their decisions;
    /// otherwise decisions are examined one after another, which soon finds enough. Empty without these.
    private static func search(_ filter: DecidedFilter) -> SQL {
        let limit: SQL = "limit \(fixed: SubmissionWordStore.maxDecided + 1)"
        let hits: SQL
        if let matches = SubmissionWordStore.matches(words: filter.query, domain: filter.domain) {
            hits = "select x.submission_id from curation.submission_search x where \(matches) \(limit)"
        } else if let name = filter.contributorName {
            hits = "select y.id as submission_id from (\(SubmissionWordStore.sent(by: name))) y \(limit)"
        } else {
            return .empty
        }
        return """
            hits as materialized (\(hits)),
            few as materialized (select count(*) <= \(fixed: SubmissionWordStore.maxDecided) as are from hits),

            """
    }

    /// On a decision `d` of a submission `s`.
    private static func condition(_ filter: DecidedFilter) -> SQL {
        if filter.isUnreadable { return "false" }
        var condition: SQL = """
            d.verdict in ('approve', 'reject', 'request_changes', 'duplicate') and not exists (
                select from curation.decision l where l.submission_id = d.submission_id and l.number > d.number)
            """
        if let verdict = filter.verdict { condition += " and d.verdict = \(verdict.rawValue)" }
        if let type = filter.type { condition += " and s.type = \(type)" }
        if let category = filter.category { condition += " and lower(s.requested_category) = lower(\(category))" }
        if let sources = filter.sources { condition += " and \(sources.condition("s"))" }
        if let matches = SubmissionWordStore.matches(words: filter.query, domain: filter.domain) {
            condition += """
                 and ((select are from few) or exists (
                    select from curation.submission_search x where x.submission_id = d.submission_id and \(matches)))
                """
        }
        if let name = filter.contributorName {
            condition += """
                 and exists (select from curation.contributor c
                    where c.client_id = s.client_id and c.name = s.contributor and \(ReputationStore.isKnown(as: name)))
                """
        }
        if filter.minScore != nil || filter.maxScore != nil {
            condition += """
                 and exists (select from curation.screening n where n.submission_id = d.submission_id
                    and n.score between \(filter.minScore ?? 0) and \(filter.maxScore ?? 100))
                """
        }
        if let hours = filter.minAgeHours {
            condition += " and s.received_at <= now() - make_interval(hours => \(hours)::integer)"
        }
        if let hours = filter.maxAgeHours {
            condition += " and s.received_at > now() - make_interval(hours => \(hours)::integer)"
        }
        if let after = filter.after { condition += " and \(Self.after) = \(after)" }
        if !AccessScope.current.isAll { condition += " and \(AccessScope.current.submission("s"))" }
        return condition
    }
}
