// Walks the page that orders a feed by hand: buttons, numbers, pages, drafts and releases, and what one move costs.
import Domain
import Store
import TestSupport
import Testing

@Suite("The order of a feed by hand", .databases)
struct FeedOrderPagesTests {
    private struct World {
        let site: EditorSite
        let visit: EditorVisit
        let feed: ID<Entry>
        var items: [ID<Entry>] = []

        var address: String { "/feeds/\(feed)/order" }

        init(_ role: Role = .publisher, items count: Int, ranked: Bool = true) async throws {
            site = try await EditorSite.make()
            visit = try await site.visitor(role)
            feed = try await site.make("feed", ["title": "Harbours", "tier": "free", "order": "ranked"])
            for number in 0..<count {
                var fields: [String: JSONValue] = [
                    "title": .string("Item \(number + 1)"), "body": "<p>b</p>",
                    "feeds": .array([.string(feed.description)]),
                    "categories": .array([.string(SeedEntry.unsorted.description)]),
                ]
                if ranked { fields["rank"] = .int(Int64(number + 1) * 1000) }
                items.append(try await site.make("article", fields))
            }
        }

        /// The numbers of the items as readers see them.
        func order() async throws -> [Int] {
            try await site.test.database.entries.shown(inFeed: feed, limit: 200).compactMap { shown in
                items.firstIndex { $0 == shown.id }.map { $0 + 1 }
            }
        }

        func versions() async throws -> Int {
            let row = try await site.test.client.query("select count(*) as n from curation.revision").first
            return try row?("n") ?? 0
        }
    }

    @Test(
        "A7: an item moves by the buttons, one version and its own rows are written, and the page says where it stands")
    func buttons() async throws {
        let world = try await World(items: 6)
        let page = try await world.visit.get(world.address)
        #expect(page.status == 200 && page.holds("Move Item 3 up") && page.holds("Item 1 is the first"))
        #expect(page.holds("data-first=\"0\"") && page.holds("/static/order.js"))
        #expect(try await world.visit.get("/feeds").holds(world.address))
        #expect(try await world.visit.get("/entries/\(world.feed)").holds(world.address))
        let before = try await world.versions()
        let moved = try await world.visit.post(world.address, [("move", "\(world.items[4]) 5000 0")])
        #expect(moved.location == "\(world.address)?at=1#row-\(world.items[4])")
        #expect(try await world.visit.follow(moved).holds("Item 5: place 1 of 6 (publication"))
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
        let late = try await world.visit.post(world.address, [("move", "\(world.items[4]) 5000 3")])
        #expect(late.status == 409 && late.holds("has moved Item 5 meanwhile"))
        for wrong in ["", "x 1 1", "\(world.items[0]) 1000", "\(world.items[0]) x 1"] {
            #expect(try await world.visit.post(world.address, [("move", wrong)]).status == 422, "\(wrong)")
        }
        let other = try await world.visit.post(world.address, [("move", "\(world.feed) 1 1")])
        #expect(other.status == 422 && other.holds("not among the items of this feed"))
        #expect(try await world.visit.get("/feeds/\(world.items[0])/order").status == 404)
    }

    @Test("A7: numbers move several at once; what is no number is refused with everything that was typed")
    func numbers() async throws {
        let world = try await World(items: 5)
        let page = try await world.visit.get(world.address)
        let form = page.form(id: "numbers")
        func typing(_ changes: [(Int, String)]) -> [(String, String)] {
            let names = Dictionary(uniqueKeysWithValues: changes.map { ("number.\(world.items[$0.0 - 1])", $0.1) })
            return form.map { ($0.0, names[$0.0] ?? $0.1) }
        }
        let done = try await world.visit.post(world.address, typing([(5, "1"), (1, "3")]))
        #expect(try await world.visit.follow(done).holds("2 items have another place (publication"))
        #expect(try await world.order() == [5, 2, 1, 3, 4])
        let again = try await world.visit.post(world.address, typing([]))
        #expect(again.status == 422 && again.holds("The order is as it was."))
        for wrong in ["0", "x", "1000001", ""] {
            let refused = try await world.visit.post(world.address, typing([(2, wrong)]))
            #expect(refused.status == 422 && refused.holds("A place is a whole number from 1 to 1000000."))
            #expect(refused.holds("Error: Order of Harbours"))
        }
    }

