// Tests the page that reorders a feed: buttons, positions, pages, drafts and the cost of a move.
import Domain
import Store
import TestSupport
import Testing

@Suite("Feed order", .databases)
struct FeedOrderPagesTests {
    private struct World {
        let site: AdminFixture
        let visit: Browser
        let feed: ID<Entry>
        var items: [ID<Entry>] = []

        var path: String { "/feeds/\(feed)/order" }

        init(_ role: Role = .publisher, items count: Int, ranked: Bool = true) async throws {
            site = try await AdminFixture.make()
            visit = try await site.browser(role)
            feed = try await site.create("feed", ["title": "Harbours", "tier": "free", "order": "ranked"])
            for number in 0..<count {
                var fields: [String: JSONValue] = [
                    "title": .string("Item \(number + 1)"), "body": "<p>b</p>",
                    "feeds": .array([.string(feed.description)]),
                    "categories": .array([.string(SeedEntry.unsorted.description)]),
                ]
                if ranked { fields["rank"] = .int(Int64(number + 1) * 1000) }
                items.append(try await site.create("article", fields))
            }
        }

        /// The numbers of the items in their published order.
        func order() async throws -> [Int] {
            try await site.test.database.entries.topItems(inFeed: feed, limit: 200).compactMap { shown in
                items.firstIndex { $0 == shown.id }.map { $0 + 1 }
            }
        }

        func versions() async throws -> Int {
            let row = try await site.test.client.query("select count(*) as n from curation.revision").first
            return try row?("n") ?? 0
        }
    }

    @Test(
        "A7: the buttons move an item; one version and only its own rows are written")
    func buttons() async throws {
        let world = try await World(items: 6)
        let page = try await world.visit.get(world.path)
        #expect(page.status == 200 && page.holds("Move Item 3 up") && page.holds("Item 1 is the first"))
        #expect(page.holds("data-offset=\"0\"") && page.holds("/static/order.js"))
        #expect(try await world.visit.get("/feeds").holds(world.path))
        #expect(try await world.visit.get("/entries/\(world.feed)").holds(world.path))
        let before = try await world.versions()
        let moved = try await world.visit.post(world.path, [("move", "\(world.items[4]) 5000 0")])
        #expect(moved.location == "\(world.path)?at=1#row-\(world.items[4])")
        #expect(try await world.visit.follow(moved).holds("Item 5: position 1 of 6 (publication"))
        #expect(try await world.order() == [5, 1, 2, 3, 4, 6])
        #expect(try await world.versions() == before + 1)
        let rows = try await world.site.test.client.query(
            """
            select count(*) as n, count(*) filter (where key like '%' || \(world.items[4])::text || '%') as own
            from api_v1.change where publication = (select max(number) from api_v1.publication)
            """
        ).first
        let (all, own): (Int, Int) = (try rows?("n") ?? 0, try rows?("own") ?? -1)
        #expect(all == own && (1...5).contains(all))
        let stale = try await world.visit.post(world.path, [("move", "\(world.items[4]) 5000 3")])
        #expect(stale.status == 409 && stale.holds("moved Item 5 meanwhile"))
        for wrong in ["", "x 1 1", "\(world.items[0]) 1000", "\(world.items[0]) x 1"] {
            #expect(try await world.visit.post(world.path, [("move", wrong)]).status == 422, "\(wrong)")
        }
        let other = try await world.visit.post(world.path, [("move", "\(world.feed) 1 1")])
        #expect(other.status == 422 && other.holds("not in the manually ordered part of the feed"))
        #expect(try await world.visit.get("/feeds/\(world.items[0])/order").status == 404)
    }

    @Test("A7: positions move several items at once; an invalid number is refused with all input")
    func positions() async throws {
        let world = try await World(items: 5)
        let page = try await world.visit.get(world.path)
        let form = page.form(id: "positions")
        func typing(_ changes: [(Int, String)]) -> [(String, String)] {
            let names = Dictionary(uniqueKeysWithValues: changes.map { ("position.\(world.items[$0.0 - 1])", $0.1) })
            return form.map { ($0.0, names[$0.0] ?? $0.1) }
        }
        let done = try await world.visit.post(world.path, typing([(5, "1"), (1, "3")]))
        #expect(try await world.visit.follow(done).holds("2 items moved (publication"))
        #expect(try await world.order() == [5, 2, 1, 3, 4])
        let again = try await world.visit.post(world.path, typing([]))
        #expect(again.status == 422 && again.holds("The order hasn't changed."))
        for wrong in ["0", "x", "1000001", ""] {
            let refused = try await world.visit.post(world.path, typing([(2, wrong)]))
            #expect(refused.status == 422 && refused.holds("Enter a whole number from 1 to 1,000,000."))
            #expect(refused.holds("Error: Order of Harbours"))
        }
    }

