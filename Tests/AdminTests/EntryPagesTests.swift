// Tests the entry pages: list, create, edit, approve, publish, restore, unpublish.
import Domain
import Store
import TestSupport
import Testing

@Suite("Entry pages", .databases)
struct EntryPagesTests {
    private static let unsorted = "00000000-0000-7000-8000-000000000013"

    @Test("B2: where the type requires a change note, the form says so and keeps what was typed without one")
    func requiredNote() async throws {
        let site = try await AdminFixture.make(rules: try TestDatabase.rulesWithRequiredNote())
        let visit = try await site.browser(.publisher)
        let new = try await visit.get("/entries/new?type=article")
        #expect(new.holds("<label for=\"note\">Note <span class=\"required\">Required</span>"))
        let fields = [
            ("field.title", "Ten cafés"), ("field.body", "<p>Good</p>"), ("field.categories", Self.unsorted),
            ("action", "now"),
        ]
        let refused = try await visit.fill(new, "/entries", fields + [("note", "  ")])
        #expect(refused.status == 422 && refused.says("Note: Describe your changes."))
        #expect(refused.form(to: "/entries").contains { $0 == ("field.title", "Ten cafés") })
        #expect(try await site.rows("item", "title") == [])
        #expect(try await visit.fill(refused, "/entries", [("note", "New"), ("action", "now")]).status == 303)
        #expect(try await site.rows("item", "title") == ["Ten cafés"])
        // Videos do not.
        #expect(
            try await visit.get("/entries/new?type=video").holds(
                "<label for=\"note\">Note <span class=\"optional\">(optional)"))
    }

    @Test("A12: a form has what readers read, and beside it how it is published; each field once")
    func parts() async throws {
        let site = try await AdminFixture.make()
        let page = try await site.browser(.publisher).get("/entries/new?type=article").html
        let start = try #require(page.range(of: "<h2 id=\"publishing\">"))
        func occurs(_ name: String) -> [Bool] {
            page.ranges(of: "id=\"field-\(name)\"").map { $0.lowerBound > start.lowerBound }
        }
        for name in ["title", "summary", "body", "image"] { #expect(occurs(name) == [false], "\(name)") }
        for name in ["slug", "locale", "tier", "feeds", "categories"] {
            #expect(occurs(name) == [true], "\(name)")
        }
    }

    @Test("Saving, publishing and scheduling are beside each other; an article needs a category")
    func bar() async throws {
        let page = try await AdminFixture.make().browser(.publisher).get("/entries/new?type=article").html
        let bar = try #require(page.firstRange(of: "class=\"save-bar\""))
        for part in [">Save draft<", ">Save and publish now<", ">Schedule</summary>", "id=\"local\""] {
            #expect(
                page[bar.upperBound...].contains(part) && !page[..<bar.lowerBound].contains("id=\"local\""), "\(part)")
        }
        #expect(page.contains("Categories <span class=\"required\">Required<"))
        #expect(page.contains("Feeds <span class=\"optional\">(optional)<"))
    }

    @Test("A long form has links to its fields beside its buttons")
    func contents() async throws {
        let visit = try await AdminFixture.make().browser(.publisher)
        let article = try await visit.get("/entries/new?type=article")
        for name in ["title", "body", "categories"] {
            #expect(article.holds("<a href=\"#field-\(name)\">") && article.holds("id=\"field-\(name)\""), "\(name)")
        }
        let group = try await visit.get("/entries/new?type=category_group")
        #expect(group.status == 200 && !group.holds("Go to field"))
    }

    @Test("A12, B58: an entry is created, published, edited, restored and unpublished through the pages alone")
    func journey() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher, name: "Pat")
        let new = try await visit.get("/entries/new?type=article")
        #expect(new.status == 200 && new.holds("<h1 dir=\"auto\">New article</h1>"))
        let created = try await visit.fill(
            new, "/entries",
            [
                ("field.title", "Ten cafés"), ("field.body", "<p>Good <b>coffee</b></p><script>1</script>"),
                ("field.categories", Self.unsorted), ("action", "now"),
            ])
        #expect(created.status == 303)
        guard let id = created.entry else {
            Issue.record("the response has no entry: \(created.html)")
            return
        }
        let shown = try await visit.follow(created)
        #expect(shown.holds("Version 1 published (publication"))
        #expect(shown.holds("<span class=\"tag ok\">Published v1</span>"))
        #expect(shown.holds("<p>Good <b>coffee</b></p>") && !shown.holds("<script>1"))
        #expect(try await site.rows("item", "title") == ["Ten cafés"])

        let edit = try await visit.get("/entries/\(id)/revisions")
        let revisions = "/entries/\(id)/revisions"
        #expect(edit.form(to: revisions).contains { $0 == ("base", "1") })
        let saved = try await visit.fill(
            edit, revisions, [("field.title", "Eleven cafés"), ("note", "one more"), ("action", "draft")])
        #expect(saved.status == 303 && saved.location == "/entries/\(id)")
        let draft = try await visit.follow(saved)
        #expect(draft.holds("Version 2 saved as a draft."))
        #expect(draft.holds("Published v1") && draft.holds("Draft v2"))
        #expect(draft.says("Removed: Ten Added: Eleven cafés") || draft.holds("<del>Ten</del>"))
        #expect(try await site.rows("item", "title") == ["Ten cafés"])

        let approved = try await visit.fill(draft, "/entries/\(id)/approve", [("action", "now")])
        #expect(try await visit.follow(approved).holds("Version 2 published"))
        #expect(try await site.rows("item", "title") == ["Eleven cafés"])

        let history = try await visit.get("/entries/\(id)/history")
        #expect(history.holds("one more") && history.holds("Pat"))
        let restored = try await visit.post(
            "/entries/\(id)/restore", [("number", "1"), ("base", "2"), ("action", "now")])
        #expect(try await visit.follow(restored).holds("Version 3 published"))
        #expect(try await site.rows("item", "title") == ["Ten cafés"])

        let ask = try await visit.get("/entries/\(id)/unpublish")
        #expect(ask.status == 200 && ask.holds("<td translate=\"no\">item</td>") && ask.says("Unpublished"))
        #expect(try await site.rows("item", "title") == ["Ten cafés"])
        let unpublished = try await visit.fill(ask, "/entries/\(id)/unpublish", [("action", "now")])
        #expect(try await visit.follow(unpublished).holds("Unpublished. All versions are kept."))
        #expect(try await site.rows("item", "title") == [])
        #expect(try await site.test.database.publications.verify().isEmpty)
        let gone = try await visit.get("/entries/\(id)/unpublish")
        #expect(gone.status == 409 && gone.holds("This entry is not published."))
    }

    @Test("One form sent twice at once creates one entry; after going back, other input creates another")
    func sentTwice() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher)
        let new = try await visit.get("/entries/new?type=article")
        func form(_ title: String, _ action: String = "draft") -> [(String, String)] {
            new.form(to: "/entries").filter { !$0.0.hasPrefix("field.") } + [
                ("field.title", title), ("field.body", "<p>x</p>"), ("field.categories", Self.unsorted),
                ("action", action),
            ]
        }
        let (fields, cookies) = (form("Ten cafés"), visit.cookies)
        let urls = try await concurrently(0..<4) { _ -> String in
            let tab = site.stranger
            tab.cookies = cookies
            let created = try await tab.send("POST", "/entries", fields)
            #expect(created.status == 303, "\(created.html)")
            return created.location ?? ""
        }
        #expect(Set(urls).count == 1)
        #expect(try await count(site) == 1)
        #expect(try await visit.follow(try await visit.post("/entries", fields)).url == urls.first)
        #expect(try await count(site) == 1)
        for other in [form("Eleven cafés"), form("Ten cafés", "now")] {
            #expect(try await visit.post("/entries", other).status == 303)
        }
        #expect(try await count(site) == 3)
        // The same input in a page of its own is meant, and so is a form without the form token.
        let again = try await visit.get("/entries/new?type=article")
        let input = fields.filter { $0.0 != "once" }
        #expect(try await visit.fill(again, "/entries", input.filter { $0.0 != "csrf" }).status == 303)
        #expect(try await visit.post("/entries", input).status == 303)
        #expect(try await count(site) == 5)
    }

    private func count(_ site: AdminFixture) async throws -> Int {
        try await site.test.client.one("select count(*)::int as n from curation.entry where type = 'article'")("n")
    }

    @Test("All errors of a form are shown at once at their fields, and the input is kept")
    func errors() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher)
        let new = try await visit.get("/entries/new?type=feed")
        let refused = try await visit.fill(
            new, "/entries",
            [
                ("field.title", ""), ("field.summary", "Where to <eat>"), ("field.featured", "many"),
                ("note", String(repeating: "n", count: 501)), ("local", "2020-01-01T10:00"), ("zone", "Europe/London"),
                ("action", "at"),
            ])
        #expect(refused.status == 422 && refused.holds("<title>Error: New feed"))
        #expect(refused.holds("There is a problem"))
        for target in ["field-title", "field-tier", "field-featured", "note", "local"] {
            #expect(refused.holds("<a href=\"#\(target)\">"), "\(target)")
            #expect(refused.holds("id=\"\(target)\""), "\(target)")
        }
        #expect(refused.holds("This time has passed in Europe/London.") && refused.isTimeMarked)
        #expect(refused.holds("Where to &lt;eat&gt;</textarea>") && refused.holds("value=\"many\""))
        #expect(refused.holds("value=\"2020-01-01T10:00\"") && refused.holds("value=\"Europe/London\""))
        #expect(try await site.test.database.entries.choices(.feed).isEmpty)

        let zone = try await visit.fill(
            new, "/entries",
            [
                ("field.title", "F"), ("field.tier", "free"), ("local", "2099-01-01T10:00"), ("zone", "Mars/Base"),
                ("action", "at"),
            ])
        #expect(zone.status == 422 && zone.holds("<a href=\"#zone\">There is no time zone named Mars/Base."))
        #expect(zone.holds("aria-invalid=\"true\" aria-describedby=\"zone-error zone-hint\"") && !zone.isTimeMarked)
        #expect(zone.holds("<p class=\"error\" id=\"zone-error\">There is no time zone named Mars/Base."))
        let empty = try await visit.fill(
            new, "/entries",
            [("field.title", "F"), ("field.tier", "free"), ("local", ""), ("zone", "UTC"), ("action", "at")])
        #expect(empty.status == 422 && empty.isTimeMarked, "the fields are shown although nothing is in them")
        #expect(empty.html.contains(/<details class="schedule" open>\s*<summary class="button">Schedule</))
    }

    @Test("A note of 500 characters is accepted")
    func longestNote() async throws {
        let visit = try await AdminFixture.make().browser(.editor)
        let new = try await visit.get("/entries/new?type=feed")
        let created = try await visit.fill(
            new, "/entries",
            [
                ("field.title", "F"), ("field.tier", "free"), ("note", String(repeating: "n", count: 500)),
                ("action", "draft"),
            ])
        #expect(created.status == 303)
    }

    @Test("Saving without changes creates no version and reports it")
    func unchanged() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher)
        let id = try await site.article()
        let edit = try await visit.get("/entries/\(id)/revisions")
        let same = try await visit.fill(edit, "/entries/\(id)/revisions", [("action", "draft")])
        #expect(same.status == 422 && same.holds("Nothing changed, so no version was saved."))
        #expect(try await site.test.database.revisions.newest(of: id)?.number == 1)
    }

    @Test("References keep their order through a form that can't show it")
    func order() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher)
        var feeds: [ID<Entry>] = []
        for title in ["B", "A", "C"] {
            feeds.append(try await site.create("feed", ["title": .string(title), "tier": "free"]))
        }
        let id = try await site.article()
        try await site.change(id, "feeds", to: .array(feeds[0...1].map { .string($0.description) }))
        let edit = try await visit.get("/entries/\(id)/revisions")
        let shown = edit.form(to: "/entries/\(id)/revisions").filter { $0.0 == "field.feeds" }.map(\.1)
        #expect(shown == [feeds[1], feeds[0]].map(\.description))
        let saved = try await visit.fill(
            edit, "/entries/\(id)/revisions",
            [feeds[1], feeds[0], feeds[2]].map { ("field.feeds", $0.description) } + [("action", "draft")])
        #expect(saved.status == 303)
        let newest = try await site.test.database.revisions.newest(of: id)
        #expect(newest?.content.fields["feeds"] == .array(feeds.map { .string($0.description) }))
    }

    @Test("A8: an article without a category is refused when it is created, at its field")
    func category() async throws {
        let visit = try await AdminFixture.make().browser(.publisher)
        let new = try await visit.get("/entries/new?type=article")
        let refused = try await visit.fill(
            new, "/entries", [("field.title", "A hop"), ("field.body", "x"), ("action", "draft")])
        #expect(refused.status == 422 && refused.holds("Choose at least one category."))
        #expect(refused.holds("href=\"#field-categories\""))
    }

    @Test("S15: a curator can only suggest: no other button is shown or accepted")
    func curator() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .curator)
        let id = try await site.article()
        let list = try await visit.get("/entries")
        #expect(list.status == 200 && list.holds("/entries/new?type=article"))
        let new = try await visit.get("/entries/new?type=article")
        #expect(new.holds("Save suggestion") && !new.holds("value=\"approve\"") && !new.holds("value=\"now\""))
        let created = try await visit.fill(
            new, "/entries",
            [
                ("field.title", "A hop"), ("field.body", "x"), ("field.categories", Self.unsorted), ("action", "draft"),
            ])
        #expect(try await visit.follow(created).holds("Draft v1"))
        let refused = try await visit.fill(
            new, "/entries",
            [
                ("field.title", "A leap"), ("field.body", "x"), ("field.categories", Self.unsorted), ("action", "now"),
            ])
        #expect(refused.status == 403)
        let edit = try await visit.get("/entries/\(id)/revisions")
        #expect(edit.holds("Save suggestion"))
        #expect(!edit.holds("value=\"approve\"") && !edit.holds("value=\"now\"") && !edit.holds("value=\"at\""))
        let saved = try await visit.fill(
            edit, "/entries/\(id)/revisions", [("field.title", "A run"), ("action", "draft")])
        let shown = try await visit.follow(saved)
        #expect(shown.holds("Draft v2") && !shown.holds("/approve\"") && !shown.holds("/unpublish"))
        for action in ["approve", "now"] {
            let page = try await visit.get("/entries/\(id)/revisions")
            let forced = try await visit.fill(
                page, "/entries/\(id)/revisions", [("field.title", "A leap"), ("action", action)])
            #expect(forced.status == 403, "\(action)")
        }
        let entry = try await site.test.database.entries.find(id)
        #expect(entry?.live == 1 && entry?.newest == 2 && entry?.approved == 1)
    }

    @Test("S15: an editor approves but does not publish")
    func editor() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .editor)
        let id = try await site.article("A walk", .draft)
        let shown = try await visit.get("/entries/\(id)")
        #expect(shown.holds("value=\"approve\"") && !shown.holds("value=\"now\""))
        let approved = try await visit.fill(shown, "/entries/\(id)/approve", [("action", "approve")])
        let after = try await visit.follow(approved)
        #expect(after.holds("Version 1 approved, not published yet.") && after.holds("Approved v1"))
        #expect(!after.holds("/publication\""))
        #expect(try await visit.post("/entries/\(id)/publish", [("number", "1"), ("action", "now")]).status == 403)
        #expect(try await visit.post("/entries/\(id)/approve", [("number", "1"), ("action", "now")]).status == 403)
        #expect(try await site.rows("item", "title") == [])
    }

    private func primaries(_ page: BrowserPage) -> Int {
        let end = page.main.firstRange(of: "</main>")?.lowerBound ?? page.main.endIndex
        return page.main[..<end].matches(of: /class="(button )?primary"/).count
    }

    @Test("An entry's page has its title, one primary action and its text first; how it is published comes after it")
    func reading() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher)
        let id = try await site.article("A walk")
        try await site.edit(id, ["summary": "Along the canal.", "author": "Ann"], publishTiming: .draft)
        let draft = try await visit.visit("/entries/\(id)")
        let parts = [
            "<h1 dir=\"auto\">A walk</h1>", "Approve and publish now", "dir=\"auto\">Along the canal.</p>",
            "<p>Slowly.</p>", "Other fields", "Changes since version 1",
            "id=\"publishing\"", "Approve without publishing", "id=\"history\"",
        ]
        let places = parts.compactMap { draft.main.firstRange(of: $0)?.lowerBound }
        #expect(places.count == parts.count && places == places.sorted() && primaries(draft) == 1)
        // What is linked as a reference is no field.
        #expect(draft.says("Categories: Unsorted") && !draft.holds("<dt>Categories"))
        let published = try await visit.press("Approve and publish now", on: draft)
        #expect(published.says("Version 2 published") && primaries(published) == 1)
        #expect(published.holds("<a class=\"button primary\" href=\"/entries/\(id)/revisions\">Edit</a>"))

        let waiting = try await site.article("Another walk", .approveOnly)
        let page = try await visit.visit("/entries/\(waiting)")
        #expect(primaries(page) == 1 && page.hasButton("Publish now") && page.hasButton("Schedule"))
        let editor = try await site.browser(.editor)
        #expect(primaries(try await editor.visit("/entries/\(waiting)")) == 1)
        let suggested = try await site.article("A third walk", .draft)
        let approved = try await editor.press("Approve", on: editor.visit("/entries/\(suggested)"))
        #expect(approved.says("Version 1 approved, not published yet."))
    }

    @Test("An entry without texts lists its fields; a long list of other fields is folded")
    func fields() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher)
        let id = try await site.article("A walk", .draft)
        try await site.edit(id, ["author": "Ann"], publishTiming: .draft)
        let other = "<h2 id=\"fields\">Other fields</h2>"
        #expect(try await visit.visit("/entries/\(id)").holds(other))
        try await site.edit(id, ["media": .object(["audio": "a.mp3"])], publishTiming: .draft)
        let folded = try await visit.visit("/entries/\(id)")
        #expect(!folded.holds(other) && folded.holds("<summary>Other fields</summary>"))
        let setting: ID<Entry> = try await site.test.client.one(
            "select id from curation.entry where kind = 'setting' order by id limit 1")("id")
        let page = try await visit.visit("/entries/\(setting)")
        #expect(page.holds("<h2 id=\"fields\">Fields</h2>") && !page.holds("card reading"))
    }

    @Test("Approving an outdated version is a conflict")
    func approveStale() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .editor)
        let id = try await site.article("A walk", .draft)
        let shown = try await visit.get("/entries/\(id)")
        try await site.change(id, "title", to: "Another walk")
        let approved = try await visit.fill(shown, "/entries/\(id)/approve", [("action", "approve")])
        #expect(approved.status == 409 && approved.holds("saved version 2 meanwhile"))
        #expect(try await site.test.database.entries.find(id)?.approved == nil)
    }

    @Test("The approved version is published from its page despite a newer draft, now or at a time")
    func publish() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher)
        let id = try await site.article("A walk", .approveOnly)
        let shown = try await visit.get("/entries/\(id)")
        let past = try await visit.fill(
            shown, "/entries/\(id)/publish", [("local", "2001-01-01T00:00"), ("zone", "UTC"), ("action", "at")])
        #expect(past.status == 422 && past.holds("<a href=\"#local\">") && past.holds("value=\"2001-01-01T00:00\""))
        #expect(past.isTimeMarked)
        let planned = try await visit.fill(
            shown, "/entries/\(id)/publish",
            [("local", "2099-01-01T18:00"), ("zone", "Europe/London"), ("action", "at")])
        let after = try await visit.follow(planned)
        #expect(after.holds("approved and scheduled for") && after.holds("2099-01-01 18:00 Europe/London"))
        #expect(try await site.rows("item", "title") == [])
        // A scheduled release does not prevent publishing now.
        let now = try await visit.post("/entries/\(id)/publish", [("number", "1"), ("action", "now")])
        #expect(try await visit.follow(now).holds("Version 1 published"))
        #expect(try await site.rows("item", "title") == ["A walk"])
    }

    @Test("A third category group is neither offered nor accepted")
    func thirdGroup() async throws {
        let visit = try await AdminFixture.make().browser(.administrator)
        let list = try await visit.get("/entries")
        #expect(list.holds("/entries/new?type=category\"") && !list.holds("/entries/new?type=category_group"))
        let new = try await visit.get("/entries/new?type=category_group")
        let refused = try await visit.fill(
            new, "/entries", [("field.title", "Third"), ("field.number", "2"), ("action", "draft")])
        #expect(
            refused.status == 422 && refused.holds("Categories belong to one of two groups. You can't add a third."))
        #expect(refused.holds("value=\"Third\""))
        let group = try await visit.get("/entries/00000000-0000-7000-8000-000000000011")
        #expect(group.holds("This is one of the two") && !group.holds("/unpublish"))
        let unpublished = try await visit.post(
            "/entries/00000000-0000-7000-8000-000000000011/unpublish", [("action", "now")])
        #expect(unpublished.status == 422 && unpublished.holds("be unpublished"))
    }

    @Test("The list shows type, status and author, filters, and pages without gaps or duplicates")
    func list() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .curator)
        for number in 1...27 { _ = try await site.article("Walk \(number)", number == 1 ? .now : .draft) }
        let first = try await visit.get("/entries?type=article")
        let second = try await visit.get(next(of: first))
        let titles = [first, second].map { page in
            Set((1...27).filter { page.holds(">Walk \($0)</a>") })
        }
        #expect(titles[0].count == 25 && titles[1].count == 2 && titles[0].isDisjoint(with: titles[1]))
        #expect(!second.holds("rel=\"next\""))
        #expect(first.holds("<h1>Articles</h1>") && first.holds("<span class=\"muted\">27 articles</span>"))
        let all = try await visit.get("/entries")
        #expect(all.holds("<h1>Entries</h1>"))
        #expect(all.html.contains(/<span class="muted">(27|29) entries</), "with those of packs")
        #expect(!first.main.contains("<p>Article</p>") && all.main.contains("<p>Article</p>"))
        let live = try await visit.get("/entries?type=article&state=live")
        #expect(live.holds(">Walk 1</a>") && !live.holds(">Walk 2</a>") && live.holds("Published v1"))
        #expect(first.holds("<summary>Filters</summary>") && live.holds("<summary>Filters: 1</summary>"))
        #expect(live.holds("<span class=\"muted\">1 article</span>"))
        let found = try await visit.get("/entries?q=walk+7")
        #expect(found.holds(">Walk 7</a>") && !found.holds(">Walk 8</a>"))
        #expect(found.holds("<summary>Filters</summary>"), "the search text is not folded")
        #expect(try await visit.get("/entries?q=zebra").holds("No matching entries."))
        #expect(try await visit.get("/entries?cursor=nonsense").status == 422)
    }

    @Test("A row of the list shows how the newest version begins: its summary, or its text without markup")
    func excerpts() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .curator)
        let (written, summed) = (try await site.article("Written"), try await site.article("Summed"))
        try await site.change(written, "body", to: "<p>Along <b>the</b> canal.</p>")
        try await site.change(summed, "summary", to: "Across the bridge.")
        let list = try await visit.get("/entries")
        for text in ["Along the canal.", "Across the bridge."] {
            #expect(list.holds("<p class=\"excerpt\" dir=\"auto\">\(text)</p>"), "\(text)")
        }
    }

    @Test(
        "The list leaves out what has pages of its own, unless it is included or its type is chosen; one link creates")
    func ownPages() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher)
        let article = try await site.article("A walk")
        let others = [try await site.feed("City guides"), try await site.category("Walks by the sea")]
        let list = try await visit.visit("/entries")
        let listed = PageReader(String(list.main)).links.filter { $0.url.hasPrefix("/entries/0") }
        #expect(listed.contains { $0.url == "/entries/\(article)" })
        for other in others { #expect(!listed.contains { $0.url == "/entries/\(other)" }) }
        var all = try list.form("Filter")
        try all.tick("all", "1")
        let included = try await visit.press("Filter", in: all)
        for title in ["A walk", "City guides", "Walks by the sea", "Free trial (days)"] {
            // The seeded settings are older, so they are on a later page.
            var (page, isFound) = (included, included.main.contains(">\(title)</a>"))
            while !isFound, let next = page.links.first(where: { $0.text == "Older" })?.url {
                #expect(next.contains("all=1"))
                page = try await visit.visit(next)
                isFound = page.main.contains(">\(title)</a>")
            }
            #expect(isFound, "\(title)")
        }
        let feeds = try await visit.visit("/entries?type=feed")
        #expect(feeds.main.contains(">City guides</a>") && !feeds.main.contains(">A walk</a>"))

        // What the bulk bar selects is what is listed.
        let plan = try await visit.press("Unpublish…", on: list, ticking: ["all": "1"])
        #expect(plan.says("A walk") && !plan.says("City guides"))

        let links = PageReader(String(list.main)).links.filter { $0.url.hasPrefix("/entries/new") }
        #expect(links.map(\.url) == ["/entries/new"] && links.map(\.text) == ["Create entry"])
        let articles = try await visit.visit("/entries?type=article")
        #expect(
            PageReader(String(articles.main)).links.contains {
                $0.url == "/entries/new?type=article" && $0.text == "Create article"
            })
        let groups = try await visit.visit("/entries?type=category_group")
        #expect(PageReader(String(groups.main)).links.contains { $0.url == "/entries/new" })
    }

    private func next(of page: BrowserPage) -> String {
        guard let end = page.html.firstRange(of: "\" rel=\"next\""),
            let start = page.html[..<end.lowerBound].ranges(of: "href=\"").last
        else { return "/nowhere" }
        return String(page.html[start.upperBound..<end.lowerBound]).replacing("&amp;", with: "&")
    }

    @Test("S2: markup in titles, notes and names is shown as text")
    func escaping() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher, name: "<img src=x onerror=alert(1)>")
        let evil = "</textarea><script>alert(1)</script>\"onmouseover=\"x"
        let (feed, category) = try await site.feedAndCategory()
        let id = try await site.article(evil)
        try await site.change(id, "summary", to: .string(evil))
        try await site.change(feed, "title", to: .string(evil), .now)
        try await site.change(category, "title", to: .string(evil), .now)
        let pages = [
            "/entries", "/entries/\(id)", "/entries/\(id)/revisions", "/entries/\(id)/history", "/feeds", "/categories",
            "/entries/\(id)/history/1/2", "/entries/\(id)/unpublish", "/publications", "/publications/plan",
            "/schedule",
        ]
        for path in pages {
            let page = try await visit.get(path)
            #expect(page.status == 200, "\(path)")
            #expect(!page.holds("<script>alert") && !page.holds("<img src=x"), "\(path)")
            // No quote in a title ends an attribute.
            let tags = page.html.split(separator: "<").map { $0.prefix { $0 != ">" } }
            #expect(!tags.contains { $0.contains("\"onmouseover") }, "\(path)")
        }
        #expect(try await visit.get("/entries/\(id)").holds("&lt;script&gt;alert(1)&lt;/script&gt;"))
    }

    @Test("S15: invalid and unknown ids are not found", arguments: ["", "/history", "/revisions"])
    func missing(page: String) async throws {
        let visit = try await AdminFixture.make().browser(.administrator)
        #expect(try await visit.get("/entries/1\(page)").status == 404)
        #expect(try await visit.get("/entries/00000000-0000-7000-8000-00000000ffff\(page)").status == 404)
    }
}