    @Test(
        "A7: items without a rank get one only above the one that moves; pins stay first and have no place to move to")
    func unranked() async throws {
        let world = try await World(items: 4, ranked: false)
        #expect(try await world.order() == [4, 3, 2, 1])
        let before = try await world.versions()
        let moved = try await world.visit.post(world.address, [("move", "\(world.items[0]) - 1")])
        #expect(moved.status == 303)
        #expect(try await world.order() == [4, 1, 3, 2])
        #expect(try await world.versions() == before + 2)
        try await world.site.change(
            world.feed, "pins", to: .array([.string(world.items[2].description)]), .now)
        let page = try await world.visit.get(world.address)
        #expect(page.holds("Pinned, always first") && !page.holds("Move Item 3 up"))
        let pinned = try await world.visit.post(world.address, [("move", "\(world.items[2]) - 0")])
        #expect(pinned.status == 422)
        let first = try await world.visit.post(world.address, [("move", "\(world.items[1]) - 0")])
        #expect(first.status == 303)
        #expect(try await world.order() == [3, 2, 4, 1])
    }

    @Test("A7: a curator's moves wait as drafts and build on each other; with a release they go live together")
    func staged() async throws {
        let world = try await World(.curator, items: 4)
        let one = try await world.visit.post(world.address, [("move", "\(world.items[3]) 4000 0"), ("when", "draft")])
        #expect(try await world.visit.follow(one).holds("a change waits"))
        let two = try await world.visit.post(world.address, [("move", "\(world.items[2]) 3000 0"), ("when", "draft")])
        #expect(try await world.visit.follow(two).holds("Item 3: place 1 of 4, as a draft"))
        #expect(try await world.order() == [1, 2, 3, 4])
        let places = try await world.site.test.database.feedOrders.places(in: world.feed)
        #expect(places.map(\.item) == [2, 3, 0, 1].map { world.items[$0] })
        let publisher = try await world.site.visitor(.publisher, name: "Pat")
        // Their changes wait, so their places wait with them; the others go live.
        let mixed = try await publisher.post(world.address, [("move", "\(world.items[3]) 0 3"), ("when", "now")])
        #expect(try await publisher.follow(mixed).holds("as a draft"))
        let live = try await publisher.post(world.address, [("move", "\(world.items[1]) 2000 0"), ("when", "now")])
        #expect(try await publisher.follow(live).holds("Item 2: place 1 of 4 (publication"))
        #expect(try await world.order() == [2, 1, 3, 4])
    }

    @Test("A7: a long feed is shown by pages, and an item goes to a place on another one")
    func pages() async throws {
        let world = try await World(items: 53)
        let first = try await world.visit.get(world.address)
        #expect(first.holds("1 to 50 of 53") && first.holds("after=\(world.items[49])") && !first.holds("Further up"))
        let second = try await world.visit.get("\(world.address)?after=\(world.items[49])")
        #expect(second.holds("51 to 53 of 53") && second.holds("data-first=\"50\"") && second.holds("at=1\""))
        let moved = try await world.visit.post(
            world.address, [("move", "\(world.items[0]) 1000 51"), ("at", "1")])
        #expect(moved.location == "\(world.address)?at=51#row-\(world.items[0])")
        #expect(try await world.order().suffix(3) == [52, 1, 53])
        #expect(try await world.visit.get("\(world.address)?at=999").holds("53 to 53 of 53"))
        #expect(try await world.visit.get("\(world.address)?at=x").holds("1 to 50 of 53"))
    }

    @Test("A7: a feed that is not ordered by hand, or not live, says what to do instead")
    func others() async throws {
        let site = try await EditorSite.make()
        let visit = try await site.visitor(.publisher)
        let newest = try await site.make("feed", ["title": "News", "tier": "free"])
        let page = try await visit.get("/feeds/\(newest)/order")
        #expect(page.status == 200 && page.holds("ordered newest first"))
        let refused = try await visit.post("/feeds/\(newest)/order", [("move", "\(newest) - 0")])
        #expect(refused.status == 422 && refused.holds("Choose the order by hand first."))
        let draft = try await site.make("feed", ["title": "Later", "tier": "free", "order": "ranked"], nil)
        #expect(try await visit.get("/feeds/\(draft)/order").holds("This feed is not live yet"))
        let empty = try await site.make("feed", ["title": "Empty", "tier": "free", "order": "ranked"])
        #expect(try await visit.get("/feeds/\(empty)/order").holds("No live item is in this feed yet."))
    }
}
