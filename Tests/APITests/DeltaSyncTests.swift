// Tests that a replica kept through the API equals a fresh copy, whatever was published in the meantime.
import Domain
import HTTP
import Operations
import Postgres
import Store
import TestBasics
import TestSupport
import Testing

@testable import API

@Suite("Delta sync", .databases)
struct DeltaSyncTests {
    /// Keeps a replica of the read tables by following `next_url` alone.
    private struct Copy {
        let api: APIFixture
        let client: APIFixture.Client
        var rows: [String: JSONValue] = [:]
        var url: String
        var isUpToDate = false

        init(_ api: APIFixture, _ client: APIFixture.Client, of tables: [ReadTable] = TestDatabase.packs.readTables) {
            (self.api, self.client) = (api, client)
            url = "/v1/tables/" + tables.map(\.name).joined(separator: ",")
        }

        /// Reads one page.
        mutating func step() async throws {
            let page = try await api.get(url, as: client)
            if page.status == 410 {
                rows = [:]
            } else {
                #expect(page.status == 200, "\(url): \(page.text.prefix(200))")
            }
            for element in page.data {
                let name = "\(element["table"]?.stringValue ?? "?") \(element["key"]?.stringValue ?? "?")"
                rows[name] = element["row"] == .null ? nil : element["row"]
            }
            url = page.json["next_url"]?.stringValue ?? "?"
            #expect(page["Link"] == "<\(url)>; rel=\"next\"")
            isUpToDate = page.json["up_to_date"] == .bool(true)
        }

