// Tests the page that reorders a feed: moves that stay in the form, the version that saves them, pages and conflicts.
import Domain
import Operations
import Store
import TestSupport
import Testing

@Suite("Feed order", .databases)
struct FeedOrderPagesTests {
    private struct World {
        let site: AdminFixture
        let visit: Browser
        let feed: ID<Entry>
        private(set) var items: [ID<Entry>] = []

        var path: String { "/feeds/\(feed)/order" }

        /// A feed with items in the order of their numbers, by hand, or in the opposite order, by date.
        init(_ role: Role = .publisher, items count: Int, isOrdered: Bool = true) async throws {
            site = try await AdminFixture.make()
            visit = try await site.browser(role)
            feed = try await site.publish("feed", "Harbours", ["order": "ranked"])
            for number in 0..<count {
                items.append(
                    try await site.publish("article", "Item \(number + 1)", ["feeds": .entries([feed])]))
            }
            if isOrdered { try await site.edit(feed, [ManualOrder.field: .entries(items)]) }
        }

        /// The numbers of the items as readers see them.
        func order() async throws -> [Int] {
            try await site.test.database.entries.topItems(inFeed: feed, limit: 600).compactMap { shown in
                items.firstIndex { $0 == shown.id }.map { $0 + 1 }
            }
        }

        func versions() async throws -> Int {
            try await site.test.client.one("select count(*) as n from curation.revision")("n")
        }

        /// Presses a button of the form.
        func press(
            _ button: (String, String), on page: BrowserPage, _ typed: [(Int, String)] = [], by browser: Browser? = nil
        ) async throws -> BrowserPage {
            let positions = Dictionary(
                uniqueKeysWithValues: typed.map { ("position.\(items[$0.0 - 1])", $0.1) })
            let fields = page.form(id: "draft").map { ($0.0, positions[$0.0] ?? $0.1) }
            return try await (browser ?? visit).post(path, fields + [button])
        }

        func step(_ number: Int, _ step: String) -> (String, String) { ("move", "\(items[number - 1]) \(step)") }
    }

    private static let save = ("action", "save")

    @Test("A7: moves stay in the form; saving them is one version of the feed and one publication")
    func moves() async throws {
        let world = try await World(items: 6)
        var page = try await world.visit.get(world.path)
        #expect(page.status == 200 && page.holds("Move Item 3 up") && page.holds("data-offset=\"0\""))
        #expect(page.holds("/static/order.js"))
        #expect(try await world.visit.get("/feeds").holds(world.path))
        #expect(try await world.visit.get("/entries/\(world.feed)").holds(world.path))
        let before = try await world.versions()
        page = try await world.press(world.step(5, "top"), on: page)
        #expect(page.status == 200 && page.says("Item 5: position 1 of 6.") && page.holds("data-dirty>"))
        page = try await world.press(world.step(5, "down"), on: page)
        page = try await world.press(world.step(4, "up"), on: page)
        #expect(try await world.order() == [1, 2, 3, 4, 5, 6])
        #expect(try await world.versions() == before)
        let saved = try await world.press(Self.save, on: page)
        #expect(saved.status == 303)
        #expect(try await world.visit.follow(saved).holds("Version 3 published (publication"))
        #expect(try await world.order() == [1, 5, 2, 4, 3, 6])
        #expect(try await world.versions() == before + 1)
        let rows = try await world.site.test.client.query(
            """
            select count(*) as n, count(*) filter (where read_table = 'feed_item') as moved
            from api_v1.change where publication = (select max(number) from api_v1.publication)
            """
        ).first
        // Items 2, 3, 5 moved; item 4 is where it was, and so are 1 and 6.
        let (all, moved): (Int, Int) = (try rows?("n") ?? 0, try rows?("moved") ?? 0)
        #expect(moved == 3 && all <= moved + 5)
        #expect(try await world.site.isVerified())
        for wrong in ["", "x up", "\(world.items[0])", "\(world.items[0]) away", "\(world.feed) up"] {
            #expect(try await world.press(("move", wrong), on: page).status == 422, "\(wrong)")
        }
        #expect(try await world.visit.get("/feeds/\(world.items[0])/order").status == 404)
    }

