// Tests the page of the category groups (creating, renaming, ordering) and the list of feeds.
import Domain
import Store
import TestSupport
import Testing

@Suite("Category and feed pages", .databases)
struct CategoryPagesTests {
    private static let topic = "00000000-0000-7000-8000-000000000011"
    private static let place = "00000000-0000-7000-8000-000000000012"

    private func category(
        _ site: AdminFixture, _ title: String, _ position: Int64, in group: String = topic
    ) async throws -> ID<Entry> {
        try await site.create(
            "category", ["title": .string(title), "group": .string(group), "position": .int(position)])
    }

    private func changes(_ site: AdminFixture) async throws -> Set<String> {
        let current = try await site.test.database.publications.current()
        let lines: [String] = try await site.test.client.query(
            """
            select read_table || ' ' || operation || ' ' || key as line from api_v1.change where publication = \(current)
            """
        ).map { try $0("line") }
        return Set(lines)
    }

    @Test("B29, B31: two groups side by side, with exact counts of published items and hidden categories")
    func list() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .curator)
        let walks = try await category(site, "Walks", 10)
        _ = try await category(site, "Airport", 10, in: Self.place)
        for (title, publishTiming) in [("A", PublishTiming.now), ("B", .now), ("C", .approveOnly)] {
            let id = try await site.article(title, .draft)
            try await site.change(id, "categories", to: .array([.string(walks.description)]), publishTiming)
        }
        let page = try await visit.get("/categories")
        #expect(page.status == 200)
        #expect(page.holds("Categories belong to one of two groups."))
        #expect(page.holds("Changes are saved as drafts."))
        #expect(
            page.holds("data-column=\"Published items\" role=\"cell\">2</td>")
                && page.html.split(separator: "Hidden (no published items)").count == 3)
        let groups = ["Topic", "Walks", "Place", "Airport"].compactMap {
            page.main.firstRange(of: ">\($0)</a>")?.lowerBound
        }
        #expect(groups.count == 4 && groups == groups.sorted())
        #expect(!page.holds("New category in"))
    }

    @Test("B29: a publisher creates a published category, last in its group")
    func create() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher)
        _ = try await category(site, "Airport", 40, in: Self.place)
        let added = try await visit.post("/categories", [("group", Self.place), ("name", " Pizza & Pasta ")])
        #expect(added.location?.hasPrefix("/categories#row-") == true)
        let page = try await visit.follow(added)
        #expect(page.holds("Category created and published (publication"))
        #expect(page.holds(">Pizza &amp; Pasta</a>"))
        let choices = try await site.test.database.entries.choices(.category)
        let pizza = choices.first { $0.title == "Pizza & Pasta" }
        #expect(pizza?.isLive == true && pizza?.slug == "pizza-pasta")
        #expect(pizza?.content["position"] == .int(50))
        for (name, message) in [
            ("", "Title is required."), ("pizza & pasta", "This group already has a category named Pizza"),
        ] {
            let refused = try await visit.post("/categories", [("group", Self.place), ("name", name)])
            #expect(refused.status == 422 && refused.holds(message), "\(name)")
            #expect(refused.holds("<a href=\"#name-2\">") && refused.holds("id=\"name-2\""))
            #expect(refused.holds("value=\"\(name.replacing("&", with: "&amp;"))\" aria-invalid"), "\(name)")
        }
        // The other group may have a category of the same name, with its own slug.
        let other = try await visit.post("/categories", [("group", Self.topic), ("name", "Pizza & Pasta")])
        #expect(other.status == 303)
    }

    @Test("B29: an unknown group is refused", arguments: ["", "00000000-0000-7000-8000-000000000013", "third"])
    func thirdGroup(group: String) async throws {
        let visit = try await AdminFixture.make().browser(.administrator)
        let refused = try await visit.post("/categories", [("group", group), ("name", "Lost")])
        #expect(refused.status == 422 && refused.holds("Categories belong to one of two groups."))
    }

    @Test("B29: an order is saved in one action and one publication that changes only the moved rows")
    func order() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher)
        var ids: [ID<Entry>] = []
        for (title, position) in [("One", 10), ("Two", 20), ("Three", 30)] {
            ids.append(try await category(site, title, Int64(position)))
        }
        let article = try await site.article("A walk", .draft)
        try await site.change(article, "categories", to: .array(ids.map { .string($0.description) }), .now)
        let before = try await site.test.database.publications.current()
        let page = try await visit.visit("/categories")
        #expect(!page.says("1000") && page.holds("Move Three to the top") && !page.holds("Move Two to the top"))
        let moved = [("move", "\(ids[2]) 30 0")]
        let after = try await visit.follow(try await visit.post("/categories/move", moved))
        #expect(after.says("Three: position 1 of 4 (publication \(before + 1))"))
        #expect(try await site.test.database.publications.current() == before + 1)
        let rows = try await changes(site)
        #expect(rows.contains("category update \(ids[2])"))
        #expect(!rows.contains { $0.contains("\(ids[0])") || $0.contains("\(ids[1])") })
        // The same button is outdated now.
        let stale = try await visit.post("/categories/move", moved)
        #expect(stale.status == 409 && stale.holds("<a href=\"#position-\(ids[2])\">"))
        let position = try await site.test.database.entries.choices(.category).first { $0.id == ids[2] }?.position
        let unchanged = try await visit.post("/categories/move", [("move", "\(ids[2]) \(position ?? 0) 0")])
        #expect(unchanged.status == 422 && unchanged.holds("The order hasn't changed."))
    }

    @Test("A33: a renamed category has a new slug, and the old one redirects")
    func rename() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher)
        let id = try await category(site, "Coffee", 10)
        let page = try await visit.get("/categories")
        let path = "/categories/\(id)/name"
        let renamed = try await visit.fill(page, path, [("name", "Café")])
        #expect(
            try await visit.follow(renamed).holds(
                "Renamed to Café; its old URL redirects (publication"))
        let redirects: [String] = try await site.test.client.query(
            "select slug || ' ' || new_slug as line from api_v1.redirect"
        ).map { try $0("line") }
        #expect(redirects == ["coffee cafe"])
        let stale = try await visit.fill(page, path, [("name", "Tea")])
        #expect(stale.status == 409 && stale.holds("Changed by") && stale.holds("Café"))
        let empty = try await visit.fill(try await visit.get("/categories"), path, [("name", "  ")])
        #expect(empty.status == 422 && empty.holds("<a href=\"#rename-\(id)\">"))
        let long = String(repeating: "x", count: 201)
        let tooLong = try await visit.fill(try await visit.get("/categories"), path, [("name", long)])
        #expect(tooLong.status == 422 && tooLong.holds("value=\"\(long)\""))
    }

    @Test("S15: without permission to publish, creating and renaming save drafts")
    func drafts() async throws {
        let (site, editor) = try await AdminFixture.visited(by: .editor)
        let added = try await editor.post("/categories", [("group", Self.topic), ("name", "Pizza")])
        let page = try await editor.follow(added)
        #expect(page.holds("Category created; saved as a draft") && page.holds("Not published"))
        let curator = try await site.browser(.curator)
        let id = try await category(site, "Walks", 10)
        let renamed = try await curator.post("/categories/\(id)/name", [("was", "Walks"), ("name", "Hikes")])
        #expect(try await curator.follow(renamed).holds("Renamed to Hikes; saved as a draft"))
        let entry = try await site.test.database.entries.find(id)
        #expect(entry?.live == 1 && entry?.approved == 1 && entry?.newest == 2)
    }

    @Test("Feeds are listed with access, order, position and exact counts of published items")
    func feeds() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .editor)
        #expect(try await visit.get("/feeds").holds("No feeds yet."))
        let feed = try await site.create(
            "feed",
            ["title": "City guides", "tier": "premium", "featured": .int(3), "publish_on_approval": .bool(false)])
        _ = try await site.create("feed", ["title": "Later", "tier": "free"], .draft)
        let id = try await site.article("A", .draft)
        try await site.change(id, "feeds", to: .array([.string(feed.description)]), .now)
        let page = try await visit.get("/feeds")
        for text in [
            "City guides", "Premium subscription", "Newest first", "Items wait for a publisher", "Not featured",
            "Not published", "data-column=\"Position in Discover\" role=\"cell\">3</td>",
        ] {
            #expect(page.holds(text), "\(text)")
        }
        for count in ["0", "1"] {
            #expect(page.holds("data-column=\"Published items\" role=\"cell\">\(count)</td>"))
        }
        #expect(page.holds("/entries/new?type=feed"))
        let curator = try await site.browser(.curator)
        #expect(!(try await curator.get("/feeds").main.contains("/entries/new")))
        #expect(try await visit.get("/entries/\(feed)").holds("Published items: 1<"))
    }
}