        /// Reads until everything is copied; `between` runs after each page.
        mutating func follow(_ between: () async throws -> Void = {}) async throws {
            repeat {
                try await step()
                try await between()
            } while !isUpToDate
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
                _ = try await api.test.services.publishRelease.rollback(
                    to: back, seen: nil, by: TestDatabase.administrator)
            default:
                // A read table is damaged, and repaired in one publication.
                _ = try await api.test.client.query("delete from api_v1.feed_item")
                _ = try await api.test.services.verifyReadTables.repair(by: TestDatabase.administrator)
            }
        }
    }

    @Test(
        "A replica started during publications and updated now and then equals a fresh copy",
        arguments: TestScale.seeds(5, 6))
    func converges(seed: UInt64) async throws {
        let (api, client) = try await APIFixture.serving([.readFull], trust: .seconds(60))
        var editor = Editor(api: api, random: SeededGenerator(seed: seed))
        for _ in 1...6 { try await editor.action() }
        // More rows than one page has; the first repair removes them.
        try await api.test.client.execute(
            """
            insert into api_v1.tombstone (id, type, kind, publication, gone_at)
            select gen_random_uuid(), 'article', 'item', 1, now() from generate_series(1, 501)
            """)
        var copy = Copy(api, client)
        var actions = 0
        try await copy.follow {
            if actions < 20, Bool.random(using: &editor.random) {
                actions += 1
                try await editor.action()
            }
        }
        for _ in 1...20 {
            try await editor.action()
            if Bool.random(using: &editor.random) { try await copy.step() }
        }
        try await copy.follow()
        var fresh = Copy(api, client)
        try await fresh.follow()
        #expect(copy.rows == fresh.rows)
        #expect(fresh.rows.count > 20)
    }

    @Test("R32: a copy of some tables gets their changes only, starts over after a restore, and keeps its view")
    func someTables() async throws {
        let (api, client) = try await APIFixture.serving([.readFull], trust: .seconds(60))
        let tables = TestDatabase.packs.readTables.filter { ["feed", "item"].contains($0.name) }
        var copy = Copy(api, client, of: tables)
        copy.url += "?view=preview"
        try await copy.follow()
        for title in ["One", "Two"] {
            try await api.publish("article", title, ["body": "<p>x</p>", "categories": ids([SeedEntry.unsorted])])
        }
        let page = try await api.get(copy.url, as: client)
        #expect(page.data.compactMap { $0["table"]?.stringValue } == ["item", "item"])
        #expect(page.json["up_to_date"] == .bool(true))
        try await copy.follow()
        #expect(copy.url.contains("view=preview") && copy.rows.count == 2)
        // Without a change of these tables, the next page begins after all others.
        try await api.publish("setting", "Logo", ["key": "app.logo", "section": "App", "kind": "text", "value": "x"])
        let before = copy.url
        try await copy.step()
        #expect(copy.isUpToDate && copy.url != before && copy.rows.count == 2)

        try await api.test.client.execute(
            "update api_v1.publication set tag = '0123456789ab' where number = (select max(number) from api_v1.publication)"
        )
        let changed = try await api.get(copy.url, as: client)
        #expect(changed.status == 410 && changed.code == "history_changed")
        #expect(changed.json["next_url"]?.stringValue?.hasPrefix("/v1/tables/") == true)
        try await copy.follow()
        #expect(copy.rows.count == 2 && copy.url.contains("view=preview"))
        // Positions without tables start over from the first change.
        let all = try await api.get("/v1/changes?since=9-9-0123456789ac&rows=true", as: client)
        #expect(all.json["next_url"] == "/v1/changes?since=0&rows=true")
    }

    @Test("R32: a page of some tables reads a limited number of changes, and says that more follow")
    func span() async throws {
        let api = try await APIFixture.make()
        for title in ["One", "Two", "Three"] {
            try await api.publish("article", title, ["body": "<p>x</p>", "categories": ids([SeedEntry.unsorted])])
        }
        let reads = api.site.context.reads.rows(as: .reader).changes
        let table = try #require(TestDatabase.packs.readTables.first { $0.name == "item" })
        let newest = try await reads.page(since: .start)
        #expect(newest.isUpToDate)
        var (position, pages, found) = (ChangePosition.start, 0, 0)
        while true {
            let page = try await reads.page(since: position, of: [table], span: 3)
            #expect(page.next.change == min(position.change + 3, newest.next.change))
            (position, pages, found) = (page.next, pages + 1, found + page.count)
            if page.isUpToDate { break }
        }
        #expect(position == newest.next && found == 3 && pages > 3)
        let whole = try await reads.page(since: .start, of: [table], span: newest.next.change)
        #expect(whole.isUpToDate && whole.count == 3)
        let short = try await reads.page(since: .start, of: [table], span: newest.next.change - 1)
        #expect(!short.isUpToDate)
    }

    @Test("S47: a page ends with the row or change that fills it, and following the pages finds all")
    func longRows() async throws {
        let api = try await APIFixture.make()
        for title in ["One", "Two", "Three"] {
            try await api.publish("article", title, ["body": "<p>x</p>", "categories": ids([SeedEntry.unsorted])])
        }
        let reads = api.site.context.reads.rows(as: .reader)
        let table = try #require(TestDatabase.packs.readTables.first { $0.name == "item" })
        var (cursor, pages, found) = (String?.none, 0, 0)
        repeat {
            let page = try await reads.tables.page([table], since: nil, cursor: cursor, bytes: 0)
            #expect(page.rows.count == 1)
            (cursor, pages, found) = (page.rows.next, pages + 1, found + page.rows.count)
        } while cursor != nil
        #expect(pages == 3 && found == 3)
        let first: Int64 = try await api.test.reader.one(
            "select octet_length(document::text)::bigint as n from api_v1.item order by id limit 1")("n")
        for (bytes, count) in [(Int(first) - 1, 1), (Int(first), 2)] {
            let page = try await reads.tables.page([table], since: nil, cursor: nil, bytes: bytes)
            #expect(page.rows.count == count && page.rows.next != nil, "\(bytes) of \(first) bytes")
        }

        let whole = try await reads.changes.page(since: .start, of: [table], rows: true)
        #expect(whole.isUpToDate && whole.count == 3)
        var position = ChangePosition.start
        (pages, found) = (0, 0)
        while true {
            let page = try await reads.changes.page(since: position, of: [table], rows: true, bytes: 0)
            #expect(page.count == 1)
            (position, pages, found) = (page.next, pages + 1, found + page.count)
            if page.isUpToDate || pages > 3 { break }
        }
        #expect(pages == 3 && found == 3 && position == whole.next)
    }

    @Test("Unknown, hidden and malformed tables are refused at their parameter")
    func refused() async throws {
        let (api, guest) = try await APIFixture.serving([.readGuest])
        for (tables, code) in [("item,nothing", "choice"), ("", "format"), ("item,", "format"), ("Item", "format")] {
            let reply = try await api.get("/v1/changes?since=0&tables=\(tables)", as: guest)
            #expect(reply.status == 400 && reply.pointers == ["/query/tables"], "\(tables): \(reply.text)")
            #expect(reply.json["errors"]?.arrayValue?.first?["code"] == .string(code))
        }
        #expect(try await api.get("/v1/changes?since=0&tables=item,item_full", as: guest).status == 403)
        #expect(try await api.get("/v1/tables/item,item_full", as: guest).code == "needs_full_access")
        for path in ["item,nothing", "item,", ",item"] {
            #expect(try await api.get("/v1/tables/\(path)", as: guest).status == 404, "\(path)")
        }
        // A cursor is for the tables of its path.
        let other = Cursor(["0", "feed"]).text
        let bound = BoundCursor(path: "/v1/tables/item", query: FormFields([]), scope: .guest).text(of: other)
        #expect(try await api.get("/v1/tables/item?cursor=\(bound)", as: guest).pointers == ["/query/cursor"])
    }

    @Test("The replicated tables are all that publications write, with their keys")
    func complete() async throws {
        let test = try await TestDatabase.make()
        let known: [String] = try await test.client.query(
            "select name || ' ' || array_to_string(key, ',') as line from projection.read_table"
        ).map { try $0("line") }
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
        let (api, guest) = try await APIFixture.serving([.readGuest])
        try await api.publish("article", "One", ["body": "<p>x</p>", "categories": ids([SeedEntry.unsorted])])
        let changes = try await api.get("/v1/changes?since=0&rows=true", as: guest).data
        #expect(!changes.contains { $0["table"] == "item_full" || $0["table"] == "search_full" })
        #expect(changes.first { $0["table"] == "item" }?["row"]?["title"] == "One")
        #expect(try await api.get("/v1/changes?since=0", as: guest).data.first?["row"] == nil)
        #expect(try await api.get("/v1/tables/item_full", as: guest).code == "needs_full_access")
        #expect(try await api.get("/v1/tables/nothing", as: guest).status == 404)
        for cursor in ["x", Cursor(["1", "2"]).text, Cursor(["'"]).text] {
            #expect(try await api.get("/v1/tables/item?cursor=\(cursor)", as: guest).status == 400)
        }
    }
}
