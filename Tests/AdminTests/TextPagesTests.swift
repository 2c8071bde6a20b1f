// Tests the pages of texts and onboarding: editing in place, missing texts.
import Domain
import Store
import TestSupport
import Testing

@Suite("Texts and onboarding pages", .databases)
struct TextPagesTests {
    @Test(
        "B59, B61: texts are shown in two languages; missing ones are counted, found and translated in place"
    )
    func texts() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher)
        let offered: ID<Entry> = try await site.test.client.one(
            "select id from api_v1.setting where key = 'locales.offered'")("id")
        try await site.change(offered, "value", to: "en\nde", .now)
        let id: ID<Entry> = try await site.test.client.one("select id from api_v1.text where key = 'mail.invitation'")(
            "id")
        let total: Int = try await site.test.client.one("select count(distinct id) as n from api_v1.text")("n")
        let page = try await visit.get("/texts?locale=de&missing=1")
        #expect(page.holds("\(total) missing"))
        let action = "/texts/\(id)/de?locale=de&missing=1"
        let wrong = try await visit.fill(page, action, [("value", "Hallo {name}"), ("action", "now")])
        #expect(wrong.status == 422 && wrong.holds("the placeholder {link} is missing"))
        #expect(wrong.form(to: action).contains { $0 == ("value", "Hallo {name}") })
        let saved = try await visit.fill(wrong, action, [("value", "Hallo {name}: {link}"), ("action", "now")])
        #expect(saved.status == 303)
        let row = try await site.test.client.one(
            "select value from api_v1.text where id = \(id.uuid) and locale = 'de'")
        #expect(try row("value") == "Hallo {name}: {link}")
        let after = try await visit.get("/texts?locale=de&missing=1")
        #expect(after.holds("\(total - 1) missing") && !after.holds(action))
        let found = try await visit.get("/texts?q=invitation&section=mail&locale=de")
        #expect(found.holds("mail.invitation") && !found.holds("mail.password_reset"))
        #expect(found.holds("<summary>Filters: 1</summary>"))
        #expect(found.holds("<td data-column=\"German\" role=\"cell\">"))
        #expect(try await visit.get("/texts?q=zzzz").holds("No matching texts."))
        // An empty text takes the language out; the last one cannot go.
        let german = try await visit.get("/texts?locale=de")
        let emptied = try await visit.fill(german, "/texts/\(id)/de?locale=de", [("value", " "), ("action", "now")])
        #expect(emptied.status == 303)
        #expect(try await site.test.client.query("select from api_v1.text where id = \(id.uuid)").count == 1)
        let last = try await visit.fill(german, "/texts/\(id)/en?locale=de", [("value", ""), ("action", "now")])
        #expect(last.status == 422)
    }

    @Test("B61: navigation, home and list count the same texts: published, but not in an offered language")
    func missing() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher)
        let offered: ID<Entry> = try await site.test.client.one(
            "select id from api_v1.setting where key = 'locales.offered'")("id")
        try await site.change(offered, "value", to: "en\nde", .now)
        func expect(_ count: Int, _ comment: Comment) async throws {
            let home = try await visit.visit("/")
            #expect(home.links.contains { $0.url == "/texts" && $0.text == "Texts \(count) missing" }, comment)
            #expect(home.links.contains { $0.url.hasPrefix("/texts?") && $0.text.hasSuffix("\(count)") }, comment)
            let list = try await visit.get("/texts?locale=de&missing=1")
            #expect(list.holds("\(count) missing"), comment)
            #expect(list.main.ranges(of: "<tr id=\"value-").count == count, comment)
            let whole = try await visit.get("/texts?locale=de")
            #expect(whole.main.ranges(of: ">Missing</span>").count == count, comment)
            #expect(whole.holds("<bdi>German</bdi> <code>de</code></th>"), comment)
        }
        let total: Int = try await site.test.client.one("select count(distinct id) as n from api_v1.text")("n")
        try #require(total > 1 && total <= 99)
        try await expect(total, "no text is published in German")
        let id: ID<Entry> = try await site.test.client.one(
            "select id from api_v1.text where key = 'guest.feeds.title'")("id")
        let content = try #require(try await site.test.database.revisions.newest(of: id)?.content)
        let values = content.fields["values"]?.arrayValue ?? []
        let german: JSONValue = .object(["locale": "de", "value": "Feeds"])
        try await site.change(id, "values", to: .array(values + [german]))
        try await expect(total, "readers don't get a draft")
        try await site.change(id, "values", to: .array(values + [german]), .now)
        try await expect(total - 1, "readers get what is published")
        try await site.unpublish(id)
        try await expect(total - 1, "a text that is not published is missing in no language")
    }

    @Test("B16: a set is shown on a phone in light and dark, next to the published one, with the differences")
    func onboarding() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .editor)
        #expect(try await visit.get("/onboarding").holds("No onboarding sets yet."))
        func screens(_ words: String) -> JSONValue {
            .array(
                ["1", "2"].map {
                    .object([
                        "text": .string("\(words) \($0)"), "title": "<b>Hi</b>",
                        "image": .object(["url": "https://example.org/a.png", "alt": "A door"]),
                    ])
                })
        }
        let id = try await site.create(
            "onboarding_set",
            ["title": "Welcome", "key": "onboarding.main", "locale": "en", "screens": screens("Hello")])
        try await site.change(id, "screens", to: screens("Good day"))
        let list = try await visit.get("/onboarding")
        #expect(list.holds("onboarding.main") && list.holds("Unpublished changes"))
        let page = try await visit.get("/onboarding/\(id)?images=show")
        #expect(page.status == 200 && page.holds(#"class="phones dark""#) && page.holds(#"alt="A door""#))
        #expect(page.holds("Good day 2") && page.holds("Hello 2") && page.holds("&lt;b&gt;Hi"))
        #expect(page.holds("<ins>") && page.holds("Screen 2 of 2"))
        #expect(try await visit.get("/onboarding/\(SeedEntry.unsorted)").status == 404)
    }
}
