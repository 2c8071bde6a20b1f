// Tests that a queue search reads few pages, however rare or frequent a term is, measured by PostgreSQL.
import Domain
import FoundationEssentials
import Postgres
import TestBasics
import TestSupport
import Testing

@testable import Store

@Suite("Queue search", .databases)
struct QueueSearchTests {
    private static let rows = 50_000

    /// Rows of one score are scattered. Every 2nd title contains `harbour`, every 100th `quay`, every 3rd except the
    /// first 10,000 `jetty`, and the last three `ferry`.
    private func fill(_ superuser: PostgresClient, client: Actor) async throws {
        try await superuser.transaction(deadline: .seconds(120)) { transaction in
            try await transaction.execute("set local statement_timeout to 0")
            try await transaction.execute(
                "insert into ops.audit_event (actor_id, action, object_type) values (\(SystemActor.system), 'test.fill', 'queue')"
            )
            try await transaction.execute(
                """
                create temp table made on commit drop as
                select i, curation.uuid_v7() as id, 'Title ' || i || ' of ' || translate(md5(i::text), '0123456789', 'ghijklmnop')
                    || case when i % 2 = 0 then ' harbour' else '' end || case when i % 100 = 0 then ' quay' else '' end
                    || case when i % 3 = 0 and i > 10000 then ' jetty' else '' end
                    || case when i > \(Self.rows)::integer - 3 then ' ferry' else '' end as title,
                    now() - make_interval(secs => \(Self.rows)::integer - i) as received_at
                from generate_series(1, \(Self.rows)::integer) i
                """)
            try await transaction.execute(
                """
                insert into curation.submission (id, type, client_id, title, fields, received, source, request_hash, received_at)
                select id, 'article', \(client.rowID), title, '{}', '{}', 'api', sha256(title::bytea), received_at from made
                """)
            try await transaction.execute(
                """
                insert into curation.queue_item (submission_id, type, client_id, title, received_at, risk_order)
                select id, 'article', \(client.rowID), title, received_at, (hashtext(title) % 50 + 50) % 50 + 50 from made order by i
                """)
        }
        // A concurrent reader keeps the rows from being marked as visible to all.
        try await until("all rows are marked as visible") {
            _ = try await superuser.query(
                "vacuum (analyze, disable_page_skipping) curation.queue_item", deadline: .seconds(120))
            return try await superuser.one(
                "select relallvisible = relpages as so from pg_class where oid = 'curation.queue_item'::regclass")("so")
        }
    }

