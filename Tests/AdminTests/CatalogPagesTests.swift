// Walks the pages of what is kept of the catalogs: filters, offering and taking back, another source.
import Domain
import Platform
import Store
import TestSupport
import Testing

@Suite("The pages of the catalogs", .databases)
struct CatalogPagesTests {
    private func keep(_ site: EditorSite, _ titles: [String]) async throws -> [ID<CatalogItem>] {
        let items = titles.enumerated().map { index, title in
            ReceivedCatalogItem(
                id: ID(UUIDv7.make()), kind: index % 2 == 0 ? "movie" : "book",
                source: index % 2 == 0 ? "tmdb" : "google_books", externalID: "x\(index)", title: title,
                details: .object(["title": .string(title), "released": "1999"]))
        }
        try await site.test.database.change(
            by: TestDatabase.administrator, AuditEvent("catalog.test", on: "catalog")
        ) { try await $0.releaseBundles.keep(items) }
        return items.map(\.id)
    }

    @Test("D3, D33: things are offered to readers and taken back by ticking them, in one publication each")
    func offers() async throws {
        let site = try await EditorSite.make()
        let visit = try await site.visitor(.publisher)
        #expect(try await visit.get("/catalog").holds("Nothing was looked up yet."))
        let ids = try await keep(site, ["A ship", "A sail", "A rope"])
        let page = try await visit.get("/catalog")
        #expect(page.holds("A ship") && page.holds("A rope") && page.holds("<span class=\"tag plain\">kept</span>"))
        let done = try await visit.post(
            "/catalog", [("item", ids[0].description), ("item", ids[2].description), ("action", "offer")])
        #expect(try await visit.follow(done).holds("2 things are offered to readers (publication"))
        #expect(try await site.rows("catalog_item", "title") == ["A rope", "A ship"])
        let again = try await visit.post("/catalog", [("item", ids[0].description), ("action", "offer")])
        #expect(try await visit.follow(again).holds("it was so already"))
        let back = try await visit.post(
            "/catalog?standing=offered", [("item", ids[0].description), ("action", "take_back")])
        #expect(back.location == "/catalog?standing=offered")
        #expect(try await site.rows("catalog_item", "title") == ["A rope"])
        let none = try await visit.post("/catalog", [("action", "offer")])
        #expect(none.status == 422 && none.holds("Tick what is meant first."))
        for (query, shown, hidden) in [
            ("kind=book", "A sail", "A ship"), ("words=SHI", "A ship", "A sail"),
            ("standing=offered", "A rope", "A sail"), ("standing=kept", "A sail", "A rope"),
        ] {
            let list = try await visit.get("/catalog?\(query)")
            #expect(list.holds(">\(shown)<") && !list.holds(">\(hidden)<"), "\(query)")
        }
        #expect(try await visit.get("/catalog?words=%25").holds("Nothing matches."))
        let curator = try await site.visitor(.curator, name: "Cleo")
        #expect(try await curator.get("/catalog").holds("A ship"))
        #expect(try await curator.post("/catalog", [("item", ids[0].description)]).status == 403)
    }

    @Test("D34: a thing gets another source on its page; what makes no sense is said at its field, as typed")
    func moves() async throws {
        let site = try await EditorSite.make()
        let visit = try await site.visitor(.publisher)
        let ids = try await keep(site, ["A ship", "A sail", "A rope"])
        let address = "/catalog/\(ids[0])"
        let page = try await visit.get(address)
        #expect(page.holds("1999") && page.holds("<code>x0</code>") && page.holds("Move it there"))
        let blank = try await visit.fill(page, address, [("external_id", " ")])
        #expect(blank.status == 422 && blank.holds("id at the source is needed"))
        let wrong = try await visit.post(address, [("source", "nowhere"), ("external_id", "9")])
        #expect(wrong.status == 422 && wrong.holds("There is no source named nowhere") && wrong.holds("value=\"9\""))
        _ = try await visit.post("/catalog", [("item", ids[2].description), ("action", "offer")])
        let taken = try await visit.fill(page, address, [("external_id", "x2")])
        #expect(taken.status == 422 && taken.holds("value=\"x2\"") && taken.holds("is used already"))
        let moved = try await visit.fill(page, address, [("external_id", "tt-9")])
        #expect(try await visit.follow(moved).holds("<code>tt-9</code>"))
        #expect(try await visit.get("/catalog/00000000-0000-7000-8000-00000000ffff").status == 404)
        #expect(try await visit.get("/catalog/x").status == 404)
    }

    @Test("A25: what is kept comes in pages, each thing once")
    func pages() async throws {
        let site = try await EditorSite.make()
        let visit = try await site.visitor(.editor)
        _ = try await keep(site, (0..<53).map { "Thing \($0)." })
        let first = try await visit.get("/catalog?words=thing")
        let next = try #require(first.links.first { $0.words == "Older" }?.address)
        let second = try await visit.get(next)
        #expect(second.holds("Thing 0.") && second.holds("Thing 2.") && !second.holds("Thing 3.<"))
        #expect(first.holds("Thing 52.") && first.holds("Thing 3.<") && !first.holds("Thing 2.<"))
        #expect(!second.holds(">Older<") && !second.holds("Offer to readers"))
    }
}
