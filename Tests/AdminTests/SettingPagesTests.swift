// Tests the page of settings: a form for each group that is saved as a whole, errors, drafts, conflicts, search.
import Domain
import Store
import TestSupport
import Testing

@Suite("Settings page", .databases)
struct SettingPagesTests {
    private func setting(_ site: AdminFixture, _ key: String) async throws -> (id: ID<Entry>, value: String) {
        let row = try await site.test.client.one(
            "select id, value::text as value from api_v1.setting where key = \(key)")
        return (try row("id"), try row("value"))
    }

    /// The form of the group with this setting.
    private func form(_ page: BrowserPage, _ id: ID<Entry>) throws -> PageForm {
        try #require(page.forms.first { $0.action == "/settings" && $0.value("was.\(id)") != nil })
    }

    /// Types values into the form of a group and presses a button of it.
    private func send(
        _ visit: Browser, _ page: BrowserPage, _ values: [(ID<Entry>, String)], _ action: String = "now"
    ) async throws -> BrowserPage {
        let typed = values.map { ("value.\($0.0)", $0.1) }
        let kept = try form(page, values[0].0).fields(pressing: nil).filter { old in
            !typed.contains { $0.0 == old.0 }
        }
        return try await visit.post("/settings", kept + typed + [("action", action)])
    }

