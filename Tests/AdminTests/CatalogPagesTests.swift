// Tests the catalog pages: filters, listing and unlisting, moving to another source.
import Domain
import Platform
import Store
import TestSupport
import Testing

@Suite("Catalog pages", .databases, .packs(.lists))
struct CatalogPagesTests {
    private func create(_ site: AdminFixture, _ titles: [String]) async throws -> [ID<CatalogItem>] {
        let items = titles.enumerated().map { index, title in
            ReceivedCatalogItem(
                id: ID(UUIDv7.make()), kind: index % 2 == 0 ? "movie" : "book",
                source: index % 2 == 0 ? "tmdb" : "google_books", externalID: "x\(index)", title: title,
                details: .object(["title": .string(title), "released": "1999"]))
        }
        try await site.test.database.transaction(
            by: TestDatabase.administrator, AuditEvent("catalog.test", on: "catalog")
        ) { try await $0.catalogs.keep(items) }
        return items.map(\.id)
    }

    @Test("D3, D33: selected items are listed and unlisted, in one publication each")
    func listing() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher)
        #expect(try await visit.get("/catalog").holds("No items yet."))
        let ids = try await create(site, ["A ship", "A sail", "A rope"])
        let page = try await visit.get("/catalog")
        #expect(page.holds("A ship") && page.holds("A rope") && page.holds("<span class=\"tag plain\">Unlisted</span>"))
        let done = try await visit.post(
            "/catalog", [("item", ids[0].description), ("item", ids[2].description), ("action", "list")])
        #expect(try await visit.follow(done).holds("2 items listed (publication"))
        #expect(try await site.rows("catalog_item", "title") == ["A rope", "A ship"])
        let again = try await visit.post("/catalog", [("item", ids[0].description), ("action", "list")])
        #expect(try await visit.follow(again).holds("The items were already listed"))
        let back = try await visit.post(
            "/catalog?status=listed", [("item", ids[0].description), ("action", "unlist")])
        #expect(back.location == "/catalog?status=listed")
        #expect(try await site.rows("catalog_item", "title") == ["A rope"])
        let none = try await visit.post("/catalog", [("action", "list")])
        #expect(none.status == 422 && none.holds("Select at least one item."))
        for (query, shown, hidden) in [
            ("kind=book", "A sail", "A ship"), ("q=SHI", "A ship", "A sail"),
            ("status=listed", "A rope", "A sail"), ("status=unlisted", "A sail", "A rope"),
        ] {
            let list = try await visit.get("/catalog?\(query)")
            #expect(list.holds(">\(shown)<") && !list.holds(">\(hidden)<"), "\(query)")
            #expect(list.holds("<summary>Filters: 1</summary>") == !query.hasPrefix("q="), "\(query)")
        }
        #expect(try await visit.get("/catalog?q=%25").holds("No matching items."))
        let curator = try await site.browser(.curator, name: "Cleo")
        #expect(try await curator.get("/catalog").holds("A ship"))
        #expect(try await curator.post("/catalog", [("item", ids[0].description)]).status == 403)
    }

    @Test("D34: an item is moved to another source; errors are shown at their fields with the input")
    func moves() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher)
        let ids = try await create(site, ["A ship", "A sail", "A rope"])
        let path = "/catalog/\(ids[0])"
        let page = try await visit.get(path)
        #expect(page.holds("1999") && page.holds("<code>x0</code>") && page.holds("Move item"))
        let blank = try await visit.fill(page, path, [("external_id", " ")])
        #expect(blank.status == 422 && blank.holds("item's id at the source"))
        let wrong = try await visit.post(path, [("source", "nowhere"), ("external_id", "9")])
        #expect(
            wrong.status == 422 && wrong.holds("nowhere is no source of the catalog movie")
                && wrong.holds("value=\"9\""))
        _ = try await visit.post("/catalog", [("item", ids[2].description), ("action", "list")])
        let taken = try await visit.fill(page, path, [("external_id", "x2")])
        #expect(taken.status == 422 && taken.holds("value=\"x2\"") && taken.holds("is already used"))
        let moved = try await visit.fill(page, path, [("external_id", "tt-9")])
        #expect(try await visit.follow(moved).holds("<code>tt-9</code>"))
        #expect(try await visit.get("/catalog/00000000-0000-7000-8000-00000000ffff").status == 404)
        #expect(try await visit.get("/catalog/x").status == 404)
    }

    @Test("D2: the item that a submission means is found by its title, without its id")
    func find() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .editor)
        let ids = try await create(site, ["A ship", "A sail"])
        func shown(_ item: String, _ query: String) async throws -> BrowserPage {
            try await visit.post(
                "/entries",
                [
                    ("type", "list"), ("field.title", "Films"), ("field.items", "0"), ("field.items.0.item", item),
                    ("find.items.0.item", query), ("entries", "items.0.item"),
                ])
        }
        let reference = #"{"title":"Some boat"}"#
        let none = try await shown(reference, "boat")
        #expect(none.status == 200 && none.says("Some boat") && none.says("Not stored in any catalog."))
        #expect(none.says("No title has this text."))
        #expect(none.holds("<input type=\"hidden\" name=\"field.items.0.item\""))
        let found = try await shown(reference, "SHIP")
        #expect(found.holds("<option value=\"\(ids[0])\">A ship (") && !found.says("Not stored in any catalog."))
        #expect(!found.holds(">A sail ("))
        let chosen = try await shown(ids[0].description, "")
        #expect(chosen.holds("<strong>A ship</strong>"))
        // What is no item can be removed, and is not shown as text to edit.
        let unknown = try await shown("00000000-0000-7000-8000-00000000ffff", "")
        #expect(unknown.says("Unknown item") && !unknown.holds("type=\"text\" value=\"00000000"))
    }

    @Test("A25: the list is paged without duplicates")
    func pages() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .editor)
        _ = try await create(site, (0..<53).map { "Thing \($0)." })
        let first = try await visit.get("/catalog?q=thing")
        let next = try #require(first.links.first { $0.text == "Older" }?.url)
        let second = try await visit.get(next)
        #expect(second.holds("Thing 0.") && second.holds("Thing 2.") && !second.holds("Thing 3.<"))
        #expect(first.holds("Thing 52.") && first.holds("Thing 3.<") && !first.holds("Thing 2.<"))
        #expect(!second.holds(">Older<") && !second.holds(">Unlist<"))
    }
}
