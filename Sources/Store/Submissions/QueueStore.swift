// The queue: what awaits a decision, in the order that is asked for, and who has taken it.
import Domain
import FoundationEssentials
import Postgres

package struct QueueStore: Sendable {
    let connection: StoreConnection

    /// One page by keyset on the order.
    package func page(
        _ filter: QueueFilter, order: QueueOrder = .oldest, cursor: String?, limit: Int
    ) async throws -> Page<QueueRow> {
        let after = try cursor.map { try QueuePosition(parsing: $0, order).after(order) }
        let rows = try await connection.rows(
            Self.statement(filter, order: order, where: after, limit: limit + 1), QueueRow.init)
        return Page(rows: rows, limit: limit) { $0.place.cursor(order) }
    }

    /// What stands around a place: at most `before` up to it and itself, and at most `after` behind it.
    package func around(
        _ place: QueuePosition, _ filter: QueueFilter, order: QueueOrder, before: Int, after: Int
    ) async throws -> [QueueRow] {
        let above = try await connection.rows(
            Self.statement(filter, order: order, isReversed: true, where: place.upTo(order), limit: before + 1),
            QueueRow.init)
        let below = try await connection.rows(
            Self.statement(filter, order: order, where: place.after(order), limit: after), QueueRow.init)
        return above.reversed() + below
    }

    /// How many match, counted no further than `limit` + 1.
    package func count(_ filter: QueueFilter, limit: Int = 1000) async throws -> Int {
        try await connection.first(Self.counting(filter, limit: limit)) { try $0("n") } ?? 0
    }

    /// How many of these wait and are outside of what the filter's scope holds.
    package func countOutside(_ filter: QueueFilter, among ids: [ID<Submission>]) async throws -> Int {
        try await connection.first(
            """
            select count(*) as n from curation.queue_item q
            where q.submission_id = any(\(ids.map(\.description))::uuid[]) and not (true\(filter.scope))
            """
        ) { try $0("n") } ?? 0
    }

    /// How much waits, waits for at least `hours`, is taken by this person, and names them in notes that they have not seen;
    /// none counted further than `limit` + 1.
    package func standing(
        for account: ID<Account>, within all: QueueFilter = QueueFilter(), lateAfter hours: Int, limit: Int
    ) async throws -> (waiting: Int, late: Int, mine: Int, mentions: Int) {
        var (late, mine) = (all, all)
        late.hoursOld = hours
        mine.claimedBy = account
        let found = try await connection.first(
            """
            select w.n as waiting, l.n as late, m.n as mine, t.n as mentions
            from (\(Self.counting(all, limit: limit))) w, (\(Self.counting(late, limit: limit))) l,
                (\(Self.counting(mine, limit: limit))) m, (select count(*) as n from (
                    select from curation.mention where account_id = \(account) and seen_at is null
                    limit \(fixed: limit + 1)) x) t
            """
        ) {
            (
                waiting: try $0("waiting") as Int, late: try $0("late") as Int, mine: try $0("mine") as Int,
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

    /// The first one behind `place` that matches, that nobody else has taken, and that is not for others to decide; where
    /// there is none, or no place is given, the first other one.
    package func next(
        after place: QueuePosition?, _ filter: QueueFilter, order: QueueOrder = .oldest, for account: ID<Account>,
        _ role: Role
    ) async throws -> ID<Submission>? {
        let mine: SQL = """
            (q.claimed_by is null or q.claimed_by = \(account) or q.claimed_until <= now())
            and (q.assigned_to is null or q.assigned_to = \(account))
            and (q.assigned_role is null or q.assigned_role = any(\(Role.allCases.filter { $0 <= role }.map(\.rawValue))))
            """
        func first(_ condition: SQL) async throws -> ID<Submission>? {
            try await connection.first(
                Self.places(filter, order: order, where: condition, limit: 1)
            ) { try $0("submission_id") }
        }
        guard let place else { return try await first(mine) }
        if let next = try await first("\(mine) and \(place.after(order))") { return next }
        return try await first("\(mine) and q.submission_id <> \(place.id)")
    }

    // MARK: Statements

    /// A word is frequent where the first `sample` rows of the order have it `met` times; then the next `near` rows may fill a
    /// page. Up to `few` hits are looked up; more are frequent enough to be met soon on the way along the order. By age and
    /// priority rows lie in the table as they came in, and reading on costs a third of what it takes to look up a hit. By score
    /// they lie apart: the index has what a search looks at most, and that is read faster still; where it has not, reading on
    /// costs as much as a hit.
    private static func bounds(_ order: QueueOrder, _ filter: QueueFilter) -> (
        sample: Int, met: Int, near: Int, few: Int
    ) {
        switch order {
        case .oldest, .newest, .priority: (2000, 5, 8000, 1500)
        case .score: filter.isReadByScore ? (4000, 8, 20_000, 1500) : (200, 6, 1000, 9000)
        }
    }

    /// Rows that tell a count whether a word is very frequent: a fourth of them has it.
    private static let dense = 200
    /// Rows among which a count looks for a very frequent word.
    private static let oldest = 10_000

    /// The rows of a page.
    static func statement(
        _ filter: QueueFilter, order: QueueOrder, isReversed: Bool = false, where place: SQL? = nil, limit: Int
    ) -> SQL {
        let columns = isReversed ? order.reversed : order.columns
        if filter.words == nil {
            return """
                select \(QueueRow.columns) from curation.queue_item q \(QueueRow.joined)
                where \(condition(filter, place)) order by \(prefixed(columns)) \(Self.limit(limit, filter))
                """
        }
        return """
            select \(QueueRow.columns)
            from (\(places(filter, order: order, isReversed: isReversed, where: place, limit: limit))) f
            join curation.queue_item q on q.submission_id = f.submission_id \(QueueRow.joined)
            order by \(prefixed(columns))
            """
    }

    /// The ids of what matches, in order. PostgreSQL cannot know how rare a word is, and walks along the order through
    /// all there is for one that hardly anything has. So the first rows tell: a frequent word fills the page from the next rows of
    /// the order. Else its hits are looked up, no more of them than can be sorted in no time; only where there are more, the order
    /// is walked, and that is short. (A materialized part is made when it is asked for, and read no further than it is needed;
    /// `case` keeps the parts from being asked for too early.)
    static func places(
        _ filter: QueueFilter, order: QueueOrder, isReversed: Bool = false, where place: SQL? = nil, limit: Int
    ) -> SQL {
        let columns = isReversed ? order.reversed : order.columns
        let condition = condition(filter, place)
        if filter.words == nil {
            return """
                select q.submission_id from curation.queue_item q where \(condition)
                order by \(prefixed(columns)) \(Self.limit(limit, filter))
                """
        }
        let (sample, met, near, fewHits) = bounds(order, filter)
        let number: SQL = order.number.map { ", q.\($0)" } ?? ""
        let columnsOfPlace: SQL = "q.submission_id, q.received_at\(number)"
        func ahead(_ rows: Int) -> SQL {
            "select * from curation.queue_item q where \(place ?? "true") order by \(prefixed(columns)) limit \(fixed: rows)"
        }
        return """
            with sample as materialized (
                select count(*) = \(fixed: met) as is_dense
                from (select from (\(ahead(sample))) q where \(filter.condition) limit \(fixed: met)) x),
            near as materialized (
                select \(columnsOfPlace) from (\(ahead(near))) q where \(condition) order by \(prefixed(columns)) limit \(fixed: limit)),
            hits as materialized (select \(columnsOfPlace) from curation.queue_item q where \(condition)),
            enough as materialized (
                select case when (select is_dense from sample) then (select count(*) >= \(fixed: limit) from near) else false end
                    as are),
            few as materialized (
                select count(*) <= \(fixed: fewHits) as are from (select from hits limit \(fixed: fewHits + 1)) h)
            select submission_id from (
                (select * from near where (select are from enough))
                union all
                (select * from hits
                 where case when (select are from enough) then false else (select are from few) end
                 order by \(columns) limit \(fixed: limit))
                union all
                (select \(columnsOfPlace) from curation.queue_item q
                 where case when (select are from enough) then false else not (select are from few) end
                   and \(condition) order by \(prefixed(columns)) limit \(fixed: limit))) h
            order by \(columns) limit \(fixed: limit)
            """
    }

    static func counting(_ filter: QueueFilter, limit: Int) -> SQL {
        if filter.words == nil {
            // Of the whole queue the oldest are counted: the table's own order may begin with pages that are empty by now.
            let order: SQL = filter.isNarrow ? "" : " order by q.received_at, q.submission_id"
            return """
                select count(*) as n
                from (select from curation.queue_item q where \(filter.condition)\(order) \(Self.limit(limit + 1, filter))) x
                """
        }
        // As in `places`: with the limit inside, PostgreSQL would look at every row for the first hit. Of a word that every
        // fourth of the oldest has, not all hits are looked up: there are enough among the next rows.
        func amongOldest(_ rows: Int) -> SQL {
            """
            select from (select * from curation.queue_item q order by q.received_at, q.submission_id limit \(fixed: rows)) q
            where \(filter.condition)
            """
        }
        return """
            with dense as materialized (
                select count(*) >= \(fixed: dense / 4) as so from (\(amongOldest(dense))) x),
            met as materialized (select count(*) as n from (\(amongOldest(oldest)) limit \(fixed: limit + 1)) x),
            hits as materialized (select from curation.queue_item q where \(filter.condition))
            select case when (select so from dense) and (select n from met) > \(fixed: limit) then (select n from met)
                else (select count(*) from (select from hits limit \(fixed: limit + 1)) x) end as n
            """
    }

    /// PostgreSQL plans a statement with a limit that it knows once for any values. What is searched for and what is hardly
    /// filtered is written so that one plan is right for all; other filters leave much or little, and are planned for each.
    private static func limit(_ rows: Int, _ filter: QueueFilter) -> SQL {
        filter.words != nil || !filter.isNarrow ? "limit \(fixed: rows)" : "limit \(rows)"
    }

    private static func condition(_ filter: QueueFilter, _ place: SQL?) -> SQL {
        guard let place else { return filter.condition }
        return "\(filter.condition) and \(place)"
    }

    private static func prefixed(_ columns: SQL) -> SQL {
        let names = columns.text.split(separator: ", ").map { "q.\($0)" }
        return "\(raw: names.joined(separator: ", "))"
    }
}