    @Test("A43, B20: a setting is changed in its group and live at once; a draft waits; a wrong value is shown again")
    func save() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher)
        let (id, _) = try await setting(site, "premium.trial_days")
        let page = try await visit.get("/settings")
        #expect(page.status == 200 && page.holds("Free trial (days)") && page.holds("At least 0, at most 365."))
        let saved = try await send(visit, page, [(id, "14")])
        #expect(saved.status == 303 && saved.location == "/settings#value-\(id)")
        #expect(try await visit.follow(saved).holds("Setting published (publication"))
        #expect(try await setting(site, "premium.trial_days").value == "14")

        let draft = try await send(visit, try await visit.get("/settings"), [(id, "30")], "draft")
        #expect(try await visit.follow(draft).holds("Setting changed; saved as a draft."))
        #expect(try await setting(site, "premium.trial_days").value == "14")
        let waiting = try await visit.get("/settings")
        #expect(waiting.holds("Unpublished changes"))

        for wrong in ["366", "seven", ""] {
            let refused = try await send(visit, waiting, [(id, wrong)])
            #expect(refused.status == 422 && refused.links.contains { $0.url == "#\(id)" }, "\(wrong)")
            #expect(refused.holds("id=\"\(id)-error\"") && refused.says("Free trial (days): "), "\(wrong)")
            #expect(try form(refused, id).value("value.\(id)") == wrong)
        }
        let curator = try await site.browser(.curator)
        let theirs = try await curator.get("/settings")
        #expect(!theirs.holds("Save and publish"))
        #expect(try await send(curator, theirs, [(id, "31")]).status == 303)
        #expect(try await setting(site, "premium.trial_days").value == "14", "a curator only suggests")
    }

    @Test("A group is saved as a whole: one publication for all, nothing if one value is invalid, typed text stays")
    func group() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher)
        let days = try await setting(site, "premium.trial_days").id
        let products = try await setting(site, "premium.product_ids").id
        let page = try await visit.get("/settings")
        #expect(try form(page, days).value("was.\(products)") != nil)
        let refused = try await send(visit, page, [(days, "366"), (products, "premium.weekly\r\npremium.daily")])
        #expect(refused.status == 422)
        #expect(refused.holds("id=\"\(days)-error\"") && !refused.holds("id=\"\(products)-error\""))
        let kept = try form(refused, products)
        #expect(kept.value("value.\(days)") == "366" && kept.value("was.\(days)") == "7")
        #expect(kept.value("value.\(products)") == "premium.weekly\npremium.daily")
        for id in [days, products] {
            #expect(try await site.test.database.revisions.newest(of: id)?.number == 1, "nothing is written")
        }

        let before: Int64 = try await site.test.superuser().one("select count(*) as n from curation.publication")("n")
        let saved = try await send(visit, refused, [(days, "21")])
        #expect(try await visit.follow(saved).holds("2 settings published (publication"))
        let after: Int64 = try await site.test.superuser().one("select count(*) as n from curation.publication")("n")
        #expect(after == before + 1)
        #expect(try await setting(site, "premium.trial_days").value == "21")
        for id in [days, products] {
            let events = try await site.test.database.auditTrail.about("entry", id.description)
            #expect(events.first?.action == "entry.update")
        }
        let unchanged = try await send(visit, try await visit.get("/settings"), [(days, "21")])
        #expect(unchanged.status == 422 && unchanged.says("Nothing changed."))
    }

    @Test("Publishing a group also publishes its drafts, whose values it shows; unpublished settings stay so")
    func drafts() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher)
        let days = try await setting(site, "premium.trial_days").id
        let products = try await setting(site, "premium.product_ids").id
        let hint = "Publishing includes the unpublished changes of this group."
        #expect(!(try await visit.get("/settings").says(hint)))
        try await site.change(products, "value", to: "premium.weekly")
        let secret = try await site.publish(
            "setting", "Secret",
            ["key": "premium.secret", "section": "Premium", "kind": "text", "value": "no"], publishTiming: .draft)
        let page = try await visit.get("/settings")
        #expect(page.says(hint) && page.holds("premium.weekly"))
        let saved = try await send(visit, page, [(days, "21")])
        #expect(try await visit.follow(saved).holds("2 settings published (publication"))
        let entries = site.test.database.entries
        #expect(try await entries.find(products)?.live == 2)
        #expect(try await entries.find(secret)?.live == nil)
        // Its value is changed on purpose.
        let shown = try await send(visit, try await visit.get("/settings"), [(secret, "yes")])
        #expect(shown.status == 303)
        #expect(try await entries.find(secret)?.live == 2)
    }

    @Test("R21: a stale edit of a setting shows both versions; saving again replaces the other one")
    func stale() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher)
        let (id, _) = try await setting(site, "premium.trial_days")
        let page = try await visit.get("/settings")
        try await site.change(id, "value", to: "14", .now)
        let late = try await send(visit, page, [(id, "9")])
        #expect(late.status == 409 && late.holds("Changed by"))
        #expect(try await setting(site, "premium.trial_days").value == "14")
        let saved = try await visit.fill(late, "/settings", [])
        #expect(saved.status == 303)
        #expect(try await setting(site, "premium.trial_days").value == "9")
        // Another field that was changed meanwhile stays.
        let fresh = try await visit.get("/settings")
        try await site.change(id, "help", to: "Mind the gap.", .now)
        #expect(try await send(visit, fresh, [(id, "8")]).status == 303)
        let newest = try await site.test.database.revisions.newest(of: id)
        #expect(newest?.content.fields["help"] == "Mind the gap." && newest?.content.fields["value"] == "8")
    }

    @Test("R21: beside a stale setting, the other edits of its group are saved whichever side is chosen")
    func staleAmongOthers() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher)
        let days = try await setting(site, "premium.trial_days").id
        let products = try await setting(site, "premium.product_ids").id
        let page = try await visit.get("/settings")
        // An empty list is a value that can be chosen.
        try await site.change(products, "value", to: "", .now)
        let late = try await send(visit, page, [(days, "9"), (products, "premium.weekly")])
        #expect(late.status == 409 && late.hasButton("Save selected"))
        let theirs = try await visit.fill(late, "/settings", [("value.\(products)", "")])
        #expect(theirs.status == 303)
        #expect(try await setting(site, "premium.trial_days").value == "9")
        let newest = try await site.test.database.revisions.newest(of: products)
        #expect(newest?.number == 2 && newest?.content.fields["value"]?.stringValue ?? "" == "")
        // Who changed only the other one isn't asked.
        let old = try await visit.get("/settings")
        try await site.change(products, "value", to: "premium.daily", .now)
        #expect(try await send(visit, old, [(days, "10")]).status == 303)
        #expect(try await site.test.database.revisions.newest(of: products)?.number == 3)
    }

    @Test("Settings are found by the words of their groups, titles, keys and help; a group is shown whole")
    func search() async throws {
        let visit = try await AdminFixture.make().browser(.publisher)
        let all = try await visit.get("/settings")
        #expect(all.holds("<code>premium.trial_days</code>") && all.holds("<code>locales.offered</code>"))
        // The list of the groups leads to each.
        let groups = all.links.filter { $0.url.hasPrefix("#group-") }
        #expect(groups.map(\.text).contains("Premium") && groups.count > 3)
        #expect(groups.allSatisfy { all.holds("id=\"\($0.url.dropFirst())\"") })
        let found = try await visit.get("/settings?q=PREMIUM+trial")
        #expect(found.holds("<code>premium.trial_days</code>") && found.holds("<code>premium.product_ids</code>"))
        #expect(!found.holds("<code>locales.offered</code>"))
        #expect(try await visit.get("/settings?q=premium+nothing").says("No matching settings."))
    }

    @Test("S15: the form changes settings only, and nobody without them in the access scope")
    func others() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher)
        let article = try await site.article("A walk")
        for id in ["\(article)", "0197c2e4-0000-7000-8000-00000000ffff"] {
            let fields = [("was.\(id)", ""), ("value.\(id)", "x"), ("action", "now")]
            #expect(try await visit.post("/settings", fields).status == 404, "\(id)")
        }
        #expect(try await site.test.database.revisions.newest(of: article)?.number == 1)
        for fields in [[("action", "now")], [("value.x", "1"), ("was.x", "2"), ("action", "now")]] {
            #expect(try await visit.post("/settings", fields).status == 422)
        }
    }
}