    /// How many pages of 8 kB a statement reads, and how many rows its scan along the order skips; planned for its
    /// values, or generically as a prepared statement is after a while.
    private func cost(
        _ statement: SQL, _ superuser: PostgresClient, isGeneric: Bool, isWalk: Bool = false
    ) async throws -> Cost {
        try await superuser.transaction { transaction in
            let plan: String
            if isWalk { try await transaction.execute("set local enable_bitmapscan to off") }
            if isGeneric {
                try await transaction.execute("set local plan_cache_mode = force_generic_plan")
                try await transaction.execute("prepare search as \(raw: statement.text)")
                let values = statement.binds.map { bind in
                    if case .text(let text) = bind { "'\(text.replacing("'", with: "''"))'" } else { "null" }
                }
                plan = try await transaction.one(
                    "explain (analyze, buffers, format json) execute search(\(raw: values.joined(separator: ", ")))"
                )("QUERY PLAN")
                // Only this one: the connection returns to the pool with its prepared statements.
                try await transaction.execute("deallocate search")
            } else {
                plan = try await transaction.one("explain (analyze, buffers, format json) \(statement)")("QUERY PLAN")
            }
            return try Cost(plan)
        }
    }

    private struct Cost {
        let pages: Int
        let passedOver: Int
        /// Hits looked up in the index of search terms.
        let lookedUp: Int

        init(_ plan: String) throws {
            let root = try JSONValue(parsing: Array(plan.utf8)).arrayValue?.first?.objectValue?["Plan"]
            let node = try #require(root?.objectValue)
            pages = Self.number(node["Shared Hit Blocks"]) + Self.number(node["Shared Read Blocks"])
            passedOver = Self.walked(node)
            lookedUp = Self.lookedUp(node)
        }

        private static func walked(_ node: [String: JSONValue]) -> Int {
            let isWalk = ["Index Scan", "Index Only Scan", "Seq Scan"].contains(node["Node Type"]?.stringValue ?? "")
            let mine = isWalk ? number(node["Rows Removed by Filter"]) * number(node["Actual Loops"]) : 0
            return (node["Plans"]?.arrayValue ?? []).compactMap(\.objectValue).map(walked).reduce(mine, +)
        }

        private static func lookedUp(_ node: [String: JSONValue]) -> Int {
            let mine = node["Node Type"] == "Bitmap Index Scan" ? number(node["Actual Rows"]) : 0
            return (node["Plans"]?.arrayValue ?? []).compactMap(\.objectValue).map(lookedUp).reduce(mine, +)
        }

        private static func number(_ value: JSONValue?) -> Int {
            switch value {
            case .int(let number): Int(number)
            case .double(let number): Int(number)
            default: 0
            }
        }
    }

    private func filter(_ words: String) -> QueueFilter {
        var filter = QueueFilter()
        filter.query = words
        return filter
    }

    @Test("A page for a rare, frequent or very frequent term reads little, with a specific and a generic plan")
    func pages() async throws {
        let test = try await TestDatabase.make()
        let superuser = test.superuser()
        try await fill(superuser, client: try await test.clientActor())
        let whole: Int = try await superuser.one(
            "select pg_relation_size('curation.queue_item') / 8192 as n")("n")
        for isGeneric in [false, true] {
            for order in QueueOrder.allCases {
                // The cost of the page if PostgreSQL scanned along the order.
                let walk: SQL = """
                    select submission_id from curation.queue_item q where \(filter("ferry").condition)
                    order by received_at, submission_id limit 26
                    """
                let rare = try await cost(
                    QueueStore.pageQuery(filter("ferry"), order: order, limit: 26), superuser, isGeneric: isGeneric)
                // The sample, and then the three hits.
                #expect(
                    rare.pages < 250 && rare.passedOver < 10 && rare.lookedUp == 3, "\(order), \(isGeneric): \(rare)")
                let walked = try await cost(walk, superuser, isGeneric: isGeneric, isWalk: true)
                #expect(walked.pages > whole / 2 && walked.passedOver > Self.rows - 10, "\(walked)")

                // 500 hits are looked up and sorted, or found among the next rows.
                let some = try await cost(
                    QueueStore.pageQuery(filter("quay"), order: order, limit: 26), superuser, isGeneric: isGeneric)
                #expect(some.pages < 800 && some.passedOver < 10, "\(order), \(isGeneric): \(some)")

                // 25,000 hits are not looked up: the next rows fill a page.
                let frequent = try await cost(
                    QueueStore.pageQuery(filter("harbour"), order: order, limit: 26), superuser, isGeneric: isGeneric)
                #expect(
                    frequent.pages < 200 && frequent.passedOver < 10 && frequent.lookedUp == 0,
                    "\(order), \(isGeneric): \(frequent)")
            }
            // By score the first rows are scattered: the searched columns and the usual filters are read from the
            // index.
            var narrow = filter("quay")
            narrow.type = "article"
            for filter in [filter("quay"), narrow] {
                let apart = try await cost(
                    QueueStore.pageQuery(filter, order: .score, limit: 26), superuser, isGeneric: isGeneric)
                #expect(apart.pages < 500 && apart.passedOver < 10, "\(isGeneric): \(apart)")
            }
            // 13,000 hits that are not among the next rows: 1,500 are found, then the scan skips the first 10,000.
            let later = try await cost(
                QueueStore.pageQuery(filter("jetty"), order: .oldest, limit: 26), superuser, isGeneric: isGeneric)
            #expect(later.pages < whole && later.passedOver < 10_100, "\(isGeneric): \(later)")
            let counted = try await cost(
                QueueStore.countQuery(filter("ferry"), limit: 1000), superuser, isGeneric: isGeneric)
            #expect(counted.pages < 60 && counted.passedOver < 10 && counted.lookedUp == 3, "\(counted)")
            let many = try await cost(
                QueueStore.countQuery(filter("harbour"), limit: 1000), superuser, isGeneric: isGeneric)
            #expect(many.pages < 300 && many.passedOver < 10 && many.lookedUp == 0, "\(many)")
        }
    }

    @Test("The count of a search is exact up to its limit, for terms of every frequency")
    func counts() async throws {
        let test = try await TestDatabase.make()
        try await fill(test.client, client: try await test.clientActor())
        for (words, expected) in [
            ("ferry", 3), ("quay", 500), ("harbour", 1001), ("jetty", 1001), ("title", 1001), ("nothing", 0),
            ("title quay", 500),
        ] {
            #expect(try await test.database.queue.count(filter(words), limit: 1000) == expected, "\(words)")
        }
        #expect(try await test.database.queue.count(filter("harbour"), limit: 30_000) == 25_000)
        #expect(try await test.database.queue.count(filter("quay"), limit: 500) == 500)
        #expect(try await test.database.queue.count(filter("quay"), limit: 499) == 500)
    }

    @Test("Paging in every order returns each hit once, whether there are few or many")
    func orders() async throws {
        let test = try await TestDatabase.make()
        try await fill(test.client, client: try await test.clientActor())
        try await test.client.execute(
            "update curation.queue_item set priority = 1 + (hashtext(title) % 4 + 4) % 4 where title like '%quay%'")
        for order in QueueOrder.allCases {
            for (words, expected) in [("ferry", 3), ("quay", 500), ("jetty -harbour", 6666)] {
                var seen: [QueueRow] = []
                var cursor: String?
                repeat {
                    let page = try await test.database.queue.page(
                        filter(words), order: order, cursor: cursor, limit: 1000)
                    seen += page.items
                    cursor = page.next
                } while cursor != nil
                #expect(seen.count == expected && Set(seen.map(\.id)).count == expected, "\(order) \(words)")
                let sorted = seen.sorted { one, other in
                    switch order {
                    case .oldest: one.receivedAt < other.receivedAt
                    case .newest: one.receivedAt > other.receivedAt
                    case .score: (one.riskOrder, one.receivedAt) < (other.riskOrder, other.receivedAt)
                    case .priority:
                        (one.priority.rawValue, one.receivedAt) < (other.priority.rawValue, other.receivedAt)
                    }
                }
                #expect(seen.map(\.id) == sorted.map(\.id), "\(order) \(words)")
            }
            let first = try await test.database.queue.page(filter("harbour"), order: order, cursor: nil, limit: 30)
            let rest = try await test.database.queue.page(
                filter("harbour"), order: order, cursor: first.next, limit: 30)
            #expect(first.items.count == 30 && rest.items.count == 30)
            #expect(Set(first.items.map(\.id)).isDisjoint(with: rest.items.map(\.id)))
        }
    }

    @Test("A title in any script fits into the index by score; its first 230 characters are searched")
    func titles() async throws {
        let test = try await TestDatabase.make()
        let client = try await test.clientActor()
        // Many short words with multi-byte letters: hyphenated pairs are terms too, as a whole and in parts.
        let pairs = (0..<200).map { index in
            let letters = [0x2_0000 + index * 37, 0x2_4000 + index * 53].compactMap(Unicode.Scalar.init).map {
                String($0)
            }
            return letters.joined(separator: "-")
        }
        let plain = String(repeating: "x", count: 222) + " inside outside"
        try await test.client.transaction { transaction in
            try await transaction.execute(
                "insert into ops.audit_event (actor_id, action, object_type) values (\(SystemActor.system), 'test.fill', 'queue')"
            )
            for title in [pairs.joined(separator: " "), plain] {
                try await transaction.execute(
                    """
                    with kept as (
                        insert into curation.submission (id, type, client_id, title, fields, received, source, request_hash)
                        values (curation.uuid_v7(), 'article', \(client.rowID), \(title), '{}', '{}', 'api',
                            sha256(\(title)::bytea))
                        returning id, type, client_id, title, received_at)
                    insert into curation.queue_item (submission_id, type, client_id, title, received_at, snoozed_until)
                    select id, type, client_id, title, received_at, now() from kept
                    """)
            }
        }
        for (words, expected) in [(pairs[0], 1), ("inside", 1), ("outside", 0)] {
            #expect(try await test.database.queue.count(filter(words)) == expected, "\(words)")
        }
    }
}