    @Test(
        "A7: unranked items get a rank only above the moved one; pinned items stay first and can't move")
    func unranked() async throws {
        let world = try await World(items: 4, ranked: false)
        #expect(try await world.order() == [4, 3, 2, 1])
        let before = try await world.versions()
        let moved = try await world.visit.post(world.path, [("move", "\(world.items[0]) - 1")])
        #expect(moved.status == 303)
        #expect(try await world.order() == [4, 1, 3, 2])
        #expect(try await world.versions() == before + 2)
        try await world.site.change(
            world.feed, "pins", to: .array([.string(world.items[2].description)]), .now)
        let page = try await world.visit.get(world.path)
        #expect(page.holds("Pinned items") && !page.holds("Move Item 3 up"))
        let pinned = try await world.visit.post(world.path, [("move", "\(world.items[2]) - 0")])
        #expect(pinned.status == 422)
        let first = try await world.visit.post(world.path, [("move", "\(world.items[1]) - 0")])
        #expect(first.status == 303)
        #expect(try await world.order() == [3, 2, 4, 1])
    }

    @Test("A7: a curator's moves are drafts that build on each other")
    func staged() async throws {
        let world = try await World(.curator, items: 4)
        let one = try await world.visit.post(world.path, [("move", "\(world.items[3]) 4000 0"), ("when", "draft")])
        #expect(try await world.visit.follow(one).holds("Unpublished changes"))
        let two = try await world.visit.post(world.path, [("move", "\(world.items[2]) 3000 0"), ("when", "draft")])
        #expect(try await world.visit.follow(two).holds("Item 3: position 1 of 4; saved as a draft"))
        #expect(try await world.order() == [1, 2, 3, 4])
        let positions = try await world.site.test.database.feedOrders.positions(in: world.feed)
        #expect(positions.map(\.item) == [2, 3, 0, 1].map { world.items[$0] })
        let publisher = try await world.site.browser(.publisher, name: "Pat")
        // Items with unpublished changes keep their position; the others are published.
        let mixed = try await publisher.post(world.path, [("move", "\(world.items[3]) 0 3"), ("when", "now")])
        #expect(try await publisher.follow(mixed).holds("saved as a draft"))
        let live = try await publisher.post(world.path, [("move", "\(world.items[1]) 2000 0"), ("when", "now")])
        #expect(try await publisher.follow(live).holds("Item 2: position 1 of 4 (publication"))
        #expect(try await world.order() == [2, 1, 3, 4])
    }

    @Test("A7: a long feed is paged, and an item can move to another page")
    func pages() async throws {
        let world = try await World(items: 53)
        let first = try await world.visit.get(world.path)
        #expect(first.holds("1 to 50 of 53") && first.holds("after=\(world.items[49])") && !first.holds(">Previous<"))
        let second = try await world.visit.get("\(world.path)?after=\(world.items[49])")
        #expect(second.holds("51 to 53 of 53") && second.holds("data-offset=\"50\"") && second.holds("at=1\""))
        let moved = try await world.visit.post(
            world.path, [("move", "\(world.items[0]) 1000 51"), ("at", "1")])
        #expect(moved.location == "\(world.path)?at=51#row-\(world.items[0])")
        #expect(try await world.order().suffix(3) == [52, 1, 53])
        #expect(try await world.visit.get("\(world.path)?at=999").holds("53 to 53 of 53"))
        #expect(try await world.visit.get("\(world.path)?at=x").holds("1 to 50 of 53"))
    }

    @Test("A7: the page of an unpublished or automatically ordered feed says what to do")
    func others() async throws {
        let site = try await AdminFixture.make()
        let visit = try await site.browser(.publisher)
        let newest = try await site.create("feed", ["title": "News", "tier": "free"])
        let page = try await visit.get("/feeds/\(newest)/order")
        #expect(page.status == 200 && page.holds("sorted by newest first"))
        let refused = try await visit.post("/feeds/\(newest)/order", [("move", "\(newest) - 0")])
        #expect(refused.status == 422 && refused.holds("Change its order to manual before moving items."))
        let draft = try await site.create("feed", ["title": "Later", "tier": "free", "order": "ranked"], .draft)
        #expect(try await visit.get("/feeds/\(draft)/order").holds("This feed is not published yet"))
        let empty = try await site.create("feed", ["title": "Empty", "tier": "free", "order": "ranked"])
        #expect(try await visit.get("/feeds/\(empty)/order").holds("No published items."))
    }
}
