// Tests that a cursor continues its own query only, and that references in queries are known.
import API
import Domain
import Postgres
import Store
import TestSupport
import Testing

@Suite("Cursors and references of queries", .databases)
struct BoundCursorTests {
    @Test(
        "A25: a cursor of another query is rejected, whatever differs: list, filter, access scope",
        arguments: [
            "/v1/feeds", "/v1/items?tier=free", "/v1/items?category=airport", "/v1/feeds/city/items",
            "/v1/categories/airport/items", "/v1/discover", "/v1/search?q=article",
        ])
    func otherQueries(list: String) async throws {
        let world = try await PublishedWorld.shared.value
        let next = try #require(try await world.api.get("/v1/items", as: world.guest).next)
        let mark = list.contains("?") ? "&" : "?"
        let reply = try await world.api.get("\(list)\(mark)cursor=\(next)", as: world.guest)
        #expect(reply.status == 400)
        #expect(reply.pointers == ["/query/cursor"])
        #expect(try await world.api.get("/v1/items?cursor=\(next)", as: world.guest).data.count == 20)
    }

    @Test("A25: the order of the parameters does not matter to a cursor; a member's and a guest's search differ")
    func sameQuery() async throws {
        let world = try await PublishedWorld.shared.value
        let next = try #require(
            try await world.api.get("/v1/items?tier=premium&has_video=true", as: world.guest).next)
        let second = try await world.api.get(
            "/v1/items?has_video=true&cursor=\(next)&tier=premium", as: world.guest)
        #expect(second.data.count == 2)
        let search = "/v1/search?q=article"
        let guests = try #require(try await world.api.get(search, as: world.guest).next)
        #expect(try await world.api.get("\(search)&cursor=\(guests)", as: world.full).status == 400)
        let preview = "\(search)&view=preview&cursor=\(guests)"
        #expect(try await world.api.get(preview, as: world.full).data.count == 3)
    }

    @Test("A25, A33: pages continue through the redirect when the slug of the list changes")
    func redirected() async throws {
        let (api, guest) = try await APIFixture.serving([.readGuest])
        let feed = try await api.publish("feed", "Old", ["tier": "free", "slug": "old"], publishTiming: .approveOnly)
        for number in 1...21 {
            try await api.publish(
                "article", "Item \(number)",
                ["body": "<p>x</p>", "feeds": ids([feed]), "categories": ids([SeedEntry.unsorted])],
                publishTiming: .approveOnly)
        }
        try await api.publishWaiting()
        let first = try await api.get("/v1/feeds/old/items", as: guest)
        let next = try #require(first.next)
        try await api.edit(feed, ["slug": "new"])
        let moved = try await api.get("/v1/feeds/old/items?cursor=\(next)", as: guest)
        #expect(moved.status == 308)
        let second = try await api.get(try #require(moved["Location"]), as: guest)
        #expect(second.data.count == 1)
        #expect(Set(first.titles + second.titles).count == 21)
    }

    @Test("R32: a copy continues with its cursor, with or without since, and keeps the position of its first page")
    func copies() async throws {
        let (api, guest) = try await APIFixture.serving([.readGuest])
        try await api.article("One")
        try await api.test.client.execute(
            """
            insert into api_v1.tombstone (id, type, kind, publication, gone_at)
            select gen_random_uuid(), 'article', 'item', 1, now() from generate_series(1, 1001)
            """)
        let first = try await api.get("/v1/tables/tombstone", as: guest)
        let (next, reached) = (try #require(first.next), try #require(first.json["change"]?.stringValue))
        try await api.article("Two")
        for query in ["cursor=\(next)", "cursor=\(next)&since=\(reached)", "since=\(reached)&cursor=\(next)"] {
            let second = try await api.get("/v1/tables/tombstone?\(query)", as: guest)
            #expect(second.status == 200 && second.data.count == 500, "\(query): \(second.text.prefix(200))")
            let change = try #require(second.json["change"]?.stringValue)
            #expect(change != reached)
            #expect(change.split(separator: "-").first == reached.split(separator: "-").first)
            let third = try await api.get("/v1/tables/tombstone?cursor=\(try #require(second.next))", as: guest)
            #expect(third.data.count == 1 && third.next == nil && third.json["change"] == .string(change))
        }
        let changes = try await api.get("/v1/changes?since=\(reached)&rows=true", as: guest).data
        #expect(changes.contains { $0["row"]?["title"] == "Two" })
        // What the cursor has seen is no longer part of the history.
        try await api.test.client.execute("update api_v1.publication set tag = '0123456789ab'")
        #expect(try await api.get("/v1/tables/tombstone?cursor=\(next)", as: guest).code == "history_changed")
    }

    @Test("A25: a cursor of the queue is bound to its query, too")
    func queue() async throws {
        let api = try await APIFixture.make()
        let (portal, desk) = (try await api.client([.submit]), try await api.client([.review]))
        for number in 1...21 {
            let body = #"{"type":"article","contributor":"u","fields":{"title":"T\#(number)","body":"<p>x</p>"}}"#
            #expect(try await api.post("/v1/submissions", body, as: portal).status == 201)
        }
        let first = try await api.get("/v1/queue", as: desk)
        let next = try #require(first.next)
        #expect(try await api.get("/v1/queue?cursor=\(next)", as: desk).data.count == 1)
        let other = try await api.get("/v1/queue?type=article&cursor=\(next)", as: desk)
        #expect(other.status == 400 && other.pointers == ["/query/cursor"])
    }

    @Test(
        "A24, B26, B32: an unknown reference is 404 at its parameter; of several one must be known",
        arguments: [
            ("/v1/items?category=never", "category"), ("/v1/items?category=nowhere,never", "category"),
            ("/v1/feeds?category=never", "category"), ("/v1/categories/airport/items?category=never", "category"),
            ("/v1/categories/airport/feeds?category=never", "category"),
            ("/v1/items?category=0193b2a0-0000-7000-8000-000000000000", "category"),
            ("/v1/resolve?kind=item&slug=never", "slug"), ("/v1/resolve?id=0193b2a0-0000-7000-8000-000000000000", "id"),
        ]
            + TestPack.places.ifEnabled([
                ("/v1/places?lat=1&lon=1&category=never", "category"), ("/v1/promotions?category=never", "category"),
                ("/v1/places?city=never", "city"), ("/v1/promotions?city=never", "city"),
                ("/v1/places?city=0193b2a0-0000-7000-8000-000000000000", "city"),
            ])
            + TestPack.routes.ifEnabled([("/v1/routes?city=never", "city")])
            + TestPack.lists.ifEnabled([("/v1/lists?subject=0193b2a0-0000-7000-8000-000000000000", "subject")]))
    func unknown(target: String, parameter: String) async throws {
        let world = try await PublishedWorld.shared.value
        let reply = try await world.api.get(target, as: world.guest)
        #expect(reply.status == 404)
        #expect(reply.code == "not_found")
        #expect(reply.pointers == ["/query/\(parameter)"])
        let known = try await world.api.get("/v1/items?category=indian,never", as: world.guest)
        #expect(known.status == 200 && known.data.count == 3)
    }

    @Test(
        "Every refusal of a parameter names it",
        arguments: [
            ("/v1/items/x?view=full", 403, "view"), ("/v1/resolve", 400, "id"), ("/v1/resolve?kind=item", 400, "slug"),
            ("/v1/resolve?slug=x", 400, "kind"), ("/v1/changes?since=x", 400, "since"), ("/v1/search", 400, "q"),
            ("/v1/feeds/0193b2a0-0000-7000-8000-000000000000/rss?key=x", 403, "key"),
            ("/v1/texts?locale=!", 400, "locale"), ("/v1/items?nosuch=1", 400, "nosuch"),
        ])
    func parameters(target: String, status: Int, parameter: String) async throws {
        let world = try await PublishedWorld.shared.value
        let reply = try await world.api.get(target, as: target.contains("/rss") ? nil : world.guest)
        #expect(reply.status == status && reply.pointers == ["/query/\(parameter)"], "\(reply.text)")
    }

    @Test("A19, A33: a category is known by an old slug, and gone once it is unpublished")
    func formerCategories() async throws {
        let (api, guest) = try await APIFixture.serving([.readGuest])
        let (tea, cake) = (
            try await api.category("Tea", group: SeedEntry.topicGroup),
            try await api.category("Cake", group: SeedEntry.topicGroup)
        )
        try await api.publishWaiting()
        let item = try await api.publish("article", "One", ["body": "<p>x</p>", "categories": ids([tea, cake])])
        try await api.edit(tea, ["slug": "chai"])
        #expect(try await api.get("/v1/items?category=tea", as: guest).titles == ["One"])
        #expect(try await api.get("/v1/items?category=tea,cake", as: guest).titles == ["One"])
        #expect(try await api.get("/v1/feeds?category=tea", as: guest).status == 200)
        try await api.edit(item, ["categories": ids([cake])])
        try await api.unpublish(tea)
        for slug in ["tea", "chai", tea.description] {
            let reply = try await api.get("/v1/items?category=\(slug)", as: guest)
            #expect(reply.status == 410 && reply.pointers == ["/query/category"], "\(slug)")
        }
    }
}