    @Test("A7: typed positions move several items at once; an invalid one is refused with all input")
    func positions() async throws {
        let world = try await World(items: 5)
        let page = try await world.visit.get(world.path)
        let done = try await world.press(Self.save, on: page, [(5, "1"), (1, "3")])
        #expect(done.status == 303)
        #expect(try await world.order() == [5, 2, 1, 3, 4])
        let again = try await world.press(Self.save, on: try await world.visit.get(world.path))
        #expect(again.status == 422 && again.says("The order hasn't changed."))
        for wrong in ["0", "x", "1000001", ""] {
            let refused = try await world.press(
                Self.save, on: try await world.visit.get(world.path), [(2, wrong), (4, "1")])
            #expect(refused.status == 422 && refused.holds("Enter a whole number from 1 to 1,000,000."))
            #expect(refused.holds("Error: Order of Harbours"))
            #expect(refused.form(id: "draft").contains { $0.0 == "position.\(world.items[1])" && $0.1 == wrong })
        }
        #expect(try await world.order() == [5, 2, 1, 3, 4])
    }

    @Test("A7: items by date are ordered with the one that moves below them, and can follow by date again")
    func byDate() async throws {
        let world = try await World(items: 4, isOrdered: false)
        #expect(try await world.order() == [4, 3, 2, 1])
        var page = try await world.visit.get(world.path)
        #expect(try await world.press(Self.save, on: page, [(1, "2")]).status == 303)
        #expect(try await world.order() == [4, 1, 3, 2])
        #expect(ManualOrder(of: try await newest(world).content).items == [world.items[3], world.items[0]])
        try await world.site.publish("article", "Item 5", ["feeds": .entries([world.feed])])
        page = try await world.visit.get(world.path)
        page = try await world.press(world.step(4, "date"), on: page)
        #expect(page.says("Item 4: position 3 of 5."))
        _ = try await world.press(Self.save, on: page)
        #expect(try await world.order() == [1, 4, 3, 2])
    }

    private func newest(_ world: World) async throws -> RevisionRow {
        try #require(try await world.site.test.database.revisions.newest(of: world.feed))
    }

    @Test("A7: pinned items stay first; of items that are pinned or not in the feed, the page says so")
    func absent() async throws {
        let world = try await World(items: 4)
        try await world.site.edit(world.feed, ["pins": .entries([world.items[2]])])
        try await world.site.unpublish(world.items[0])
        let page = try await world.visit.get(world.path)
        #expect(page.says("Pinned items") && page.holds("<span class=\"tag\">Pinned</span>"))
        #expect(page.holds("<span class=\"tag\">Not in this feed</span>"))
        #expect(try await world.order() == [3, 2, 4])
        _ = try await world.press(Self.save, on: page, [(4, "2")])
        #expect(try await world.order() == [3, 4, 2])
        try await world.site.edit(world.feed, ["pins": .null])
        #expect(try await world.order() == [4, 2, 3])
    }

    @Test("A7: a curator saves a draft, which others continue and publish")
    func staged() async throws {
        let world = try await World(.curator, items: 4)
        var page = try await world.visit.get(world.path)
        page = try await world.press(world.step(4, "top"), on: page)
        let saved = try await world.press(Self.save, on: page)
        #expect(try await world.visit.follow(saved).says("Version 3 saved as a draft."))
        #expect(try await world.order() == [1, 2, 3, 4])
        let publisher = try await world.site.browser(.publisher, name: "Pat")
        page = try await publisher.get(world.path)
        #expect(page.says("Publishing the order publishes it, too."))
        page = try await world.press(world.step(3, "top"), on: page, by: publisher)
        _ = try await world.press(Self.save, on: page, by: publisher)
        #expect(try await world.order() == [3, 4, 1, 2])
    }

    @Test("A7: of two people who save an order, the second one is told, keeps theirs, and may replace the other")
    func conflict() async throws {
        let world = try await World(items: 3)
        let other = try await world.site.browser(.publisher, name: "Pat")
        let late = try await world.press(world.step(3, "top"), on: try await world.visit.get(world.path))
        let early = try await world.press(world.step(2, "top"), on: try await other.get(world.path), by: other)
        #expect(try await world.press(Self.save, on: early, by: other).status == 303)
        let refused = try await world.press(Self.save, on: late)
        #expect(refused.status == 409 && refused.says("Pat saved version 3 of this feed meanwhile."))
        #expect(try await world.order() == [2, 1, 3])
        #expect(try await world.press(Self.save, on: refused).status == 303)
        #expect(try await world.order() == [3, 1, 2])
    }

