// Tests the form of curated lists: catalog searches that keep all input and need no script.
import Domain
import Lists
import Operations
import Platform
import Store
import TestSupport
import Testing

@Suite("List form", .databases, .packs(.lists))
struct ListPagesTests {
    /// A site with unreachable sources, and cached movies.
    private static func fixture(_ titles: String...) async throws -> (AdminFixture, [ID<CatalogItem>]) {
        let sources = Settings.Catalogs(
            sources: ["tmdb": .init(url: "https://192.0.2.1:1/", key: Secret("canary-key"))], fresh: .seconds(3600))
        let fixture = try await AdminFixture.make(sources: sources)
        let kinds = try CatalogKinds(folder: TestDatabase.packageRoot + "/Config/catalogs")
        let kind = try #require(kinds["movie"])
        let records = titles.compactMap { CatalogRecord(kind, externalID: $0, title: $0, details: [:]) }
        let event = AuditEvent("catalog.update", on: "catalog")
        let ids = try await fixture.test.database.transaction(by: TestDatabase.administrator, event) { transaction in
            let ids = try await transaction.catalogs.record(
                records, areComplete: true, kind: "movie", source: "tmdb", by: transaction.actor)
            let query = CatalogQuery(kind: "movie", search: "latest", values: [:])
            try await transaction.catalogs.saveResponse(ids, hints: [], to: query, from: "tmdb")
            return ids
        }
        return (fixture, ids)
    }

    private func age(_ fixture: AdminFixture) async throws {
        _ = try await fixture.test.client.query(
            "update ops.catalog_query set fetched_at = fetched_at - interval '2 days'")
    }

    @Test("D2: a reference that several items match is a choice on the review page, and the chosen one is published")
    func ambiguousReference() async throws {
        let (fixture, _) = try await Self.fixture("Heat", "Jaws")
        let kind = try #require(try CatalogKinds(folder: TestDatabase.packageRoot + "/Config/catalogs")["movie"])
        let same = ["1982-06-25", "2011-10-12"].compactMap { day in
            CatalogRecord(kind, externalID: day, title: "The Thing", details: ["released": .string(day)])
        }
        let event = AuditEvent("catalog.update", on: "catalog")
        let ids = try await fixture.test.database.transaction(by: TestDatabase.administrator, event) {
            try await $0.catalogs.record(
                same, areComplete: true, kind: "movie", source: "tmdb", by: TestDatabase.administrator)
        }
        let receive = fixture.test.services.receiveSubmission
        let id = try await receive(
            SubmissionDraft(
                type: "list", contributor: "user-7",
                fields: [
                    "title": "Films", "owner": "user-7",
                    "items": .array([.object(["item": .object(["title": "The Thing"])])]),
                ]), by: fixture.client
        ).id
        let browser = try await fixture.browser(.publisher)
        let page = try await browser.visit("/queue/\(id)")
        #expect(page.holds(">The Thing (Movie, 1982-06-25, tmdb 1982-06-25)</option>"))
        var form = try page.form("Approve and publish")
        let refused = try await browser.press("Approve and publish", in: form)
        #expect(refused.status == 422 && refused.holds(">The Thing (Movie, 2011-10-12, tmdb 2011-10-12)</option>"))
        form = try refused.form("Approve and publish")
        try form.fill("field.items.0.item", ids[1].description)
        #expect(try await browser.press("Approve and publish", in: form).says("Approved"))
        let listed: [ID<CatalogItem>] = try await fixture.test.client.query(
            "select catalog_item_id from api_v1.list_item"
        )
        .map { try $0("catalog_item_id") }
        #expect(listed == [ids[1]])
    }

    @Test("D9, D27: found items are added, moved and removed without saving, and all input is kept")
    func adding() async throws {
        let (fixture, ids) = try await Self.fixture("Heat", "Alien", "Jaws")
        let visit = try await fixture.browser(.publisher)
        var page = try await visit.get("/entries/new?type=list")
        page = try await visit.fill(page, "/entries", [("field.title", "Late"), ("search", "movie.latest")])
        #expect(page.status == 200 && page.holds("Alien") && page.holds("value=\"Late\""))
        page = try await visit.fill(page, "/entries", [("catalog_item", "items \(ids[1])")])
        page = try await visit.fill(page, "/entries", [("catalog_item", "items \(ids[0])")])
        page = try await visit.fill(
            page, "/entries", [("catalog_item", "items \(ids[0])"), ("field.items.1.note", "Loud.")])
        page = try await visit.fill(page, "/entries", [("catalog_item", "subject \(ids[2])")])
        #expect(page.holds("value=\"Late\"") && page.holds("Remove Jaws"))
        page = try await visit.fill(page, "/entries", [("rows", "items up 1")])
        #expect(
            try await fixture.test.database.entries.page(EntryFilter(), cursor: nil, limit: 50).items.isEmpty == false)
        #expect(try await fixture.rows("list") == 0)
        page = try await visit.fill(page, "/entries", [("action", "now")])
        #expect(page.status == 303)
        let text: String = try await fixture.test.client.one("select text from api_v1.list")("text")
        #expect(text == "Late\nHeat\nAlien\n")
        let notes: [String] = try await fixture.test.client.query(
            "select note from api_v1.list_item order by position"
        ).map { try $0("note") }
        #expect(notes == ["Loud.", ""])
        let subject: ID<CatalogItem> = try await fixture.test.client.one("select subject_id from api_v1.list")(
            "subject_id")
        #expect(subject == ids[2])
    }

    @Test("D33: when a source fails, the page shows the error and the cached results with their age")
    func down() async throws {
        let (fixture, _) = try await Self.fixture("Heat")
        try await age(fixture)
        let visit = try await fixture.browser(.publisher)
        var page = try await visit.get("/entries/new?type=list")
        page = try await visit.fill(page, "/entries", [("search", "movie.latest")])
        #expect(page.holds("TMDB") && page.holds("Results from") && page.holds("Heat"))
        #expect(page.holds("2 d ago") && !page.holds("canary"))
        page = try await visit.fill(page, "/entries", [("search", "movie.title"), ("search.movie.title.text", "hea")])
        #expect(page.holds("Showing saved items.") && page.holds("Heat"))
        page = try await visit.fill(page, "/entries", [("search", "book.title"), ("search.book.title.text", "  ")])
        #expect(page.holds("Title is required."))
    }

    @Test("D27: Enter in a search input runs the search; elsewhere it saves a draft")
    func enter() async throws {
        let (fixture, _) = try await Self.fixture("Heat")
        let visit = try await fixture.browser(.publisher)
        let page = try await visit.get("/entries/new?type=list")
        let results = try await visit.fill(
            page, "/entries", [("action", "enter"), ("field.title", "T"), ("search.movie.title.text", "heat")])
        #expect(results.status == 200 && results.holds("Add: Heat"))
        let saved = try await visit.fill(results, "/entries", [("action", "enter"), ("field.title", "T")])
        #expect(saved.status == 303)
    }

    @Test("D5: publishing a list without items is refused at its field, and the input is kept")
    func empty() async throws {
        let (fixture, _) = try await Self.fixture("Heat")
        let visit = try await fixture.browser(.publisher)
        let page = try await visit.get("/entries/new?type=list")
        let refused = try await visit.fill(page, "/entries", [("action", "now"), ("field.title", "Nothing")])
        #expect(refused.status == 422 && refused.holds("Add at least one item"))
        #expect(refused.holds("#field-items") && refused.holds("value=\"Nothing\""))
    }
}
