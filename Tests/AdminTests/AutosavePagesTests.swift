// Tests that what is typed into a form survives: saved while typing, shown again, compared with newer versions, kept when the
// session ends.
import Domain
import Operations
import Platform
import Store
import TestSupport
import Testing

@testable import Admin

@Suite("Text that is not saved", .databases)
struct AutosavePagesTests {
    private let new = "/entries/new?type=article"

    private func typed(_ fields: [(String, String)]) -> String {
        JSONValue.array(fields.map { .array([.string($0.0), .string($0.1)]) }).canonicalText
    }

    /// What the page's script sends.
    private func autosave(
        _ browser: Browser, _ form: String, _ fields: [(String, String)], tab: String = "one", from: String = "",
        _ sequence: Int = 1, title: String = "New article"
    ) async throws -> BrowserPage {
        try await browser.post(
            "/autosaves",
            [
                ("form", form), ("title", title), ("tab", tab), ("from", from), ("sequence", String(sequence)),
                ("fields", typed(fields)),
            ])
    }

    private func value(_ name: String, _ page: BrowserPage, id: String = "edit") -> String? {
        page.form(id: id).first { $0.0 == name }?.1
    }

    @Test("A new entry is shown again with what was typed; saving it removes the text, discarding too")
    func create() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .editor)
        let empty = try await visit.get(new)
        #expect(empty.holds("data-autosave=") && !empty.says("Restored your unsaved text"))
        #expect(!(try await visit.get("/queue").holds("data-autosave")), "only pages with such a form load the script")
        let saved = try await autosave(visit, new, [("field.title", "A <walk>"), ("note", "Later")])
        #expect(saved.status == 200 && saved.holds("saved_at"))

        let list = try await visit.get("/autosaves")
        #expect(list.says("A <walk>") && list.says("New article"))
        #expect(try await visit.get("/queue").says("Unfinished: 1"))
        let restored = try await visit.visit(list.link("New article"))
        #expect(restored.status == 200 && restored.says("Restored your unsaved text"))
        #expect(value("field.title", restored) == "A <walk>" && value("note", restored) == "Later")
        #expect(value("autosave.from", restored) == "one")

        let stranger = try await site.browser(.editor, name: "Bob")
        #expect(value("field.title", try await stranger.get(new)) == "", "somebody else's form is empty")
        #expect(try await stranger.get("/autosaves").says("No unsaved text."))
        _ = try await stranger.post("/autosaves/delete", [("form", new)])
        #expect(try await stranger.get("/queue").says("Unfinished") == false)
        #expect(value("field.title", try await visit.get(new)) == "A <walk>")

        // An error keeps the text; success removes it.
        let wrong = try await visit.fill(restored, "/entries", [("field.title", ""), ("action", "draft")])
        #expect(wrong.status == 422 && wrong.holds("data-typed"))
        #expect(try await visit.get("/queue").says("Unfinished: 1"))
        let made = try await visit.fill(
            restored, "/entries",
            [
                ("field.title", "A walk"), ("field.body", "<p>Long.</p>"),
                ("field.categories", SeedEntry.unsorted.description),
                ("action", "draft"),
            ])
        #expect(made.status == 303, "\(made.text.prefix(500))")
        #expect(try await visit.get("/autosaves").says("No unsaved text."))
        #expect(value("field.title", try await visit.get(new)) == "")

        _ = try await autosave(visit, new, [("field.title", "Another")], 2)
        let again = try await visit.get(new)
        let discarded = try await visit.press("Discard unsaved text", on: again)
        #expect(discarded.url == new && value("field.title", discarded) == "")
        #expect(try await visit.get("/autosaves").says("No unsaved text."))
    }

    @Test("A new version is shown again; if somebody saved another version meanwhile, both are compared")
    func edit() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .editor)
        let id = try await site.article("A walk")
        let form = "/entries/\(id)/revisions"
        let open = try await visit.get(form)
        var fields = open.form(id: "edit").filter { !$0.0.hasPrefix("autosave") && $0.0 != "csrf" }
        fields.removeAll { $0.0 == "field.title" }
        fields.append(("field.title", "My walk"))
        #expect(try await autosave(visit, form, fields).status == 200)
        let restored = try await visit.get(form)
        #expect(restored.status == 200 && value("field.title", restored) == "My walk" && !restored.says("Changed by"))

        try await site.change(id, "title", to: "Their walk")
        let compared = try await visit.get(form)
        #expect(compared.status == 200 && compared.says("Changed by") && compared.says("Their walk"))
        #expect(value("field.title", compared) == "My walk" && value("base", compared) == "2")
        let saved = try await visit.fill(compared, form, [("action", "draft")])
        #expect(saved.status == 303)
        let newest = try await site.test.database.revisions.newest(of: id)
        #expect(newest?.number == 3 && newest?.content.fields["title"] == "My walk")
        #expect(try await visit.get("/autosaves").says("No unsaved text."))
    }

    @Test("Decisions and notes of a submission are shown again, each in its form; a decision settles the others")
    func review() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .editor)
        let id = try await site.submit("Ten cafés")
        let page = "/queue/\(id)"
        _ = try await autosave(
            visit, page + "#reject", [("version", "0"), ("reason", "off_topic"), ("message", "Half a reason")])
        _ = try await autosave(visit, page + "#request_changes", [("version", "0"), ("message", "Half a wish")])
        _ = try await autosave(visit, page + "#note", [("text", "Half a note")])
        let shown = try await visit.get(page)
        for text in ["Half a reason", "Half a wish", "Half a note"] {
            #expect(shown.says(text) || shown.holds(text), "\(text)")
        }
        #expect(shown.forms.contains { $0.value("message") == "Half a reason" && $0.value("reason") == "off_topic" })
        #expect(try await visit.get("/queue").says("Unfinished: 3"))
        let other = try await site.browser(.editor, name: "Bob").get(page)
        #expect(!other.holds("Half a"))
        let decided = try await visit.press("Reject", in: try #require(shown.forms.first { $0.value("reason") != nil }))
        #expect(decided.status == 200)
        let left = try await visit.get("/autosaves")
        #expect(left.says("Half a note") && !left.says("Half a reason") && !left.says("Half a wish"))
    }

    @Test("Screening rules are shown again")
    func screening() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher)
        _ = try await autosave(visit, "/screening", [("terms", "buy now = 41"), ("note", "More terms")])
        let shown = try await visit.get("/screening")
        #expect(shown.says("Restored your unsaved text") && shown.holds("buy now = 41") && shown.holds("More terms"))
        #expect(try await visit.press("Discard unsaved text", on: shown).holds("buy now = 41") == false)
        #expect(try await site.browser(.curator).get("/screening").status == 200)
    }

    @Test("Another tab's text is not replaced, late requests change nothing, bounds are refused")
    func requests() async throws {
        let visit = try await AdminFixture.make().browser(.curator)
        #expect(try await autosave(visit, new, [("field.title", "one")]).status == 200)
        let other = try await autosave(visit, new, [("field.title", "two")], tab: "two", 9)
        #expect(other.status == 409 && other.holds("\"tab\":\"one\""))
        #expect(try await autosave(visit, new, [("field.title", "two")], tab: "two", from: "one", 9).status == 200)
        #expect(try await autosave(visit, new, [("field.title", "late")], tab: "two", 8).status == 200)
        #expect(value("field.title", try await visit.get(new)) == "two")

        let large = String(repeating: "x", count: AutosaveStore.maxBytes)
        let refused = try await autosave(visit, new, [("field.title", large)], tab: "two", 10)
        #expect(refused.status == 422 && refused.says("At most 4 MiB"))
        for (name, wrong) in [
            ("fields", "{}"), ("fields", "["), ("sequence", "x"), ("sequence", "-1"), ("form", "//x"),
        ] {
            let sent = [("form", new), ("tab", "two"), ("sequence", "11"), ("fields", "[]")].filter { $0.0 != name }
            #expect(try await visit.post("/autosaves", sent + [(name, wrong)]).status == 422, "\(name) \(wrong)")
        }
        #expect(try await visit.post("/autosaves", [("csrf", "wrong"), ("fields", "[]")]).status == 403)
    }

    @Test("Saving while typing counts as use of the session; asking who is signed in does not")
    func activity() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .curator)
        _ = try await visit.get(new)
        func isRecent() async throws -> Bool {
            try await site.test.client.one(
                "select seen_at > now() - interval '5 minutes' as is_recent from ops.session")(
                    "is_recent")
        }
        try await site.test.client.execute("update ops.session set seen_at = now() - interval '10 minutes'")
        let session = try await visit.send("GET", "/session", [], headers: ["Accept": "application/json"])
        #expect(session.status == 200 && session.holds("\"account\":") && session.holds("\"csrf\":"))
        #expect(try await visit.send("GET", "/session", []).says("You're signed in"))
        #expect(try await !isRecent())
        // The token that the script gets is accepted.
        let json = try JSONValue(parsing: Array(session.html.utf8))
        let sent = try await visit.post(
            "/autosaves",
            [
                ("csrf", json["csrf"]?.stringValue ?? ""), ("form", new), ("tab", "one"), ("sequence", "1"),
                ("fields", "[]"),
            ])
        #expect(sent.status == 200)
        #expect(try await isRecent())
        #expect(try await site.stranger.get("/session").status == 303)
    }

    // MARK: Without script

    private func end(_ site: AdminFixture) async throws {
        try await site.test.client.execute("delete from ops.session")
    }

    @Test("S14: a form whose session has ended comes back filled after signing in, with one button to save")
    func expired() async throws {
        let site = try await AdminFixture.make()
        _ = try await site.account("ann@example.org", .editor)
        let visit = site.stranger
        _ = try await visit.signIn("ann@example.org", on: visit.visit("/login"))
        let open = try await visit.get(new)
        try await end(site)
        let refused = try await visit.fill(
            open, "/entries", [("field.title", "Words & <words>"), ("note", "kept"), ("action", "now")])
        #expect(refused.status == 403 && refused.says("You were signed out"))
        let retry = try await visit.signIn("ann@example.org", "no", on: refused)
        #expect(retry.status == 422)
        let restored = try await visit.signIn("ann@example.org", on: retry)
        #expect(restored.url == new && value("field.title", restored) == "Words & <words>")
        #expect(value("note", restored) == "kept" && restored.hasButton("Save draft"))

        // Another session in the same browser: the token of the page is not valid any more.
        let page = try await visit.get(new)
        try await end(site)
        _ = try await visit.signIn("ann@example.org", on: visit.visit("/login"))
        let forged = try await visit.fill(page, "/entries", [("field.title", "More words"), ("action", "now")])
        #expect(forged.status == 403)
        let shown = try await visit.press("Show the form with your text", on: forged)
        #expect(shown.url == new && value("field.title", shown) == "More words")

        // From another site nothing is shown again.
        let foreign = try await visit.send(
            "POST", "/entries", page.form(id: "edit"), headers: ["Sec-Fetch-Site": "cross-site"])
        #expect(foreign.status == 403 && !foreign.hasButton("Show the form with your text"))
    }

    @Test("With 50 unsaved texts another one is refused, and that of an ended session can be copied")
    func full() async throws {
        let site = try await AdminFixture.make()
        _ = try await site.account("ann@example.org", .editor)
        let visit = site.stranger
        _ = try await visit.signIn("ann@example.org", on: visit.visit("/login"))
        let open = try await visit.get(new)
        try await site.test.client.execute(
            """
            insert into ops.autosave (account_id, form, tab, sequence, fields)
            select id, '/a' || n, 'one', 1, '[]'::json from ops.account cross join generate_series(1, 50) n
            where email = 'ann@example.org'
            """)
        let refused = try await autosave(visit, new, [("field.title", "One more")])
        #expect(refused.status == 409 && refused.holds("too_many_texts"))
        #expect(try await visit.get("/queue").says("Unfinished: 50"))
        try await end(site)
        let expired = try await visit.fill(open, "/entries", [("field.title", "Words of Ann"), ("action", "draft")])
        let shown = try await visit.signIn("ann@example.org", on: expired)
        #expect(shown.status == 422 && shown.says("You have too many unsaved texts") && shown.holds("Words of Ann"))
        #expect(try await visit.get("/queue").says("Unfinished: 50"))
    }

    @Test("S14: somebody else who signs in on that page gets the text to copy, not in a form")
    func otherAccount() async throws {
        let site = try await AdminFixture.make()
        for name in ["ann", "bob"] { _ = try await site.account("\(name)@example.org", .editor) }
        let visit = site.stranger
        _ = try await visit.signIn("ann@example.org", on: visit.visit("/login"))
        let open = try await visit.get(new)
        try await end(site)
        let refused = try await visit.fill(open, "/entries", [("field.title", "Ann's words"), ("action", "draft")])
        let page = try await visit.signIn("bob@example.org", on: refused)
        #expect(
            page.status == 403 && page.says("You entered this text in another account") && page.holds("Ann's words"))
        #expect(value("field.title", try await visit.get(new)) == "")
        #expect(try await visit.get("/autosaves").says("No unsaved text."))
    }
}
