// Tests the history of an entry: versions, differences and concurrent edits.
import Domain
import Store
import TestSupport
import Testing

@Suite("Entry history", .databases)
struct EntryHistoryPagesTests {
    @Test("A12: any two versions are compared field by field with added and removed text")
    func compare() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .curator)
        let (feed, _) = try await site.feedAndCategory()
        let id = try await site.article("Best coffee shops")
        try await site.change(id, "title", to: "Minimalist coffee shops")
        try await site.change(id, "feeds", to: .array([.string(feed.description)]))
        let first = try await visit.get("/entries/\(id)/history/1/3")
        #expect(
            first.status == 200 && first.holds("<del>Best</del>") && first.holds("<ins>Minimalist</ins> coffee shops"))
        #expect(first.holds("<ins>City guides</ins>"))
        #expect(first.holds("Unchanged: Slug, Text"))
        let last = try await visit.get("/entries/\(id)/history/2/3")
        #expect(!last.holds("<del>") && last.holds("<ins>City guides</ins>"))
        #expect(try await visit.get("/entries/\(id)/history/3/3").holds("No differences."))
        let chosen = try await visit.get("/entries/\(id)/history?a=1&b=2")
        #expect(chosen.status == 303 && chosen.location == "/entries/\(id)/history/1/2")
        for path in ["1/9", "0/1", "x/1", "99999999999999999999/1"] {
            #expect(try await visit.get("/entries/\(id)/history/\(path)").status == 404, "\(path)")
        }
    }

    @Test("The history marks published and approved versions, and all but the newest can be restored")
    func marks() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .curator)
        let id = try await site.article()
        try await site.change(id, "title", to: "A run", .approveOnly)
        try await site.change(id, "title", to: "A leap")
        let page = try await visit.get("/entries/\(id)/history")
        #expect(page.html.split(separator: "tag ok\">Published<").count == 2)
        #expect(page.html.split(separator: "\"tag\">Approved<").count == 3)
        #expect(page.html.split(separator: ">Restore…<").count == 3)
        #expect(page.holds("saved version 3") && page.holds("Changed: Title"))
        let asked = try await visit.get("/entries/\(id)/restore?number=1")
        #expect(asked.status == 200 && asked.says("Saves its content as version 4."))
        #expect(asked.holds("Restore version 1 as draft") && !asked.holds("publish now"))
        #expect(try await visit.get("/entries/\(id)/restore?number=3").status == 303)
        for number in ["0", "9", "x", ""] {
            #expect(try await visit.get("/entries/\(id)/restore?number=\(number)").status == 404, "\(number)")
        }
        let restored = try await visit.post("/entries/\(id)/restore", [("number", "1"), ("base", "3")])
        #expect(restored.status == 303)
        #expect(try await site.test.database.revisions.newest(of: id)?.note == "Version 1 restored")
        // Undoing it restores the version before, as another new version.
        let undo = try #require(try await visit.follow(restored).forms.first { $0.action.contains("/restore?") })
        #expect(undo.action == "/entries/\(id)/restore?number=3&base=4")
        #expect(try await visit.post(undo.action, [("version", "4")]).status == 303)
        #expect(try await site.test.database.revisions.newest(of: id)?.content.fields["title"] == "A leap")
        // A curator can only restore as a suggestion.
        let forced = try await visit.post(
            "/entries/\(id)/restore", [("number", "2"), ("base", "5"), ("action", "now")])
        #expect(forced.status == 403)
        let stale = try await visit.post("/entries/\(id)/restore", [("number", "2"), ("base", "3")])
        #expect(stale.status == 409)
    }

    @Test("R21: an outdated form is a conflict that shows both versions and keeps all input")
    func stale() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher)
        let id = try await site.article("Old title")
        let form = "/entries/\(id)/revisions"
        let mine = try await visit.get(form)
        let other = try await site.test.actor(.editor, name: "Olga")
        try await site.change(id, "title", to: "Her title", by: other)
        try await site.change(id, "summary", to: "Her summary", by: other)

        let conflict = try await visit.fill(
            mine, form, [("field.title", "My title"), ("field.author", "Me <b>"), ("note", "mine"), ("action", "now")])
        #expect(conflict.status == 409 && conflict.holds("<title>Error: Edit"))
        #expect(conflict.holds("Olga") && conflict.holds("saved version 3"))
        for text in ["Old title", "Her title", "My title"] { #expect(conflict.holds(text), "\(text)") }
        #expect(conflict.holds("both changed it") && conflict.holds("only you changed it"))
        #expect(conflict.holds("only they changed it"))
        let fields = conflict.form(to: form)
        #expect(fields.contains { $0 == ("base", "3") })
        #expect(fields.contains { $0 == ("field.title", "My title") })
        #expect(fields.contains { $0 == ("field.author", "Me <b>") })
        #expect(fields.contains { $0 == ("field.summary", "Her summary") })
        #expect(fields.contains { $0 == ("note", "mine") })
        #expect(try await site.test.database.revisions.newest(of: id)?.number == 3)

        // Saving again overwrites deliberately.
        let saved = try await visit.fill(conflict, form, [("action", "now")])
        #expect(saved.status == 303)
        let newest = try await site.test.database.revisions.newest(of: id)
        #expect(newest?.number == 4 && newest?.isLive == true)
        #expect(newest?.content.fields["title"] == "My title")
        #expect(newest?.content.fields["summary"] == "Her summary")
    }

    @Test("Edits of different fields and equal edits are no conflict")
    func staleMerged() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher)
        let id = try await site.article("Old title")
        let form = "/entries/\(id)/revisions"
        let mine = try await visit.get(form)
        try await site.change(id, "summary", to: "Theirs\nin two lines")
        let merged = try await visit.fill(mine, form, [("field.author", "Me"), ("action", "draft")])
        #expect(merged.status == 409 && merged.holds("You edited different fields"))
        let equal = try await visit.fill(
            mine, form, [("field.summary", "Theirs\r\nin two lines"), ("action", "draft")])
        #expect(equal.holds("both made the same change") && !equal.holds("tag bad"))
    }

    @Test("A form with an unknown base version is not found")
    func noBase() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher)
        let id = try await site.article()
        for base in ["0", "2", "-1"] {
            let page = try await visit.post("/entries/\(id)/revisions", [("base", base), ("field.title", "x")])
            #expect(page.status == 404, "\(base)")
        }
        #expect(try await visit.post("/entries/\(id)/revisions", [("field.title", "x")]).status == 422)
    }
}
