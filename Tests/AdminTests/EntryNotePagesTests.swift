// Tests notes on entries: mentions, errors, access scope, and their place in the history.
import Domain
import Operations
import Store
import TestSupport
import Testing

@Suite("Notes on entries", .databases)
struct EntryNotePagesTests {
    @Test("A note on an entry notifies the people it mentions, and is in the history; errors keep the text")
    func notes() async throws {
        let site = try await AdminFixture.make()
        let id = try await site.article("A walk")
        let ann = try await site.browser(.curator, name: "Ann")
        let eve = try await site.browser(.editor, name: "Eve")
        let page = try await ann.visit("/entries/\(id)")
        #expect(page.html.contains("<option value=\"Eve\">") && !page.html.contains("<option value=\"Ann\">"))
        var form = try page.form("Add note")
        try form.fill("text", " ")
        let refused = try await ann.press("Add note", in: form)
        #expect(refused.status == 422 && refused.links.contains { $0.url == "#text" })
        try form.fill("text", String(repeating: "x", count: 2001))
        let long = try await ann.press("Add note", in: form)
        #expect(long.status == 422 && long.holds(String(repeating: "x", count: 2001)))
        try form.fill("text", "@Eve <b>look</b>")
        let added = try await ann.press("Add note", in: form)
        #expect(added.says("Note added. 1 person notified.") && added.holds("@Eve &lt;b&gt;look&lt;/b&gt;"))

        #expect(Self.mentions(try await eve.visit("/queue")) == "Mentions 1")
        let mentions = try await eve.visit("/mentions")
        #expect(mentions.says("A walk") && mentions.says("Entry") && mentions.says("New"))
        #expect(mentions.links.contains { $0.url == "/entries/\(id)#notes" })
        #expect(try await eve.visit("/entries/\(id)").says("Mentioned: Eve"))
        #expect(Self.mentions(try await eve.visit("/queue")) == "Mentions")
        #expect(!(try await eve.visit("/mentions").says("New")))
        let history = try await eve.visit("/entries/\(id)/history")
        #expect(history.says("added a note") && history.says("Internal") && history.says("Mentioned: Eve"))
        #expect(try await ann.post("/entries/\(SeedEntry.unsorted.uuid)/notes", [("text", "x")]).status == 303)
        #expect(
            try await ann.post("/entries/0197c2e4-0000-7000-8000-00000000ffff/notes", [("text", "x")]).status == 404)
        let events = try await site.test.database.auditTrail.about("entry", id.description)
        #expect(events.first?.action == "note.create" && events.first?.actor == "Ann")
    }

    /// The link in the navigation, with its number.
    private static func mentions(_ page: BrowserPage) -> String? {
        let link = page.links.first { $0.url == "/mentions" && $0.text.contains("Mentions") }
        return link?.text.split(separator: " ").joined(separator: " ")
    }

    @Test("The history of an entry has its submission's decisions and notes, page by page, without gaps")
    func history() async throws {
        let site = try await AdminFixture.make()
        let curator = try await site.test.actor(.publisher, name: "Cleo")
        let submission = try await site.submit("Sent in")
        try await site.test.services.addNote("Is this true?", on: .submission(submission), by: curator)
        let outcome = try await site.test.services.decideSubmission(
            submission, Decision.Draft(verdict: .approve, publishTiming: .now), version: nil, by: curator)
        let id = try #require(outcome.change?.entry)
        for number in 1...30 {
            try await site.test.services.addNote("Note \(number)", on: .entry(id), by: curator)
        }
        let visit = try await site.browser(.curator)
        var texts: [String] = []
        var url: String? = "/entries/\(id)/history"
        var pages = 0
        while let next = url {
            let page = try await visit.visit(next)
            #expect(page.status == 200)
            texts.append(page.text)
            pages += 1
            url = page.links.first { $0.text == "Older »" }?.url
            try #require(pages < 5)
        }
        let all = texts.joined(separator: "\n")
        #expect(pages == 2)
        for number in 1...30 {
            #expect(all.ranges(of: "Note \(number)\n").count + all.ranges(of: "Note \(number) ").count <= 1)
            #expect(all.contains("Note \(number)"))
        }
        for text in [
            "approved this", "created version 1", "published version 1", "added a note to the submission",
            "Is this true?",
        ] {
            #expect(all.contains(text), "\(text)")
        }
        for cursor in ["x", "YQ", "MjAyNi0xMi0zMVQwMDowMDowMFofeA"] {
            let page = try await visit.get("/entries/\(id)/history?cursor=\(cursor)")
            #expect([200, 422].contains(page.status), "\(cursor)")
        }
        let wrong = try await visit.get("/entries/\(id)/history?a=1&b=99")
        #expect(wrong.status == 422 && wrong.says("Enter the numbers of two versions, from 1 to 1."))
    }

    @Test("S15: who can't see an entry can't read, write or be mentioned in notes on it")
    func scope() async throws {
        let site = try await AdminFixture.make()
        let id = try await site.article("A walk")
        let (outside, inside) = (
            try await site.test.actor(.curator, name: "Otto"), try await site.test.actor(.curator, name: "Ida")
        )
        func restrict(_ actor: Actor, _ type: String) async throws {
            let id = ID<Account>(try #require(actor.id))
            let account = try #require(try await site.test.database.accounts.find(id))
            try await site.test.services.manageAccount.setScope(
                account, AccessScope(types: [type], groups: []), by: TestDatabase.administrator)
        }
        try await restrict(outside, "video")
        try await restrict(inside, "article")
        let browser = site.browser(of: outside)
        #expect(try await browser.get("/entries/\(id)").status == 404)
        #expect(try await browser.get("/entries/\(id)/history").status == 404)
        #expect(try await browser.post("/entries/\(id)/notes", [("text", "Hello")]).status == 404)

        let written = try await site.test.services.addNote(
            "@Otto and @Ida", on: .entry(id), by: try await site.test.actor(.editor, name: "Eve"))
        #expect(written.notified == 1 && written.unknown == ["@Otto"])
        let notes = site.test.database.notes
        #expect(try await notes.unseen(by: ID(try #require(outside.id))) == 0)
        #expect(try await notes.unseen(by: ID(try #require(inside.id))) == 1)

        // The database refuses both, whatever the program does.
        func code(_ body: () async throws -> Void) async -> String {
            do {
                try await body()
                return "done"
            } catch Failure.forbidden {
                return "forbidden"
            } catch Failure.invalid(let errors) {
                return errors.items.map(\.code).joined()
            } catch {
                return "\(error)"
            }
        }
        let event = AuditEvent("note.create", on: "entry", id.description)
        #expect(
            await code {
                try await site.test.database.transaction(by: outside, event) { transaction in
                    try await transaction.notes.add("x", .note, on: [.entry(id)], by: outside)
                }
            } == "forbidden")
        let mentioned = ID<Account>(try #require(outside.id))
        #expect(
            await code {
                try await site.test.database.transaction(by: inside, event) { transaction in
                    try await transaction.notes.add("x", .note, on: [.entry(id)], mentioning: [mentioned], by: inside)
                }
            } == "mention")
        // A mention from before the restriction is not shown any more.
        try await restrict(inside, "video")
        let mentions = try await site.browser(of: inside).visit("/mentions")
        #expect(mentions.says("No note mentions you.") && !mentions.says("A walk"))
    }

    @Test("Changed images are shown side by side with alternative text and size; rich text without tags")
    func images() async throws {
        let site = try await AdminFixture.make()
        let id = try await site.article("A walk")
        func image(_ name: String, _ alt: String) -> JSONValue {
            .object([
                "url": .string("https://i.example/\(name).jpg"), "alt": .string(alt), "width": .int(640),
                "height": .int(480),
            ])
        }
        try await site.change(id, "image", to: image("old", "A pier"))
        try await site.change(id, "image", to: image("new", "A beach"))
        try await site.change(id, "body", to: .string("<h2>Way</h2><p>Along the <b>river</b></p>"))
        try await site.change(id, "body", to: .string("<h3>Way</h3><p>Along the river</p><p>Back</p>"))
        let visit = try await site.browser(.curator)
        let page = try await visit.visit("/entries/\(id)/history/2/3?images=show")
        #expect(page.says("Image before") && page.says("Image after") && page.says("640 × 480"))
        #expect(page.says("Alternative text: A pier") && page.says("Alternative text: A beach"))
        #expect(page.html.ranges(of: "<img src=\"https://i.example/").count == 2)
        let hidden = try await visit.visit("/entries/\(id)/history/2/3")
        #expect(!hidden.holds("<img ") && hidden.says("Image from i.example") && hidden.says("are not loaded"))
        let text = try await visit.visit("/entries/\(id)/history/4/5")
        #expect(text.says("Heading 2 → Heading 3") && text.says("Bold removed from “river”"))
        #expect(text.says("Paragraph added") && text.holds("<ins>Back</ins>") && !text.holds("&lt;p&gt;"))
        #expect(text.holds("<span class=\"visually-hidden\">Added: </span><ins>"))
    }
}
