// The queue: submissions that await a decision, in the requested order.
import Domain
import FoundationEssentials
import Postgres

package struct QueueStore: Sendable {
    let connection: StoreConnection

    /// One page, by keyset on the order.
    package func page(
        _ filter: QueueFilter, order: QueueOrder = .oldest, cursor: String?, limit: Int
    ) async throws -> Page<QueueRow> {
        let after = try cursor.map { try QueuePosition(parsing: $0, order).after(order) }
        let rows = try await connection.rows(
            Self.pageQuery(filter, order: order, where: after, limit: limit + 1), QueueRow.init)
        return Page(rows: rows, limit: limit) { $0.position.cursor(order) }
    }

    /// The items around a position: at most `before` up to and including it, and at most `after` following it.
    package func around(
        _ position: QueuePosition, _ filter: QueueFilter, order: QueueOrder, before: Int, after: Int
    ) async throws -> [QueueRow] {
        let above = try await connection.rows(
            Self.pageQuery(filter, order: order, isReversed: true, where: position.upTo(order), limit: before + 1),
            QueueRow.init)
        let below = try await connection.rows(
            Self.pageQuery(filter, order: order, where: position.after(order), limit: after), QueueRow.init)
        return above.reversed() + below
    }

    /// How many match; stops counting at `limit` + 1.
    package func count(_ filter: QueueFilter, limit: Int = 1000) async throws -> Int {
        try await connection.first(Self.countQuery(filter, limit: limit)) { try $0("n") } ?? 0
    }

    /// How many match each of these, in one statement; each stops counting at `limit` + 1.
    package func counts(_ filters: [QueueFilter], limit: Int) async throws -> [Int] {
        var parts: SQL = ""
        for (index, filter) in filters.enumerated() {
            parts += index == 0 ? "" : ", "
            parts += "(select f.n from (\(Self.countQuery(filter, limit: limit))) f)"
        }
        return try await connection.first("select array[\(parts)]::bigint[] as counts") {
            try $0("counts") as [Int64]
        }?.map { Int($0) } ?? []
    }

    /// Counts for one person: all waiting, waiting for at least `hours` (overdue), claimed by them, and unseen notes
    /// that mention them; each stops at `limit` + 1.
    package func counts(
        for account: ID<Account>, overdueAfter hours: Int, limit: Int
    ) async throws -> (waiting: Int, overdue: Int, mine: Int, mentions: Int) {
        let all = QueueFilter()
        var (overdue, mine) = (all, all)
        overdue.minAgeHours = hours
        mine.claimedBy = account
        let found = try await connection.first(
            """
            select w.n as waiting, l.n as overdue, m.n as mine, t.n as mentions
            from (\(Self.countQuery(all, limit: limit))) w, (\(Self.countQuery(overdue, limit: limit))) l,
                (\(Self.countQuery(mine, limit: limit))) m, (select count(*) as n from (
                    select from curation.mention where account_id = \(account) and seen_at is null
                    limit \(fixed: limit + 1)) x) t
            """
        ) {
            (
                waiting: try $0("waiting") as Int, overdue: try $0("overdue") as Int, mine: try $0("mine") as Int,
                mentions: try $0("mentions") as Int
            )
        }
        return found ?? (0, 0, 0, 0)
    }

    package func find(_ id: ID<Submission>) async throws -> QueueRow? {
        try await connection.first(
            "select \(QueueRow.columns) from curation.queue_item q \(QueueRow.joined) where q.submission_id = \(id)",
            QueueRow.init)
    }

    /// The first match after `position` that nobody else has claimed and that is not assigned to others; without one,
    /// or without a position, the first other match.
    package func next(
        after position: QueuePosition?, _ filter: QueueFilter, order: QueueOrder = .oldest, for account: ID<Account>,
        _ role: Role
    ) async throws -> ID<Submission>? {
        let available: SQL = """
            (q.claimed_by is null or q.claimed_by = \(account) or q.claimed_until <= now())
            and (q.assigned_to is null or q.assigned_to = \(account))
            and (q.assigned_role is null
                or q.assigned_role = any(array(select name from ops.role where ops.role_includes(\(role), name))))
            """
        func first(_ condition: SQL) async throws -> ID<Submission>? {
            try await connection.first(
                Self.idsQuery(filter, order: order, where: condition, limit: 1)
            ) { try $0("submission_id") }
        }
        guard let position else { return try await first(available) }
        if let next = try await first("\(available) and \(position.after(order))") { return next }
        return try await first("\(available) and q.submission_id <> \(position.id)")
    }

    /// The first of these spellings that a pending submission has as its requested category.
    package func requestedCategory(spelled spellings: [String]) async throws -> String? {
        try await connection.first(
            """
            select u.name from unnest(\(spellings)::text[]) with ordinality u (name, position)
            where exists (select from curation.queue_item q where q.requested_category = u.name) order by u.position limit 1
            """
        ) { try $0("name") }
    }

    /// What imported submissions in the queue call their sources: the first names, each read from the index once.
    package func sourceNames(limit: Int) async throws -> [String] {
        try await connection.rows(
            """
            with recursive names (name) as (
                (select source_name from curation.queue_item where source_name is not null order by source_name limit 1)
                union all
                select (select q.source_name from curation.queue_item q where q.source_name > n.name
                    order by q.source_name limit 1)
                from names n where n.name is not null)
            select name from names where name is not null limit \(limit)
            """
        ) { try $0("name") }
    }

    // MARK: Statements

    /// A term is frequent when the first `sample` rows of the order contain it `met` times; then the next `near` rows
    /// may fill a page. Up to `few` hits are looked up; more hits are frequent enough to be found soon along the order.
    /// By age and priority, rows are stored in the order of their arrival, and reading on costs a third of looking up a
    /// hit. By score they are scattered: the index covers the most common searches, and reading it is faster still;
    /// where it does not, reading on costs as much as a hit.
    private static func bounds(_ order: QueueOrder, _ filter: QueueFilter) -> (
        sample: Int, met: Int, near: Int, few: Int
    ) {
        switch order {
        case .oldest, .newest, .priority: (2000, 5, 8000, 1500)
        case .score: filter.isCoveredByScoreIndex ? (4000, 8, 20_000, 1500) : (200, 6, 1000, 9000)
        }
    }

    /// Rows that a count samples for a very frequent term, which a fourth of them contains.
    private static let frequencySample = 200
    /// Rows that a count searches for a very frequent term.
    private static let countSample = 10_000

    /// The rows of a page.
    static func pageQuery(
        _ filter: QueueFilter, order: QueueOrder, isReversed: Bool = false, where bound: SQL? = nil, limit: Int
    ) -> SQL {
        let columns = isReversed ? order.reversed : order.columns
        if filter.query == nil {
            return """
                select \(QueueRow.columns) from curation.queue_item q \(QueueRow.joined)
                where \(condition(filter, bound)) order by \(prefixed(columns)) \(Self.limit(limit, filter))
                """
        }
        return """
            select \(QueueRow.columns)
            from (\(idsQuery(filter, order: order, isReversed: isReversed, where: bound, limit: limit))) f
            join curation.queue_item q on q.submission_id = f.submission_id \(QueueRow.joined)
            order by \(prefixed(columns))
            """
    }

    /// The ids of matching items, in order. PostgreSQL cannot know how rare a term is, and would scan the whole order
    /// for a term that hardly any row contains. So the first rows decide: a frequent term fills the page from the next
    /// rows of the order. Otherwise its hits are looked up, but no more than can be sorted quickly; only when there are
    /// more hits is the order scanned, and that is short. (A materialized CTE is computed on demand and read no further
    /// than needed; `case` prevents the CTEs from being evaluated too early.)
    static func idsQuery(
        _ filter: QueueFilter, order: QueueOrder, isReversed: Bool = false, where bound: SQL? = nil, limit: Int
    ) -> SQL {
        let columns = isReversed ? order.reversed : order.columns
        let condition = condition(filter, bound)
        let lookup: SQL = bound.map { "\(filter.lookup) and \($0)" } ?? filter.lookup
        if filter.query == nil {
            return """
                select q.submission_id from curation.queue_item q where \(condition)
                order by \(prefixed(columns)) \(Self.limit(limit, filter))
                """
        }
        let (sample, met, near, maxHits) = bounds(order, filter)
        let number: SQL = order.leadingNumber.map { ", q.\($0)" } ?? ""
        let sortColumns: SQL = "q.submission_id, q.received_at\(number)"
        func ahead(_ rows: Int) -> SQL {
            "select * from curation.queue_item q where \(bound ?? "true") order by \(prefixed(columns)) limit \(fixed: rows)"
        }
        return """
            with sample as materialized (
                select count(*) = \(fixed: met) as is_frequent
                from (select from (\(ahead(sample))) q where \(filter.condition) limit \(fixed: met)) x),
            near as materialized (
                select \(sortColumns) from (\(ahead(near))) q where \(condition) order by \(prefixed(columns)) limit \(fixed: limit)),
            hits as materialized (select \(sortColumns) from curation.queue_item q where \(lookup)),
            enough as materialized (
                select case when (select is_frequent from sample) then (select count(*) >= \(fixed: limit) from near) else false end
                    as are),
            few as materialized (
                select count(*) <= \(fixed: maxHits) as are from (select from hits limit \(fixed: maxHits + 1)) h)
            select submission_id from (
                (select * from near where (select are from enough))
                union all
                (select * from hits
                 where case when (select are from enough) then false else (select are from few) end
                 order by \(columns) limit \(fixed: limit))
                union all
                (select \(sortColumns) from curation.queue_item q
                 where case when (select are from enough) then false else not (select are from few) end
                   and \(condition) order by \(prefixed(columns)) limit \(fixed: limit))) h
            order by \(columns) limit \(fixed: limit)
            """
    }

    static func countQuery(_ filter: QueueFilter, limit: Int) -> SQL {
        if filter.query == nil {
            // Without selective filters the oldest are counted: the table's physical order may begin with empty pages.
            let order: SQL = filter.isSelective ? "" : " order by q.received_at, q.submission_id"
            return """
                select count(*) as n
                from (select from curation.queue_item q where \(filter.condition)\(order) \(Self.limit(limit + 1, filter))) x
                """
        }
        // As in `idsQuery`: with the limit inside, PostgreSQL would scan every row for the first hit. For a term in
        // every fourth of the oldest rows, not all hits are looked up: the next rows contain enough.
        func amongOldest(_ rows: Int) -> SQL {
            """
            select from (select * from curation.queue_item q order by q.received_at, q.submission_id limit \(fixed: rows)) q
            where \(filter.condition)
            """
        }
        return """
            with frequent as materialized (
                select count(*) >= \(fixed: frequencySample / 4) as is_frequent from (\(amongOldest(frequencySample))) x),
            met as materialized (select count(*) as n from (\(amongOldest(countSample)) limit \(fixed: limit + 1)) x),
            hits as materialized (select from curation.queue_item q where \(filter.lookup))
            select case when (select is_frequent from frequent) and (select n from met) > \(fixed: limit) then (select n from met)
                else (select count(*) from (select from hits limit \(fixed: limit + 1)) x) end as n
            """
    }

    /// PostgreSQL plans a statement with a constant limit once for all values. Searches and barely filtered statements
    /// are written so that one plan suits all; other filters match many or few rows and are planned each time.
    private static func limit(_ rows: Int, _ filter: QueueFilter) -> SQL {
        filter.query != nil || !filter.isSelective ? "limit \(fixed: rows)" : "limit \(rows)"
    }

    private static func condition(_ filter: QueueFilter, _ bound: SQL?) -> SQL {
        guard let bound else { return filter.condition }
        return "\(filter.condition) and \(bound)"
    }

    private static func prefixed(_ columns: SQL) -> SQL {
        let names = columns.text.split(separator: ", ").map { "q.\($0)" }
        return "\(raw: names.joined(separator: ", "))"
    }
}
