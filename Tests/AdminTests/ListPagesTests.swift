// The editor of curated lists: looking things up beside the form, without losing what was typed and without a script.
import Catalogs
import Domain
import Platform
import Store
import TestSupport
import Testing

@Suite("The editor of lists", .databases)
struct ListPagesTests {
    /// A desk whose sources do not answer, and films that they described before.
    private static func desk(_ titles: String...) async throws -> (Desk, [ID<CatalogItem>]) {
        let sources = Settings.Catalogs(
            sources: ["tmdb": .init(address: "https://192.0.2.1:1/", key: Secret("canary-key"))], fresh: .seconds(3600))
        let desk = try await Desk.make(sources: sources)
        let kinds = try CatalogKinds(folder: TestDatabase.packageRoot + "/Config/catalogs")
        let kind = try #require(kinds["movie"])
        let records = titles.compactMap { CatalogRecord(kind, externalID: $0, title: $0, details: [:]) }
        let event = AuditEvent("catalog.record", on: "catalog")
        let ids = try await desk.test.database.change(by: TestDatabase.administrator, event) { change in
            let ids = try await change.catalogs.record(
                records, areWhole: true, kind: "movie", source: "tmdb", by: change.actor)
            let question = CatalogQuery(kind: "movie", search: "latest", values: [:])
            try await change.catalogs.keep(ids, hints: [], to: question, from: "tmdb")
            return ids
        }
        return (desk, ids)
    }

    private func age(_ desk: Desk) async throws {
        _ = try await desk.test.client.query(
            "update ops.catalog_query set fetched_at = fetched_at - interval '2 days'")
    }

    @Test("D9, D27: what is looked up is added, moved and removed without saving, and all that was typed stays")
    func adding() async throws {
        let (desk, ids) = try await Self.desk("Heat", "Alien", "Jaws")
        let visit = try await EditorSite(desk: desk).visitor(.publisher)
        var page = try await visit.get("/entries/new?type=list")
        page = try await visit.fill(page, "/entries", [("field.title", "Late"), ("lookup", "movie.latest")])
        #expect(page.status == 200 && page.holds("Alien") && page.holds("value=\"Late\""))
        page = try await visit.fill(page, "/entries", [("pick", "items \(ids[1])")])
        page = try await visit.fill(page, "/entries", [("pick", "items \(ids[0])")])
        page = try await visit.fill(page, "/entries", [("pick", "items \(ids[0])"), ("field.items.1.note", "Loud.")])
        page = try await visit.fill(page, "/entries", [("pick", "subject \(ids[2])")])
        #expect(page.holds("value=\"Late\"") && page.holds("Take out: Jaws"))
        page = try await visit.fill(page, "/entries", [("rows", "items up 1")])
        #expect(try await desk.test.database.entries.page(EntryFilter(), cursor: nil, limit: 50).items.isEmpty == false)
        #expect(try await desk.rows("list") == 0)
        page = try await visit.fill(page, "/entries", [("action", "now")])
        #expect(page.status == 303)
        let text: String = try await desk.test.client.one("select text from api_v1.list")("text")
        #expect(text == "Late\nHeat\nAlien\n")
        let notes: [String] = try await desk.test.client.query(
            "select note from api_v1.list_item order by position"
        ).map { try $0("note") }
        #expect(notes == ["Loud.", ""])
        let subject: ID<CatalogItem> = try await desk.test.client.one("select subject_id from api_v1.list")(
            "subject_id")
        #expect(subject == ids[2])
    }

    @Test("D33: a source that does not answer: the page says so, and shows the last answer with its age")
    func down() async throws {
        let (desk, _) = try await Self.desk("Heat")
        try await age(desk)
        let visit = try await EditorSite(desk: desk).visitor(.publisher)
        var page = try await visit.get("/entries/new?type=list")
        page = try await visit.fill(page, "/entries", [("lookup", "movie.latest")])
        #expect(page.holds("TMDB") && page.holds("Shown from") && page.holds("Heat"))
        #expect(page.holds("2 d ago") && !page.holds("canary"))
        page = try await visit.fill(page, "/entries", [("lookup", "movie.title"), ("lookup.movie.title.text", "hea")])
        #expect(page.holds("Shown is what was looked up before") && page.holds("Heat"))
        page = try await visit.fill(page, "/entries", [("lookup", "book.title"), ("lookup.book.title.text", "  ")])
        #expect(page.holds("Words of the title: this is needed."))
    }

    @Test("D27: Enter in an input of a search looks it up; elsewhere it saves a draft")
    func enter() async throws {
        let (desk, _) = try await Self.desk("Heat")
        let visit = try await EditorSite(desk: desk).visitor(.publisher)
        let page = try await visit.get("/entries/new?type=list")
        let asked = try await visit.fill(
            page, "/entries", [("action", "enter"), ("field.title", "T"), ("lookup.movie.title.text", "heat")])
        #expect(asked.status == 200 && asked.holds("Add: Heat"))
        let saved = try await visit.fill(asked, "/entries", [("action", "enter"), ("field.title", "T")])
        #expect(saved.status == 303)
    }

    @Test("D5: a list without items is refused at its field when it is to be published, and kept as it was typed")
    func empty() async throws {
        let (desk, _) = try await Self.desk("Heat")
        let visit = try await EditorSite(desk: desk).visitor(.publisher)
        let page = try await visit.get("/entries/new?type=list")
        let refused = try await visit.fill(page, "/entries", [("action", "now"), ("field.title", "Nothing")])
        #expect(refused.status == 422 && refused.holds("needs at least one item"))
        #expect(refused.holds("#field-items") && refused.holds("value=\"Nothing\""))
    }
}
