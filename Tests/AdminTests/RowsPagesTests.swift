// Tests lists of rows in forms: added, removed and moved without a script, keeping all input.
import Domain
import HTTP
import Store
import TestSupport
import Testing

@testable import Admin

@Suite("Form rows", .databases)
struct RowsPagesTests {
    /// Fills in the first input of each name and keeps the order of all.
    private func typed(_ page: BrowserPage, _ action: String, _ input: [String: String]) -> [(String, String)] {
        var left = input
        return page.form(to: action).map { ($0.0, left.removeValue(forKey: $0.0) ?? $0.1) }
    }

    private func texts(_ page: BrowserPage, _ action: String) -> [String] {
        let form = page.form(to: action)
        return form.filter { $0.0 == "field.screens" }.map { key in
            form.first { $0.0 == "field.screens.\(key.1).text" }?.1 ?? "-"
        }
    }

    private func screens(_ texts: [String]) -> JSONValue {
        .array(texts.map { .object(["text": .string($0), "image": .string("https://example.org/\($0).png")]) })
    }

    @Test("Rows of translations name their language, in forms and among the differences of versions")
    func languages() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .editor)
        func names(_ locale: String, _ name: String) -> JSONValue {
            .array([.object(["locale": .string(locale), "name": .string(name)])])
        }
        let id = try await site.publish("category", "Coffee", ["names": names("de", "Kaffee")])
        let form = try await visit.get(AdminURL.entryRevisions(id))
        #expect(form.holds("<span data-heading>Language 1</span> <span class=\"muted\" dir=\"auto\">German</span>"))
        #expect(try await visit.get("/categories").says("Translations: Kaffee (German)"))
        try await site.edit(id, ["names": names("fr", "Café")])
        let changes = try await visit.get(AdminURL.entryComparison(id, 1, 2))
        #expect(changes.says("Language 1 · French") && changes.holds("<ins>French</ins>"))
        #expect(changes.holds("<del>German</del>"))
    }

    @Test("R21: rows are added, moved and removed without saving, keep all input, and are saved together")
    func action() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .editor)
        let fresh = try await visit.get("/entries/new?type=onboarding_set")
        #expect(texts(fresh, "/entries") == [""], "a required list starts with an empty row")
        let form = typed(
            fresh, "/entries",
            [
                "field.title": "  Wel<come ", "field.key": "onboarding.main", "field.screens.0.text": "one",
                "field.screens.0.image": "nowhere",
            ])
        let two = try await visit.post("/entries", form + [("rows", "screens add")])
        #expect(two.status == 200 && texts(two, "/entries") == ["one", ""])
        #expect(two.form(to: "/entries").contains { $0 == ("field.title", "  Wel<come ") })
        #expect(two.form(to: "/entries").contains { $0 == ("field.screens.0.image", "nowhere") })
        #expect(two.holds(#"id="field-screens-1" tabindex="-1" autofocus"#), "the new row gets the focus")
        let moved = try await visit.post(
            "/entries", typed(two, "/entries", ["field.screens.1.text": "two"]) + [("rows", "screens up 1")])
        #expect(texts(moved, "/entries") == ["two", "one"])
        let back = try await visit.post("/entries", moved.form(to: "/entries") + [("rows", "screens down 0")])
        #expect(texts(back, "/entries") == ["one", "two"])
        let first = try await visit.post("/entries", back.form(to: "/entries") + [("rows", "screens remove 0")])
        #expect(texts(first, "/entries") == ["two"])
        // Invalid actions change nothing.
        for action in ["screens up 0", "screens down 0", "screens remove 7", "screens up x"] {
            let same = try await visit.post("/entries", first.form(to: "/entries") + [("rows", action)])
            #expect(same.status == 200 && texts(same, "/entries") == ["two"], "\(action)")
        }
        #expect(
            try await site.test.database.entries.page(EntryFilter(), cursor: nil, limit: 9).items.allSatisfy {
                $0.type != "onboarding_set"
            })

        let saved = try await visit.post(
            "/entries",
            typed(
                first, "/entries",
                ["field.screens.0.image": "https://example.org/a.png", "field.min_screens": "1"]) + [
                    ("action", "draft")
                ]
        )
        let id = try #require(saved.entry)
        let newest = try await site.test.database.revisions.newest(of: id)
        #expect(
            newest?.content.fields["screens"]
                == .array([
                    .object(["text": "two", "image": .object(["url": "https://example.org/a.png"])])
                ]))
        let shown = try await visit.get("/entries/\(id)?images=show")
        #expect(shown.holds("two") && shown.holds(#"src="https://example.org/a.png""#))
    }

    @Test("Errors of a row are shown at its fields, and empty rows are dropped")
    func wrong() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .editor)
        var page = try await visit.get("/entries/new?type=onboarding_set")
        for _ in 0..<2 {
            page = try await visit.post("/entries", page.form(to: "/entries") + [("rows", "screens add")])
        }
        let form = typed(
            page, "/entries",
            [
                "field.title": "T", "field.key": "onboarding.main", "field.screens.0.text": "one",
                "field.screens.0.image": "https://example.org/a.png",
                "field.screens.2.text": "three",
            ])
        let refused = try await visit.post("/entries", form + [("action", "draft")])
        #expect(refused.status == 422 && texts(refused, "/entries") == ["one", "", "three"])
        #expect(refused.holds("Screen 3, Image is required."))
        #expect(
            refused.holds(##"href="#field-screens-2-image""##)
                && refused.holds(#"id="field-screens-2-image-error""#))
        let saved = try await visit.post(
            "/entries",
            typed(refused, "/entries", ["field.screens.2.image": "https://example.org/c.png"]) + [("action", "draft")])
        let id = try #require(saved.entry)
        let newest = try #require(try await site.test.database.revisions.newest(of: id))
        #expect(newest.content.fields["screens"]?.arrayValue?.map { $0["text"] } == ["one", "three"])
    }

    @Test("R21: in a conflict, rows are moved and resolved like any field")
    func stale() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .editor)
        let id = try await site.create(
            "onboarding_set", ["title": "T", "key": "onboarding.main", "screens": screens(["a", "b"])], .draft)
        let path = "/entries/\(id)/revisions"
        let form = try await visit.get(path)
        try await site.change(id, "screens", to: screens(["a", "b", "c"]))
        // A row button on an outdated version is a conflict like any edit.
        let stale = try await visit.post(
            path, typed(form, path, ["field.screens.1.text": "mine"]) + [("rows", "screens up 1")])
        #expect(stale.status == 409 && texts(stale, path) == ["mine", "a"])
        #expect(stale.holds("both changed it") && stale.holds("<ins>c</ins>"))
        let moved = try await visit.post(path, stale.form(to: path) + [("rows", "screens down 0")])
        #expect(moved.status == 200 && texts(moved, path) == ["a", "mine"] && moved.holds("Changed by"))
        let theirs = try await visit.post(path, moved.form(to: path) + [("resolve", "theirs.screens")])
        #expect(texts(theirs, path) == ["a", "b", "c"])
        let mine = try await visit.post(path, theirs.form(to: path) + [("resolve", "mine.screens")])
        #expect(texts(mine, path) == ["mine", "a"])
        #expect(try await visit.post(path, mine.form(to: path) + [("action", "draft")]).status == 303)
        let newest = try await site.test.database.revisions.newest(of: id)
        #expect(newest?.content.fields["screens"]?.arrayValue?.map { $0["text"] } == ["mine", "a"])
        let history = try await visit.get("/entries/\(id)/history/2/3")
        #expect(history.holds("<del>") && history.holds("Screens"))
    }

    @Test("The maximum number of rows is shown without an add button")
    func maximum() throws {
        let field = """
            {"name":"x","label":"X","help":"h","type":"rows","max_count":2,
             "fields":[{"name":"t","label":"T","help":"h","type":"text","default":"d"},
                       {"name":"yes","label":"Y","help":"h","type":"boolean"}]}
            """
        let title = #"{"name":"title","label":"T","help":"h","type":"text","required":true}"#
        let file =
            #"{"name":"a","label":"A","plural":"A","help":"h","kind":"other","title_field":"title","fields":[\#(title),\#(field)]}"#
        let type = try #require(
            try ContentTypes(files: [("a.json", Array(file.utf8))], kinds: ContentType.Kind.core)["a"])
        var form = FormFields([FormFields.Field(name: "rows", value: "x add")])
        for count in [1, 2, 2] {
            form = try #require(RowEdit(form, type)).applied(to: form).form
            #expect(FormValues(form).rows(at: FieldInput(of: type.fields[1])).count == count)
        }
        #expect(FieldForm.values(type, from: form)["x"] == .array([.null, .null]), "a row of defaults is empty")
        #expect(FieldForm(type, typed: form, errors: FieldErrors()).controls[1].rows?.isFull == true)
        form.append("field.x.1.yes", "true")
        #expect(
            FieldForm.values(type, from: form)["x"]
                == .array([.null, .object(["t": "d", "yes": .bool(true)])]))
    }
}
