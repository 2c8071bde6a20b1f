// Tests that a replica kept through the API equals a fresh copy, whatever was published in the meantime.
import Domain
import Postgres
import Publishing
import Store
import TestBasics
import TestSupport
import Testing

@testable import API

@Suite("Delta sync", .databases)
struct DeltaSyncTests {
    /// Keeps a replica of the read tables by `/v1/tables/{table}` and `/v1/changes` alone.
    private struct Copy {
        let api: APIFixture
        let client: APIFixture.Client
        let tables: [ReadTable]
        var rows: [String: JSONValue] = [:]
        var since = "0"

        /// Reads all tables page by page; `between` runs after each page.
        mutating func begin(_ between: () async throws -> Void = {}) async throws {
            since = "0"
            for table in tables {
                var next: String?
                repeat {
                    let query = next.map { "cursor=\($0)" } ?? (since == "0" ? "" : "since=\(since)")
                    let page = try await api.get("/v1/tables/\(table.name)?\(query)", as: client)
                    #expect(page.status == 200, "\(table.name): \(page.text)")
                    since = page.json["change"]?.stringValue ?? "?"
                    for row in page.data { rows["\(table.name) \(row["key"]?.stringValue ?? "?")"] = row["row"] }
                    next = page.next
                    try await between()
                } while next != nil
            }
        }

        /// Reads the next changes; false when there are none.
        mutating func follow() async throws -> Bool {
            let page = try await api.get("/v1/changes?since=\(since)&rows=true", as: client)
            for change in page.data {
                let place = "\(change["table"]?.stringValue ?? "?") \(change["key"]?.stringValue ?? "?")"
                rows[place] = change["row"] == .null ? nil : change["row"]
            }
            since = page.next ?? since
            return !page.data.isEmpty
        }
    }

    private struct Editor {
        let api: APIFixture
        var random: SeededGenerator
        var feeds: [ID<Entry>] = []
        var articles: [ID<Entry>] = []

        mutating func action() async throws {
            switch Int.random(in: 0...9, using: &random) {
            case 0 where feeds.count < 5:
                feeds.append(try await api.publish("feed", "Feed \(feeds.count)", ["tier": "free"]))
            case 0...4:
                let titles = ["Tea", "Rain", "Stairs", "Ferry"]
                let title = titles[Int.random(in: 0..<titles.count, using: &random)]
                let feed = feeds.randomElement(using: &random).map { [$0] } ?? []
                articles.append(
                    try await api.publish(
                        "article", "\(title) \(articles.count)",
                        ["body": "<p>Text</p>", "feeds": ids(feed), "categories": ids([SeedEntry.unsorted])]))
            case 5, 6:
                guard let article = articles.randomElement(using: &random) else { return }
                let word = UInt32.random(in: 0...UInt32.max, using: &random)
                try await api.edit(article, ["summary": .string("Word \(word)"), "slug": .string("slug-\(word)")])
            case 7:
                guard let article = articles.randomElement(using: &random) else { return }
                // A rollback may have unpublished it.
                do { try await api.unpublish(article) } catch Failure.conflict(code: "not_live", _) {}
            case 8:
                let newest: Int64? = try await api.test.reader.one("select max(number) as n from api_v1.publication")(
                    "n")
                let number = newest ?? 0
                guard number > 2 else { return }
                let back = Int64.random(in: 1..<number, using: &random)
                _ = try await PublishRelease(database: api.test.database).rollback(
                    to: back, seen: nil, by: TestDatabase.administrator)
            default:
                // A read table is damaged, and repaired in one publication.
                let owner = api.test.superuser()
                _ = try await owner.query("delete from api_v1.feed_item")
                await owner.close()
                _ = try await VerifyReadTables(database: api.test.database).repair(by: TestDatabase.administrator)
            }
        }
    }

    @Test(
        "A replica started during publications and updated now and then equals a fresh copy",
        arguments: RandomRuns.seeds(5, 6))
    func converges(seed: UInt64) async throws {
        let api = try await APIFixture.make(trust: .seconds(60))
        let client = try await api.client([.readFull])
        var editor = Editor(api: api, random: SeededGenerator(seed: seed))
        for _ in 1...6 { try await editor.action() }
        // More rows than one page has; the first repair removes them.
        try await api.test.client.execute(
            """
            insert into api_v1.tombstone (id, type, kind, publication, gone_at)
            select gen_random_uuid(), 'article', 'item', 1, now() from generate_series(1, 501)
            """)
        var copy = Copy(api: api, client: client, tables: TestDatabase.packs.readTables)
        try await copy.begin { if Bool.random(using: &editor.random) { try await editor.action() } }
        for _ in 1...20 {
            try await editor.action()
            if Bool.random(using: &editor.random) { _ = try await copy.follow() }
        }
        while try await copy.follow() {}
        var fresh = Copy(api: api, client: client, tables: TestDatabase.packs.readTables)
        try await fresh.begin()
        #expect(copy.rows == fresh.rows)
        #expect(fresh.rows.count > 20)
    }

    @Test("The replicated tables are all that publications write, with their keys")
    func complete() async throws {
        let test = try await TestDatabase.make()
        let owner = test.superuser()
        let known: [String] = try await owner.query(
            "select name || ' ' || array_to_string(key, ',') as line from projection.read_table"
        ).map { try $0("line") }
        await owner.close()
        #expect(
            Set(known)
                == Set(TestDatabase.packs.readTables.map { "\($0.name) \($0.key.map(\.name).joined(separator: ","))" }))
        let contract = try await ReadContract.read(test.database, roles: Roles.standard).tables
        for table in TestDatabase.packs.readTables {
            let readers = contract.first { $0.name == table.name }?.readers ?? []
            #expect(readers.contains("guest") == table.isForGuests, "\(table.name)")
        }
    }

    @Test("A16: a guest's replica contains no row hidden from guests, and requesting one is refused")
    func guest() async throws {
        let api = try await APIFixture.make()
        let guest = try await api.client([.readGuest])
        try await api.publish("article", "One", ["body": "<p>x</p>", "categories": ids([SeedEntry.unsorted])])
        let changes = try await api.get("/v1/changes?since=0&rows=true", as: guest).data
        #expect(changes.first { $0["table"] == "item_full" }?["row"] == .null)
        #expect(changes.first { $0["table"] == "item" }?["row"]?["title"] == "One")
        #expect(try await api.get("/v1/changes?since=0", as: guest).data.first?["row"] == nil)
        #expect(try await api.get("/v1/tables/item_full", as: guest).code == "needs_full_access")
        #expect(try await api.get("/v1/tables/nothing", as: guest).status == 404)
        for cursor in ["x", Cursor(["1", "2"]).text, Cursor(["'"]).text] {
            #expect(try await api.get("/v1/tables/item?cursor=\(cursor)", as: guest).status == 400)
        }
    }
}
