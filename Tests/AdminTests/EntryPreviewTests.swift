// Tests previews of forms and the search for entries to refer to.
import Domain
import Store
import TestSupport
import Testing

@testable import Admin

@Suite("Previews of forms", .databases)
struct EntryPreviewTests {
    private let url = "/entries/preview?type=article"

    @Test(
        "A form is shown as members and guests see it, whatever it lacks; team-only fields are not, and nothing is saved"
    )
    func preview() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .editor)
        let page = try await visit.post(
            url,
            [
                ("field.title", "Ten <cafés>"), ("field.summary", "In short"),
                ("field.body", "<p>Long</p><script>x()</script>"), ("field.published", "soon"),
                ("field.published", "Z"),
            ])
        #expect(page.status == 200 && page.holds("data-slug=\"ten-cafes\""))
        let parts = page.html.components(separatedBy: "data-audience=")
        #expect(parts.count == 3 && parts[1].contains("<p>Long</p>") && !parts[1].contains("x()"))
        #expect(parts[2].contains("In short") && !parts[2].contains("Long"), "guests don't see the text")
        let pin = SeedEntry.unsorted.description
        let feed = try await visit.post(
            "/entries/preview?type=feed", [("field.title", "Ports"), ("field.pins", pin)])
        #expect(feed.status == 200 && feed.holds("Ports") && !feed.holds(pin) && !feed.holds("Pinned"))
        #expect(
            try await site.test.client.one("select count(*) as n from curation.entry where type = 'article'")("n") == 0)
    }

    @Test("One field alone, as Markdown")
    func field() async throws {
        let visit = try await AdminFixture.make().browser(.editor)
        let page = try await visit.post(
            url, [("only", "body"), ("field.title", "Hidden"), ("field.body", "a *b*"), ("field.body", "markdown")])
        #expect(page.status == 200 && page.holds("a <em>b</em>") && !page.holds("Hidden"))
        let typed = try await visit.post(
            "/entries", [("type", "article"), ("field.title", ""), ("field.body", "a *b*"), ("field.body", "markdown")])
        #expect(typed.status == 422 && typed.holds("a *b*</textarea>"), "a refused form keeps what was typed")
        #expect(typed.holds("<option value=\"markdown\" selected>"))
    }

    @Test("The editor gets one text as the server reads it: what was begun in the box before the editor was there")
    func editorText() async throws {
        let visit = try await AdminFixture.make().browser(.editor)
        func text(_ fields: [(String, String)]) async throws -> String? {
            let page = try await visit.post(url, fields)
            let template = #/<template data-text="field.body">(.*?)</template>/#.dotMatchesNewlines()
            return page.html.firstMatch(of: template).map { String($0.1).replacing("\n", with: "") }
        }
        let markdown = try await text([("only", "body"), ("field.body", "a *b*"), ("field.body", "markdown")])
        #expect(markdown == "<p>a <em>b</em></p>")
        let html = try await text([("only", "body"), ("field.body", "<p>c</p><script>x()</script>")])
        #expect(html == "<p>c</p>")
        #expect(try await text([("only", "body")]) == "")
        #expect(try await text([("only", "title"), ("field.body", "<p>c</p>")]) == nil)
        #expect(try await text([("field.body", "<p>c</p>")]) == nil)
    }

    @Test("The slug that a title leads to is free, and none is shown once one was entered")
    func slug() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .editor)
        func shown(_ fields: [(String, String)]) async throws -> String? {
            let page = try await visit.post(url, fields)
            return page.html.firstMatch(of: /data-slug="([^"]*)"/).map { String($0.1) }
        }
        #expect(try await shown([("field.title", "A walk"), ("only", "slug")]) == "a-walk")
        #expect(try await shown([("field.title", "A walk"), ("only", "body")]) == nil)
        #expect(try await shown([("field.title", "A walk"), ("field.slug", "mine")]) == nil)
        #expect(try await shown([("field.title", " ")]) == nil)
        let walk = try await site.publish("article", "A walk")
        #expect(try await shown([("field.title", "A walk")]) == "a-walk-2")
        // The slugs of other kinds are others.
        _ = try await site.feed("A run")
        #expect(try await shown([("field.title", "A run")]) == "a-run")
        // Without a script, a form that is shown again has it, too.
        let again = try await visit.post("/entries", [("type", "article"), ("field.title", "A walk")])
        #expect(again.holds("If left empty: <code>a-walk-2</code>"))
        let edited = try await visit.get("/entries/\(walk)/revisions")
        #expect(edited.holds("value=\"a-walk\"") && !edited.holds("data-slug-url"))
    }

    @Test("An unknown type is refused")
    func unknown() async throws {
        let visit = try await AdminFixture.make().browser(.editor)
        #expect(try await visit.post("/entries/preview?type=nothing", []).status == 422)
        #expect(try await visit.post("/entries/preview", []).status == 422)
    }

    @Test("Titles are found by the beginnings of their words, published ones first; contributors find only these")
    func matches() async throws {
        let site = try await AdminFixture.make()
        let draft = try await site.publish("article", "A walk in winter", publishTiming: .draft)
        let live = try await site.publish("article", "Winter walks")
        _ = try await site.publish("video", "Winter walking")
        let entries = site.test.database.entries
        func find(_ text: String, onlyLive: Bool = false, limit: Int = 20) async throws -> [ID<Entry>] {
            try await entries.matches(text, types: ["article"], onlyLive: onlyLive, limit: limit).map(\.id)
        }
        #expect(try await find("win wal") == [live, draft])
        #expect(try await find("WALK ") == [live, draft])
        #expect(try await find("win wal", limit: 1) == [live])
        #expect(try await find("win", onlyLive: true) == [live])
        #expect(try await find("alk") == [])
        #expect(try await find("') | (").count == 2, "signs are no words")
        #expect(try await find("") == [live, draft], "the newest ones")
        #expect(try await entries.matches([draft, live], onlyLive: true).map(\.id) == [live])
    }
}
