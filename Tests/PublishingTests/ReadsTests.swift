// Tests that the rows a publication reads depend on its size only, not on the amount of content or history.
import Domain
import Operations
import Postgres
import Store
import TestBasics
import TestSupport
import Testing

@Suite("Rows read by a publication", .databases)
struct ReadsTests {
    /// Rows of tables and of indexes that publishing a change looks at, by name. A session that plans it for the first time reads
    /// some hundreds more than one that has done it before.
    private func read(by change: LiveChange, _ owner: PostgresClient) async throws -> [String: Int] {
        try await owner.undone { transaction in
            _ = try await transaction.query(
                """
                select curation.publish(array[\(change.entry)]::uuid[], array[\(change.revision)]::uuid[],
                    '00000000-0000-7000-8000-000000000001', null, '') as number
                """)
            let rows = try await transaction.query(
                """
                select c.relname as name, sum(pg_stat_get_xact_tuples_returned(c.oid) + pg_stat_get_xact_tuples_fetched(c.oid))::bigint as n
                from pg_class c join pg_namespace s on s.oid = c.relnamespace
                where s.nspname in ('curation', 'api_v1', 'ops', 'projection') and c.relkind in ('r', 'i')
                group by 1 having sum(pg_stat_get_xact_tuples_returned(c.oid) + pg_stat_get_xact_tuples_fetched(c.oid)) > 0
                """)
            return Dictionary(try rows.map { (try $0("name") as String, try $0("n") as Int) }) { $0 + $1 }
        }
    }

    @Test("A publication of one entry reads as much with thirty times the published entries and publications")
    func oneEntry() async throws {
        let world = try await FeedWorld.make()
        let feed = try await world.publish("feed", "Harbour")
        let category = try await world.publish("category", "Boats")
        let fields: [String: JSONValue] = [
            "title": "A ferry", "body": "<p>It sails.</p>", "feeds": FeedWorld.list(feed),
            "categories": FeedWorld.list(category),
        ]
        let article = try await world.publish("article", "A ferry", fields)
        let owner = world.test.superuser()
        var changes: [String: LiveChange] = [:]
        for (name, action) in [("new", nil), ("edited", article)] {
            let entry: ID<Entry>
            if let action {
                _ = try await world.write.edit(
                    action, fields: fields.merging(["title": "Two ferries"]) { $1 }, base: 1,
                    publishTiming: .approveOnly,
                    by: FeedWorld.actor)
                entry = action
            } else {
                entry = try await world.write.create(
                    type: "article", fields: fields, publishTiming: .approveOnly, by: FeedWorld.actor
                ).entry
            }
            let newest = try #require(try await world.test.database.revisions.newest(of: entry))
            changes[name] = LiveChange(entry: entry, revision: newest.id)
        }
        changes["withdrawn"] = LiveChange(entry: article, revision: nil)

        try await world.multiply(article, by: 100, owner)
        var few: [String: [String: Int]] = [:]
        for (name, change) in changes { few[name] = try await read(by: change, owner) }
        try await world.multiply(article, by: 2900, owner)
        for (name, change) in changes {
            let many = try await read(by: change, owner)
            let grown = many.filter { $0.value > 2 * few[name, default: [:]][$0.key, default: 0] + 1000 }
            #expect(grown.isEmpty, "\(name): \(grown), before: \(grown.keys.map { few[name]?[$0] ?? 0 })")
            #expect(!many.isEmpty)
        }
    }

    @Test(
        "A repair looks up the category of each membership; a join could read all memberships for each one"
    )
    func memberships() async throws {
        let owner = try await FeedWorld.make().test.superuser()
        let row = try await owner.one("explain (format json) select * from projection.category_member")
        let text: String = try row("QUERY PLAN")
        let root = try JSONValue(parsing: Array(text.utf8)).arrayValue?.first?["Plan"]
        let found = lookups(of: "k", in: try #require(root), isLookup: false)
        #expect(found == [true], "\(text)")
    }

    /// For each node of a plan with this alias, whether it is asked for row by row: nothing that the planner believes turns that round.
    private func lookups(of alias: String, in node: JSONValue, isLookup: Bool) -> [Bool] {
        let isLookup = isLookup || node["Parent Relationship"] == "SubPlan"
        let mine = node["Alias"]?.stringValue == alias ? [isLookup] : []
        return (node["Plans"]?.arrayValue ?? []).reduce(mine) { $0 + lookups(of: alias, in: $1, isLookup: isLookup) }
    }
}
