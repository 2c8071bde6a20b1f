// The queue: what awaits a decision, oldest first, and who has taken it.
import Domain
import FoundationEssentials
import Postgres

/// Which part of the queue is shown; every field that is set must hold.
package struct QueueFilter: Sendable, Equatable {
    package var type: String?
    package var client: ID<APIClient>?
    package var category: String?
    package var claimedBy: ID<Account>?
    package var words: String?

    package init() {}
}

package struct QueueRow: Sendable {
    package let id: ID<Submission>
    package let type: String
    package let title: String
    package let source: String
    package let wishedCategory: String?
    package let receivedAt: Date
    package let receivedAtText: String
    package let claimedBy: String?
    package let claimedByID: ID<Account>?
    package let claimedUntil: Date?

    init(row: Row) throws {
        id = try row("submission_id")
        type = try row("type")
        title = try row("title")
        source = try row("source")
        wishedCategory = try row("wished_category")
        receivedAt = try row("received_at")
        receivedAtText = try row("received_at_text")
        claimedBy = try row("claimed_name")
        claimedByID = try row("claimed_id")
        claimedUntil = try row("claimed_until")
    }
}

package struct QueueStore: Sendable {
    let connection: StoreConnection

    private static let columns: SQL = """
        q.submission_id, q.type, q.title, c.name as source, q.wished_category, q.received_at,
        q.received_at::text as received_at_text,
        case when q.claimed_until > now() then k.name end as claimed_name,
        case when q.claimed_until > now() then q.claimed_by end as claimed_id,
        case when q.claimed_until > now() then q.claimed_until end as claimed_until
        """

    private static let joined: SQL = """
        from curation.queue_item q join ops.actor c on c.id = q.client_id left join ops.actor k on k.id = q.claimed_by
        """

    /// One page, oldest first, by keyset on (received_at, id).
    package func page(_ filter: QueueFilter, cursor: String?, limit: Int) async throws -> Page<QueueRow> {
        var statement: SQL = "select \(Self.columns) \(Self.joined) where \(Self.condition(filter))"
        if let cursor {
            let place = try Cursor(parsing: cursor, count: 2)
            let id = try place.uuid(1)
            statement +=
                " and (q.received_at, q.submission_id) > (\(try Self.time(place.values[0]))::timestamptz, \(id))"
        }
        statement += " order by q.received_at, q.submission_id limit \(limit + 1)"
        let rows = try await connection.rows(statement, QueueRow.init)
        return Page(rows: rows, limit: limit) { Cursor([$0.receivedAtText, $0.id.description]) }
    }

    /// How many match, counted no further than `limit` + 1.
    package func count(_ filter: QueueFilter, limit: Int = 1000) async throws -> Int {
        try await connection.first(
            "select count(*) as n from (select from curation.queue_item q where \(Self.condition(filter)) limit \(limit + 1)) x"
        ) { try $0("n") } ?? 0
    }

    package func find(_ id: ID<Submission>) async throws -> QueueRow? {
        try await connection.first(
            "select \(Self.columns) \(Self.joined) where q.submission_id = \(id)", QueueRow.init)
    }

    /// The first one behind `submission` that matches and that nobody else has taken; where there is none, or no submission
    /// is given, the oldest other one.
    package func next(
        after submission: SubmissionRow?, _ filter: QueueFilter, for account: ID<Account>
    ) async throws -> ID<Submission>? {
        guard let submission else { return try await oldest(filter, for: account, where: "true") }
        let behind: SQL = """
            (q.received_at, q.submission_id) > (\(submission.receivedAtText)::timestamptz, \(submission.id))
            """
        if let next = try await oldest(filter, for: account, where: behind) { return next }
        return try await oldest(filter, for: account, where: "q.submission_id <> \(submission.id)")
    }

    private func oldest(
        _ filter: QueueFilter, for account: ID<Account>, where place: SQL
    ) async throws -> ID<Submission>? {
        try await connection.first(
            """
            select q.submission_id from curation.queue_item q
            where \(Self.condition(filter)) and \(place)
              and (q.claimed_by is null or q.claimed_by = \(account) or q.claimed_until <= now())
            order by q.received_at, q.submission_id limit 1
            """
        ) { try $0("submission_id") }
    }

    // MARK: Changes

    /// Takes or renews the lease on an item, unless someone else holds it: gives who holds it now, nil when it is gone.
    package func claim(_ id: ID<Submission>, by account: ID<Account>, minutes: Int) async throws -> QueueRow? {
        try await connection.run(
            """
            update curation.queue_item
            set claimed_by = \(account), claimed_until = now() + make_interval(mins => \(minutes)::integer)
            where submission_id = \(id) and (claimed_by is null or claimed_by = \(account) or claimed_until <= now())
            """)
        return try await find(id)
    }

    /// Takes the lease from whoever holds it.
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

    /// Takes the item out of the queue, because it is being decided: false when someone else was faster, or (given an
    /// `account`) holds the lease.
    package func take(_ id: ID<Submission>, respectingOthersOf account: ID<Account>? = nil) async throws -> Bool {
        try await connection.run(
            """
            delete from curation.queue_item
            where submission_id = \(id) and (\(account)::uuid is null
                or claimed_by is null or claimed_by = \(account)::uuid or claimed_until <= now())
            """) > 0
    }

    /// Puts a submission back, at its old place, after an undo.
    package func putBack(_ id: ID<Submission>) async throws {
        try await connection.run(
            """
            insert into curation.queue_item (submission_id, type, client_id, title, wished_category, received_at)
            select id, type, client_id, title, wished_category, received_at from curation.submission where id = \(id)
            on conflict (submission_id) do nothing
            """)
    }

    private static func condition(_ filter: QueueFilter) -> SQL {
        var sql: SQL = "true"
        if let type = filter.type { sql += " and q.type = \(type)" }
        if let client = filter.client { sql += " and q.client_id = \(client)" }
        if let category = filter.category { sql += " and q.wished_category = \(category)" }
        if let account = filter.claimedBy { sql += " and q.claimed_by = \(account) and q.claimed_until > now()" }
        if let words = filter.words {
            sql += " and to_tsvector('simple', q.title) @@ websearch_to_tsquery('simple', \(words))"
        }
        return sql
    }

    /// The time of a cursor is PostgreSQL's own text; anything else must not reach the cast.
    private static func time(_ text: String) throws(Failure) -> String {
        let isTime =
            (19...40).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x30...0x3A).contains($0) || [0x2D, 0x2B, 0x2E, 0x20].contains($0) }
        guard isTime else {
            throw .invalid(FieldErrors("/cursor", "format", "This cursor is not one of ours. Begin again without one."))
        }
        return text
    }
}
