// The pages of screening: its rules in versions, what it found in the queue, and what is alike side by side.
import Domain
import FoundationEssentials
import Platform
import Review
import Store
import TestSupport
import Testing

@Suite("The pages of screening", .databases)
struct ScreeningPagesTests {
    private func screen(_ desk: Desk) async throws {
        _ = try await desk.test.database.work(as: Actor(kind: .system, name: "schedule")) {
            try await ScreenSubmissions.screen(desk.test.rules, $0)
        }
    }

    @Test(
        "A publisher writes a version, sees what it would have done, and switches it on; what is wrong is told at its field"
    )
    func versions() async throws {
        let desk = try await Desk.make()
        let browser = try await desk.browser(.publisher)
        let page = try await browser.visit("/screening")
        #expect(page.says("Version 1") && page.says("What every deployment starts with"))
        var form = try page.form("Keep and try it")
        try form.fill("links", "lots")
        try form.fill("words", "casino = 70\nnothing here")
        try form.fill("note", "")
        let wrong = try await browser.press("Keep and try it", in: form)
        #expect(wrong.status == 422 && wrong.links.contains { $0.address == "#links" })
        #expect(wrong.links.contains { $0.address == "#words" } && wrong.links.contains { $0.address == "#note" })
        var again = try wrong.form("Keep and try it")
        #expect(again.value("links") == "lots" && again.value("words")?.contains("nothing here") == true)
        try again.fill("links", "4")
        try again.fill("words", "casino = 70")
        try again.fill("note", "Casinos again")
        let made = try await browser.press("Keep and try it", in: again)
        #expect(
            made.address == "/screening/2" && made.says("not switched on")
                && made.says("“casino” in title or text: 70 points."))
        let on = try await browser.press("Switch version 2 on", on: made)
        #expect(on.says("Version 2 is on"))

        let curator = try await desk.browser(.curator)
        #expect(!(try await curator.visit("/screening").says("Keep and try it")))
        let id = try await desk.submit("Casino by the sea")
        #expect(!(try await curator.visit("/queue").says("high 7")))
        try await screen(desk)
        let list = try await curator.visit("/queue?sort=score")
        #expect(list.says("high 80") && list.says("holds “casino”"))
        let review = try await curator.visit("/queue/\(id)")
        #expect(
            review.says("high 80") && review.says("The contributor is new.") && review.says("version 2 of the rules"))
    }

    @Test(
        "What is alike stands on the review page with its score, is compared word by word, and marked as a duplicate there"
    )
    func similar() async throws {
        let desk = try await Desk.make()
        let body: [String: JSONValue] = [
            "body": "<p>The ferry leaves at nine, and comes back when the tide lets it, says the harbour master.</p>"
        ]
        let first = try await desk.submit("The ferry runs again", fields: body)
        let linked = try await desk.submit("A page", fields: ["url": "https://a.example.org/page/"])
        try await screen(desk)
        let id = try await desk.submit("The ferry runs again - Pier News", fields: body)
        let same = try await desk.submit("Another title", fields: ["url": "http://www.a.example.org/page?utm_source=x"])
        let browser = try await desk.browser(.curator)
        let page = try await browser.visit("/queue/\(id)")
        #expect(page.says("Similar") && page.says("0.96"))
        #expect(try page.link("The ferry runs again") == "/queue/\(first)")
        let compared = try await browser.visit("/queue/\(id)/similarity/\(first)")
        #expect(compared.says("alike 0.96") && compared.html.contains("<ins> - Pier News</ins>"))
        let done = try await browser.press("Mark as a duplicate of “The ferry runs again”", on: compared)
        #expect(done.says("as a duplicate"))
        #expect(try await desk.state(id) == .duplicate)

        let banner = try await browser.visit("/queue/\(same)")
        #expect(banner.says("The same address was sent in before"))
        #expect(try await browser.visit("/queue/\(same)/similarity/\(linked)").says("same address"))
        #expect(try await browser.visit("/queue/\(same)/similarity/\(UUIDv7.make())").status == 404)
    }

    @Test("Stages are planned on their page; a submission says who has to agree, takes a yes, and gives it back")
    func stages() async throws {
        let desk = try await Desk.make()
        let admin = try await desk.browser(.administrator)
        var form = try await admin.visit("/review-stages").form("Keep these stages")
        try form.fill("name_0", "Editors")
        try form.fill("needed_0", "many")
        let wrong = try await admin.press("Keep these stages", in: form)
        #expect(wrong.status == 422 && wrong.says("from 1 to 9 have to agree"))
        var again = try wrong.form("Keep these stages")
        #expect(again.value("name_0") == "Editors" && again.value("needed_0") == "many")
        try again.fill("needed_0", "2")
        #expect(try await admin.press("Keep these stages", in: again).says("Editors: 2 editors"))

        let id = try await desk.submit("A walk")
        let ann = try await desk.browser(.editor, name: "Ann")
        let page = try await ann.visit("/queue/\(id)")
        #expect(
            page.says("0 of 2 approvals by editors; 2 people can give one")
                && page.says("it is accepted with the last of 2"))
        let approved = try await ann.press("Approve", on: page)
        #expect(approved.says("You agreed to “A walk”."))
        let seen = try await ann.visit("/queue/\(id)")
        #expect(try await ann.visit("/queue").says("1 of 2 agreed"))
        #expect(seen.says("1 of 2 approvals by editors") && seen.says("You have agreed."))
        #expect(try await ann.press("Take my yes back", on: seen).says("Your yes was taken back."))
        _ = try await ann.press("Approve", on: try await ann.visit("/queue/\(id)"))
        let eve = try await desk.browser(.editor, name: "Eve")
        let last = try await eve.visit("/queue/\(id)")
        #expect(last.says("The next yes accepts it.") && last.says("Ann"))
        #expect(try await eve.press("Approve", on: last).says("Approved “A walk”"))
        #expect(try await desk.state(id) == .approved)
    }

    @Test("What goes live now goes live a little later where that is configured, and undone before, never")
    func delay() async throws {
        let desk = try await Desk.make(publishDelay: 60)
        let feed = try await desk.feed()
        let id = try await desk.submit("A walk")
        let browser = try await desk.browser(.publisher)
        var form = try await browser.visit("/queue/\(id)").form("Approve")
        try form.tick("field.feeds", feed.description)
        let done = try await browser.press("Approve", in: form)
        #expect(done.says("goes live") && done.says("with release 1"))
        let entry = try #require(try await desk.test.database.submissions.find(id)?.entry)
        #expect(try await desk.test.database.revisions.live(of: entry) == nil)
        #expect(try await browser.press("Undo", on: done).status == 200)
        #expect(try await desk.state(id) == .pending)
        let held: Int = try await desk.test.client.query("select count(*) as n from curation.release_item")[0]("n")
        #expect(held == 0)
    }
}
