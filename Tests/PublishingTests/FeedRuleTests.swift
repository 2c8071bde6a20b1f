// Tests the members, order and access of feeds, and the length of previews.
import Domain
import Operations
import Postgres
import Store
import TestSupport
import Testing

@Suite("Feeds for readers", .databases)
struct FeedRuleTests {
    private func document(_ world: FeedWorld, _ table: String, _ id: ID<Entry>) async throws -> JSONValue {
        try await world.test.guest.one("select document from api_v1.\(raw: table) where id = \(id)")("document")
    }

    @Test("A6, A17, A18: the row of a feed has what subscribing needs: id, tier, access rule and preview")
    func subscribing() async throws {
        let world = try await FeedWorld.make()
        for (tier, access) in [("free", "account"), ("premium", "premium subscription")] {
            let id = try await world.publish("feed", tier, ["tier": .string(tier), "summary": "Two walks a week."])
            let row = try #require(
                try await world.test.guest.query("select * from api_v1.feed where id = \(id)").first)
            #expect(try row("tier") as String == tier && row("access") as String == access)
            let document: JSONValue = try row("document")
            #expect(document["id"] == .string(id.description) && document["preview"] == "Two walks a week.")
            #expect(document["tier"] == .string(tier) && document["access"] == .string(access))
        }
        let wrong: [SQL] = [
            "update api_v1.feed set tier = 'gold'", "update api_v1.feed set tier = null",
            "update api_v1.feed set access = 'account'", "update api_v1.feed set access = 'none'",
        ]
        for statement in wrong {
            await #expect(throws: PostgresError.self) { _ = try await world.test.client.query(statement) }
        }
        // By whatever path it comes: a feed whose tier was lost is not published.
        let lost = try await world.write.create(
            type: "feed", fields: ["title": "Lost", "tier": "free"], by: FeedWorld.actor)
        try await world.test.writeUnchecked(
            "update curation.revision set content = content - 'tier' where entry_id = \(lost.entry)")
        let refused = await #expect(throws: Failure.self) {
            _ = try await world.write.approve(lost.entry, number: 1, publishTiming: .now, by: FeedWorld.actor)
        }
        let message = "Feed \"Lost\" (\(lost.entry)): Choose free or premium."
        #expect(refused == .invalid(FieldErrors("/fields/tier", "choice", message)))
    }

    @Test("A20: Discover has the featured feeds and categories in the curators' order, and no empty category")
    func discover() async throws {
        let world = try await FeedWorld.make()
        let walks = try await world.publish("category", "Walks", ["featured": .int(2), "about": "On foot."])
        try await world.publish("category", "Empty", ["featured": .int(1)])
        try await world.publish("category", "Plain")
        try await world.publish("feed", "Third", ["featured": .int(3), "summary": "s"])
        let first = try await world.publish("feed", "First", ["featured": .int(1)])
        try await world.publish("feed", "Unfeatured")
        func shown() async throws -> [String] {
            try await world.test.guest.query(
                "select kind || ' ' || (document ->> 'title') as line from api_v1.discover order by position, id"
            ).map { try $0("line") }
        }
        #expect(try await shown() == ["feed First", "feed Third"])
        let item = try await world.publish("article", "A", ["categories": FeedWorld.list(walks)])
        #expect(try await shown() == ["feed First", "category Walks", "feed Third"])
        let row: JSONValue = try await world.test.guest.one(
            "select document from api_v1.discover where id = \(walks)")("document")
        #expect(row["slug"] == "walks" && row["preview"] == "On foot." && row["kind"] == "category")
        try await world.edit(first, ["featured": .int(4)])
        #expect(try await shown() == ["category Walks", "feed Third", "feed First"])
        try await world.unpublish(item)
        #expect(try await shown() == ["feed Third", "feed First"])
        try await world.edit(try await setting("categories.include_empty", world), ["value": "true"])
        #expect(try await shown() == ["category Empty", "category Walks", "feed Third", "feed First"])
        #expect(try await world.differences() == 0)
    }

    private func setting(_ key: String, _ world: FeedWorld) async throws -> ID<Entry> {
        try await world.test.client.one("select id from api_v1.setting where key = \(key)")("id")
    }

    @Test("A2, A7: a category feed contains the published items of its category, with count, tier and order")
    func takes() async throws {
        let world = try await FeedWorld.make()
        let walks = try await world.publish("category", "Walks")
        let named = try await world.publish("feed", "Named")
        let feed = try await world.publish(
            "feed", "Taken", ["source_category": .string(walks.description), "tier": "premium"])
        let both = FeedWorld.list(walks, SeedEntry.unsorted)
        let a = try await world.publish("article", "A", ["categories": both])
        try await world.publish(
            "video", "B", ["categories": FeedWorld.list(walks), "feeds": FeedWorld.list(named)])
        // What names it without the category is not in it.
        try await world.publish("article", "C", ["feeds": FeedWorld.list(feed)])
        #expect(try await world.titles(of: feed) == ["B", "A"])
        var row = try await document(world, "feed", feed)
        #expect(row["count"] == .int(2) && row["has_video"] == .bool(true))
        let item = try await document(world, "item", a)
        #expect(item["feeds"] == FeedWorld.list(feed) && item["tier"] == "premium")
        #expect(try await world.differences() == 0)

        try await world.edit(feed, ["order": "ranked", "manual_order": FeedWorld.list(a)])
        #expect(try await world.titles(of: feed) == ["A", "B"])
        try await world.edit(feed, ["order": "newest"])
        #expect(try await world.titles(of: feed) == ["B", "A"])
        try await world.edit(feed, ["pins": FeedWorld.list(a)])
        #expect(try await world.titles(of: feed) == ["A", "B"])
        try await world.edit(a, ["categories": FeedWorld.list(SeedEntry.unsorted)])
        #expect(try await world.titles(of: feed) == ["B"])
        #expect(try await document(world, "item", a)["tier"] == "free")
        #expect(try await world.differences() == 0)

        // By hand again: then it holds what names it.
        try await world.edit(feed, ["source_category": .null, "pins": .null])
        #expect(try await world.titles(of: feed) == ["C"])
        row = try await document(world, "feed", feed)
        #expect(row["count"] == .int(1) && row["has_video"] == .bool(false))
        try await world.edit(feed, ["source_category": .string(SeedEntry.unsorted.description)])
        #expect(Set(try await world.titles(of: feed)) == ["A", "C"])
        #expect(try await world.titles(of: named) == ["B"])
        try await world.unpublish(feed)
        #expect(try await document(world, "item", a)["feeds"] == .array([]))
        #expect(try await world.differences() == 0)
    }

    @Test("A16: a preview of N characters keeps a text of N, and cuts one of N + 1 at the last word that ends within N")
    func boundaries() async throws {
        let test = try await TestDatabase.make()
        func cut(_ text: String, _ length: Int) async throws -> String {
            try await test.client.one("select projection.truncate(\(text), \(length)) as text")("text")
        }
        let text = "one two three"
        #expect(try await cut(text, 13) == text)
        #expect(try await cut(text, 14) == text)
        #expect(try await cut(text, 12) == "one two…")
        // A word that ends with the last character stays whole, one that ends a character later goes.
        #expect(try await cut(text, 7) == "one two…")
        #expect(try await cut(text, 8) == "one two…")
        #expect(try await cut(text, 6) == "one…")
        #expect(try await cut(text, 3) == "one…")
        #expect(try await cut(text, 2) == "on…")
        #expect(try await cut("naïve café ☕️", 5) == "naïve…")
        #expect(try await cut("長い文章です", 3) == "長い文…")
    }

    @Test("A16: the setting preview.characters applies to every preview without a summary, at once")
    func previewLength() async throws {
        let world = try await FeedWorld.make()
        // 280 characters, 279 and 281: "ab ab … ab" with a longer last word.
        func text(_ length: Int) -> String {
            let words = String(repeating: "ab ", count: length / 3 - 1)
            return words + String(repeating: "c", count: length - words.count)
        }
        var items: [Int: ID<Entry>] = [:]
        for length in [279, 280, 281] {
            items[length] = try await world.publish(
                "article", "A \(length)", ["body": .string("<p>\(text(length))</p>")])
        }
        let summed = try await world.publish(
            "article", "S", ["summary": "By hand.", "body": .string("<p>\(text(281))</p>")])
        let feed = try await world.publish(
            "feed", "F", ["about": .string("<p>\(text(281))</p>"), "featured": .int(1)])
        func preview(_ table: String, _ id: ID<Entry>) async throws -> String {
            try await document(world, table, id)["preview"]?.stringValue ?? ""
        }
        let (short, exact, long) = (try #require(items[279]), try #require(items[280]), try #require(items[281]))
        #expect(try await preview("item", short) == text(279))
        #expect(try await preview("item", exact) == text(280))
        let cut = try await preview("item", long)
        #expect(cut.hasSuffix("ab…") && cut.count <= 281 && text(281).hasPrefix(cut.dropLast()))
        for table in ["feed", "discover", "search"] { #expect(try await preview(table, feed) == cut, "\(table)") }

        let key = try await setting("preview.characters", world)
        try await world.edit(key, ["value": "20"])
        for table in ["item", "search"] {
            #expect(try await preview(table, exact) == "ab ab ab ab ab ab ab…")
        }
        for table in ["feed", "discover", "search"] {
            #expect(try await preview(table, feed) == "ab ab ab ab ab ab ab…")
        }
        #expect(try await preview("item", summed) == "By hand.")
        // Nothing that a guest may read goes further, in any column.
        let longer: Int = try await world.test.guest.one(
            "select count(*) as n from api_v1.item t where t::text like '%ab ab ab ab ab ab ab ab%'")("n")
        #expect(longer == 0)
        #expect(try await world.differences() == 0)
        try await world.edit(key, ["value": "2000"])
        #expect(try await preview("item", long) == text(281))
        for value in ["19", "2001", "many"] {
            await #expect(throws: Failure.self) { try await world.edit(key, ["value": .string(value)]) }
        }
        #expect(try await world.differences() == 0)
    }

    @Test("A41, A40: rows contain no external URLs except video streams and links")
    func addresses() async throws {
        let world = try await FeedWorld.make()
        let feed = try await world.publish("feed", "Harbours", ["tier": "premium", "featured": .int(1)])
        let image = FeedWorld.shows(try await world.image(7))
        let link: JSONValue = "https://elsewhere.example/page"
        try await world.publish("article", "A", ["feeds": FeedWorld.list(feed), "image": image, "url": link])
        try await world.publish(
            "video", "B",
            ["feeds": FeedWorld.list(feed), "image": image, "poster": image, "url": link])
        try await world.edit(feed, ["image": image])
        var found: Set<String> = []
        for table in TestDatabase.packs.projectedTables {
            let rows = try await world.test.reader.query("select to_jsonb(t) as row from api_v1.\(raw: table) t")
            for row in rows { collect(try row("row"), "", table, into: &found) }
        }
        #expect(
            found == [
                "item fields.url", "item_full fields.url", "item_full fields.hls_url", "video hls_url",
                "video document.hls_url",
            ])
    }

    @Test(
        "A40, A41: with images.hosted_only nothing is published that shows an image of another server",
        arguments: [
            ("article", "image", .object(["url": "https://elsewhere.example/a.jpg"])),
            ("article", "media", .object(["sound": .object(["url": "https://elsewhere.example/a.mp3"])])),
            ("article", "body", #"<p>x <img src="https://elsewhere.example/a.jpg" alt="x"></p>"#),
            ("video", "poster", .object(["url": "https://elsewhere.example/a.jpg"])),
        ] as [(String, String, JSONValue)])
    func onlyOurs(type: String, field: String, value: JSONValue) async throws {
        let world = try await FeedWorld.make()
        let key = try await setting("images.hosted_only", world)
        let id = try await world.publish(type, "Before", [field: value])
        try await world.edit(key, ["value": "true"])
        for action in [
            { @Sendable in _ = try await world.publish(type, "After", [field: value]) },
            { @Sendable in try await world.edit(id, ["title": "Changed"]) },
        ] {
            let refused = await #expect(throws: Failure.self) { try await action() }
            guard case .refused(code: "media_elsewhere", message: _) = refused else {
                Issue.record("\(String(describing: refused))")
                continue
            }
        }
        // A link that people follow, a stream and an image of ours are no such thing.
        let ours = FeedWorld.shows(try await world.image(1))
        try await world.publish(
            type, "Ours",
            [
                "image": ours, "url": "https://elsewhere.example/page",
                "body": #"<p><a href="https://elsewhere.example/">there</a></p>"#,
            ])
        try await world.edit(key, ["value": "false"])
        try await world.edit(id, ["title": "Changed"])
        #expect(try await world.differences() == 0)
    }

    /// Every place at which an address of another server stands.
    private func collect(_ value: JSONValue, _ place: String, _ table: String, into found: inout Set<String>) {
        switch value {
        case .object(let members):
            for (name, member) in members {
                collect(member, place.isEmpty ? name : "\(place).\(name)", table, into: &found)
            }
        case .array(let values): for value in values { collect(value, place, table, into: &found) }
        case .string(let text) where text.contains("://"):
            found.insert("\(table) \(place.hasPrefix("document.fields") ? String(place.dropFirst(9)) : place)")
        default: break
        }
    }
}
