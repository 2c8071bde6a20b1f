// Tests the pages of texts, settings and onboarding: editing in place, conflicts, untranslated texts.
import Domain
import Store
import TestSupport
import Testing

@Suite("Texts, settings and onboarding pages", .databases)
struct TextPagesTests {
    private func setting(_ site: AdminFixture, _ key: String) async throws -> (id: ID<Entry>, value: String) {
        let row = try await site.test.client.one(
            "select id, value::text as value from api_v1.setting where key = \(key)")
        return (try row("id"), try row("value"))
    }

    @Test(
        "A43, B20: a setting is changed where it stands and live at once; a draft waits; a wrong value is shown again")
    func settings() async throws {
        let site = try await AdminFixture.make()
        let visit = try await site.browser(.publisher)
        let (id, _) = try await setting(site, "premium.trial_days")
        let page = try await visit.get("/settings")
        #expect(page.status == 200 && page.holds("Free trial (days)") && page.holds("At least 0, at most 365."))
        let saved = try await visit.fill(page, "/settings/\(id)", [("value", "14"), ("action", "now")])
        #expect(saved.status == 303)
        #expect(try await setting(site, "premium.trial_days").value == "14")

        let again = try await visit.get("/settings")
        let draft = try await visit.fill(again, "/settings/\(id)", [("value", "30"), ("action", "draft")])
        #expect(draft.status == 303)
        #expect(try await setting(site, "premium.trial_days").value == "14")
        let waiting = try await visit.get("/settings")
        #expect(waiting.holds("Unpublished changes"))

        for wrong in ["366", "seven", ""] {
            let refused = try await visit.fill(waiting, "/settings/\(id)", [("value", wrong), ("action", "now")])
            #expect(refused.status == 422 && refused.holds("Nothing was saved"), "\(wrong)")
            #expect(refused.form(to: "/settings/\(id)").contains { $0 == ("value", wrong) })
        }
        let curator = try await site.browser(.curator)
        let theirs = try await curator.get("/settings")
        #expect(!theirs.holds("Save and publish"))
        _ = try await curator.fill(theirs, "/settings/\(id)", [("value", "31"), ("action", "now")])
        #expect(try await setting(site, "premium.trial_days").value == "14", "a curator only suggests")
    }

    @Test("Settings are found by the words of their titles, keys and help")
    func search() async throws {
        let site = try await AdminFixture.make()
        let visit = try await site.browser(.publisher)
        let all = try await visit.get("/settings")
        #expect(all.holds("<code>premium.trial_days</code>") && all.holds("<code>locales.offered</code>"))
        let found = try await visit.get("/settings?q=PREMIUM+trial")
        #expect(found.holds("<code>premium.trial_days</code>") && !found.holds("<code>locales.offered</code>"))
        #expect(try await visit.get("/settings?q=premium+nothing").says("No matching settings."))
    }

    @Test("R21: a stale edit of a setting or text shows both versions; saving again replaces the other one")
    func stale() async throws {
        let site = try await AdminFixture.make()
        let visit = try await site.browser(.publisher)
        let (id, _) = try await setting(site, "premium.trial_days")
        let page = try await visit.get("/settings")
        try await site.change(id, "value", to: "14", .now)
        let late = try await visit.fill(page, "/settings/\(id)", [("value", "9"), ("action", "now")])
        #expect(late.status == 409 && late.holds("Changed by"))
        #expect(try await setting(site, "premium.trial_days").value == "14")
        let saved = try await visit.fill(late, "/settings/\(id)", [])
        #expect(saved.status == 303)
        #expect(try await setting(site, "premium.trial_days").value == "9")
        // Another field that was changed meanwhile stays.
        let fresh = try await visit.get("/settings")
        try await site.change(id, "help", to: "Mind the gap.", .now)
        #expect(try await visit.fill(fresh, "/settings/\(id)", [("value", "8"), ("action", "now")]).status == 303)
        let newest = try await site.test.database.revisions.newest(of: id)
        #expect(newest?.content.fields["help"] == "Mind the gap." && newest?.content.fields["value"] == "8")
    }

    @Test(
        "B59, B61: texts are shown in two languages; untranslated ones are counted, found and translated in place"
    )
    func texts() async throws {
        let site = try await AdminFixture.make()
        let visit = try await site.browser(.publisher)
        let (offered, _) = try await setting(site, "locales.offered")
        try await site.change(offered, "value", to: "en\nde", .now)
        let id: ID<Entry> = try await site.test.client.one("select id from api_v1.text where key = 'mail.invitation'")(
            "id")
        let total: Int = try await site.test.client.one("select count(*) as n from curation.entry where type = 'text'")(
            "n")
        let page = try await visit.get("/texts?locale=de&missing=1")
        #expect(page.holds("\(total) untranslated"))
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
        #expect(after.holds("\(total - 1) untranslated") && !after.holds(action))
        let found = try await visit.get("/texts?q=invitation&section=mail&locale=de")
        #expect(found.holds("mail.invitation") && !found.holds("mail.password_reset"))
        #expect(try await visit.get("/texts?q=zzzz").holds("No matching texts."))
        // An empty text takes the language out; the last one cannot go.
        let german = try await visit.get("/texts?locale=de")
        let emptied = try await visit.fill(german, "/texts/\(id)/de?locale=de", [("value", " "), ("action", "now")])
        #expect(emptied.status == 303)
        #expect(try await site.test.client.query("select from api_v1.text where id = \(id.uuid)").count == 1)
        let last = try await visit.fill(german, "/texts/\(id)/en?locale=de", [("value", ""), ("action", "now")])
        #expect(last.status == 422)
    }

    @Test("B16: a set is shown on a phone in light and dark, next to the published one, with the differences")
    func onboarding() async throws {
        let site = try await AdminFixture.make()
        let visit = try await site.browser(.editor)
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