    @Test("A7: 500 items can be in manual order, and not one more, on the page and at any other interface")
    func limit() async throws {
        let world = try await World(items: 0)
        let (write, actor) = (world.site.write, TestDatabase.administrator)
        var drafts: [EntryDraft] = []
        for number in 1...501 {
            let fields: [String: JSONValue] = [
                "title": .string("Item \(number)"), "body": "<p>b</p>", "feeds": .entries([world.feed]),
                "categories": .entries([SeedEntry.unsorted]),
            ]
            drafts.append(try await write.newDraft(type: "article", fields: fields, by: actor).draft)
        }
        let items = try await write.importAll(drafts, from: "test", publishTiming: .now, by: actor).map(\.entry)
        await #expect(throws: Failure.self) {
            try await world.site.edit(world.feed, [ManualOrder.field: .entries(items)])
        }
        try await world.site.edit(world.feed, [ManualOrder.field: .entries(items.dropLast())])
        let shown = try await world.site.test.database.entries.topItems(inFeed: world.feed, limit: 600).map(\.id)
        #expect(shown == items)
        let page = try await world.visit.get("\(world.path)?at=501")
        let refused = try await world.press(("move", "\(items[500]) up"), on: page)
        #expect(refused.status == 422 && refused.says("At most 500 items can be in manual order."))
        let last = try await world.visit.get("\(world.path)?at=499")
        let typed = ["position.\(items[500])": "400", "position.\(items[499])": "450"]
        let fields = last.form(id: "draft").map { ($0.0, typed[$0.0] ?? $0.1) }
        let both = try await world.visit.post(world.path, fields + [("action", "apply")])
        let kept = Dictionary(both.form(id: "draft")) { first, _ in first }
        #expect(both.status == 422 && typed.allSatisfy { kept[$0.key] == $0.value }, "no typed position is lost")
        let shorter = try await world.press(("move", "\(items[0]) date"), on: page)
        let moved = try await world.press(("move", "\(items[500]) top"), on: shorter)
        #expect(moved.status == 200 && moved.says("Item 501: position 1 of 501."))
        #expect(try await world.press(Self.save, on: moved).status == 303)
        #expect(ManualOrder(of: try await newest(world).content).items == [items[500]] + items[1..<500])
    }

    @Test("A7: editing other fields of the feed keeps its order")
    func edited() async throws {
        let world = try await World(items: 3)
        let path = "/entries/\(world.feed)/revisions"
        let form = try await world.visit.get(path)
        #expect(!form.holds("field.manual_order"))
        let saved = try await world.visit.fill(form, path, [("field.title", "Ports"), ("action", "now")])
        #expect(saved.status == 303)
        #expect(ManualOrder(of: try await newest(world).content).items == world.items)
        #expect(try await world.order() == [1, 2, 3])
    }

    @Test("A7: a long feed is paged, and an item can move to another page")
    func pages() async throws {
        let world = try await World(items: 53)
        let first = try await world.visit.get(world.path)
        #expect(first.says("1 to 50 of 53") && first.holds("value=\"51\"") && !first.holds(">Previous<"))
        let second = try await world.press(("page", "51"), on: first)
        #expect(second.says("51 to 53 of 53") && second.holds("data-offset=\"50\"") && second.holds(">Previous<"))
        let moved = try await world.press(("action", "apply"), on: first, [(1, "52")])
        #expect(moved.says("51 to 53 of 53") && moved.says("Item 1: position 52 of 53."))
        _ = try await world.press(Self.save, on: moved)
        #expect(try await world.order().suffix(3) == [52, 1, 53])
        #expect(try await world.visit.get("\(world.path)?at=999").says("53 to 53 of 53"))
        #expect(try await world.visit.get("\(world.path)?at=x").says("1 to 50 of 53"))
    }

    @Test("A7: the page of an unpublished or automatically ordered feed says what to do")
    func others() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher)
        let newest = try await site.publish("feed", "News")
        let page = try await visit.get("/feeds/\(newest)/order")
        #expect(page.status == 200 && page.holds("sorted by newest first"))
        let refused = try await visit.post("/feeds/\(newest)/order", [("order", ""), ("base", "1"), Self.save])
        #expect(refused.status == 422 && refused.holds("Change its order to manual before moving items."))
        let draft = try await site.publish("feed", "Later", ["order": "ranked"], publishTiming: .draft)
        #expect(try await visit.get("/feeds/\(draft)/order").holds("This feed is not published yet"))
        let empty = try await site.publish("feed", "Empty", ["order": "ranked"])
        #expect(try await visit.get("/feeds/\(empty)/order").holds("No published items."))
    }
}
