// Tests what is beside the form of an entry: its state, releases, history, uses and notes.
import Domain
import Operations
import Store
import TestSupport
import Testing

@Suite("Beside the form of an entry", .databases)
struct EntryPanelTests {
    @Test("State, public page, releases, history and notes of an entry are beside its form, also of a refused one")
    func shown() async throws {
        let site = try await AdminFixture.make(
            settings: ["VITRINE_SITE_ITEM_URL": "https://www.example.org/read/{slug}"])
        let visit = try await site.browser(.publisher, name: "Pat")
        let id = try await site.article("A walk")
        try await site.change(id, "slug", to: "a-longer-walk")
        let planner = try await site.test.actor(.administrator, name: "Planner")
        let compose = site.test.services.composeRelease
        let release = try await compose.create(title: "Friday", by: planner)
        try await compose.add([LiveChange(entry: id, revision: nil)], to: release, by: planner)
        try await site.test.services.addNote("Check the map", on: .entry(id), by: planner)

        let path = "/entries/\(id)/revisions"
        let page = try await visit.visit(path)
        #expect(page.holds("Published v1") && page.holds("Draft v2") && page.says("Published: version 1."))
        // Readers find the published version by its slug.
        #expect(try page.link("View public page") == "https://www.example.org/read/a-walk")
        #expect(page.links.contains { $0.url == "/releases/\(release)" } && page.says("Friday"))
        #expect(page.links.contains { $0.url == "/entries/\(id)/history/1/2" })
        #expect(try page.link("View all history") == "/entries/\(id)/history")
        #expect(page.says("Check the map") && page.says("No published entry references it."))
        #expect(try page.link("Add note") == "/entries/\(id)#notes" && !page.hasButton("Add note"))
        #expect(page.forms.filter { $0.action == path && $0.method == "POST" }.count == 1)

        // It stays beside a form that is refused.
        let refused = try await visit.fill(page, path, [("field.title", ""), ("action", "draft")])
        #expect(refused.status == 422 && refused.holds("Draft v2") && refused.says("Check the map"))
        let draft = try await site.article("Unseen", .draft)
        let unpublished = try await visit.visit("/entries/\(draft)/revisions")
        #expect(unpublished.says("Not published.") && !unpublished.says("View public page"))
        #expect(!(try await visit.visit("/entries/new?type=article").says("View all history")))
    }

    @Test("Beside the title of an entry stands whether readers see an older version than the newest one")
    func unpublishedChanges() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher)
        let mark = "<span class=\"tag wait\">Unpublished changes</span>"
        let id = try await site.article("A walk")
        let draft = try await site.article("Unseen", .draft)
        let pages = [id, draft].flatMap { ["/entries/\($0)", "/entries/\($0)/revisions"] }
        for path in pages {
            #expect(!(try await visit.visit(path).holds(mark)), "\(path)")
        }
        try await site.change(id, "slug", to: "a-longer-walk")
        for path in ["/entries/\(id)", "/entries/\(id)/revisions"] {
            let page = try await visit.visit(path).html
            let header = try #require(page.firstRange(of: "<header class=\"page-header\">"))
            let title = page[header.upperBound...]
            let end = try #require(title.firstRange(of: "</header>"))
            #expect(title[..<end.lowerBound].contains(mark), "\(path)")
        }
    }

    @Test("Published entries that reference an entry are listed with it; those of a category are counted")
    func uses() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher)
        let walks = try await site.category("Walks")
        let hidden = try await site.category("Hidden", .draft)
        try await site.article("A walk", in: [walks])
        for page in ["", "/revisions"] {
            let group = try await visit.visit("/entries/\(SeedEntry.topicGroup)\(page)")
            #expect(group.links.contains { $0.url == "/entries/\(walks)" && $0.text == "Walks" }, "\(page)")
            #expect(!group.links.contains { $0.url == "/entries/\(hidden)" }, "\(page)")
            let category = try await visit.visit("/entries/\(walks)\(page)")
            #expect(category.holds("Published entries that reference it: 1"), "\(page)")
        }
    }

    @Test("An account restricted to a type sees only uses by entries of it")
    func scoped() async throws {
        let site = try await AdminFixture.make()
        _ = try await site.category("Walks")
        let entries = site.test.database.entries
        #expect(try await entries.uses(of: SeedEntry.topicGroup, limit: 10).contains { $0.title == "Walks" })
        #expect(try await entries.uses(of: SeedEntry.topicGroup, limit: 1).count == 1)
        let seen = try await AccessScope.$current.withValue(AccessScope(types: ["article"], groups: [])) {
            try await entries.uses(of: SeedEntry.topicGroup, limit: 10)
        }
        #expect(seen.isEmpty)
    }
}
