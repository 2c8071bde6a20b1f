// Tests concurrent edits of an entry: the second editor sees both versions and chooses a side for each field.
import Domain
import Store
import TestSupport
import Testing

@Suite("Concurrent edits", .databases)
struct StaleEditTests {
    @Test("R21: mine, theirs and the base are shown side by side, and one click chooses a side")
    func resolve() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .editor)
        let id = try await site.article("A walk")
        let path = "/entries/\(id)/revisions"
        let form = try await visit.get(path)
        try await site.change(id, "title", to: "Their walk")
        try await site.change(id, "author", to: "They")
        let stale = try await visit.fill(
            form, path, [("field.title", "My walk"), ("field.summary", "Mine <alone>"), ("action", "draft")])
        #expect(stale.status == 409 && stale.holds("Changed by"))
        for text in [
            "A walk", "Their walk", "My walk", "both changed it", "only they changed it", "only you changed it",
        ] {
            #expect(stale.holds(text), "\(text)")
        }
        func values(_ page: BrowserPage) -> [String: String] {
            Dictionary(page.form(to: path), uniquingKeysWith: { first, _ in first })
        }
        #expect(values(stale)["field.title"] == "My walk" && values(stale)["field.author"] == "They")
        #expect(values(stale)["base"] == "3" && values(stale)["original"] == "1")

        let theirs = try await visit.fill(stale, path, [("resolve", "theirs.title")])
        #expect(theirs.status == 200 && values(theirs)["field.title"] == "Their walk")
        #expect(values(theirs)["field.summary"] == "Mine <alone>" && theirs.holds("My walk"))
        let mine = try await visit.fill(theirs, path, [("resolve", "mine.title")])
        #expect(values(mine)["field.title"] == "My walk")
        let author = try await visit.fill(mine, path, [("resolve", "mine.author")])
        #expect(values(author)["field.author"] == "")
        #expect(try await site.test.database.revisions.newest(of: id)?.number == 3, "choosing a side saves nothing")
        #expect(try await visit.fill(mine, path, [("resolve", "theirs.nothing")]).status == 404)
        #expect(try await visit.fill(mine, path, [("resolve", "theirs.title"), ("original", "99")]).status == 404)

        let saved = try await visit.fill(mine, path, [("action", "draft")])
        #expect(saved.status == 303)
        let newest = try await site.test.database.revisions.newest(of: id)
        #expect(newest?.number == 4 && newest?.content.fields["title"] == "My walk")
        #expect(newest?.content.fields["author"] == "They")
    }
}
