// Two people edit one entry: the second sees both, takes either side of each field, and loses nothing.
import Domain
import Store
import TestSupport
import Testing

@Suite("An edit on top of another's", .databases)
struct StaleEditTests {
    @Test("R21: mine, theirs and the base stand side by side, and either is taken by one click")
    func take() async throws {
        let site = try await EditorSite.make()
        let visit = try await site.visitor(.editor)
        let id = try await site.article("A walk")
        let address = "/entries/\(id)/revisions"
        let form = try await visit.get(address)
        try await site.change(id, "title", to: "Their walk")
        try await site.change(id, "author", to: "They")
        let late = try await visit.fill(
            form, address, [("field.title", "My walk"), ("field.summary", "Mine <alone>"), ("action", "draft")])
        #expect(late.status == 409 && late.holds("Someone was faster"))
        for text in [
            "A walk", "Their walk", "My walk", "both changed it", "only they changed it", "only you changed it",
        ] {
            #expect(late.holds(text), "\(text)")
        }
        func values(_ page: BrowserPage) -> [String: String] {
            Dictionary(page.form(to: address), uniquingKeysWith: { first, _ in first })
        }
        #expect(values(late)["field.title"] == "My walk" && values(late)["field.author"] == "They")
        #expect(values(late)["base"] == "3" && values(late)["began"] == "1")

        let theirs = try await visit.fill(late, address, [("take", "theirs.title")])
        #expect(theirs.status == 200 && values(theirs)["field.title"] == "Their walk")
        #expect(values(theirs)["field.summary"] == "Mine <alone>" && theirs.holds("My walk"))
        let mine = try await visit.fill(theirs, address, [("take", "mine.title")])
        #expect(values(mine)["field.title"] == "My walk")
        let author = try await visit.fill(mine, address, [("take", "mine.author")])
        #expect(values(author)["field.author"] == "")
        #expect(try await site.test.database.revisions.newest(of: id)?.number == 3, "nothing is saved by taking")
        #expect(try await visit.fill(mine, address, [("take", "theirs.nothing")]).status == 404)
        #expect(try await visit.fill(mine, address, [("take", "theirs.title"), ("began", "99")]).status == 404)

        let saved = try await visit.fill(mine, address, [("action", "draft")])
        #expect(saved.status == 303)
        let newest = try await site.test.database.revisions.newest(of: id)
        #expect(newest?.number == 4 && newest?.content.fields["title"] == "My walk")
        #expect(newest?.content.fields["author"] == "They")
    }
}
