// Tests the pages for screening rules, screening results, similar submissions and review stages.
import Domain
import FoundationEssentials
import Operations
import Platform
import Store
import TestSupport
import Testing

@Suite("Screening pages", .databases)
struct ScreeningPagesTests {
    private func screen(_ fixture: AdminFixture) async throws {
        _ = try await fixture.test.database.work(as: Actor(kind: .system, name: "schedule")) {
            try await ScreenSubmissions.screen(fixture.test.rules, $0)
        }
    }

    @Test(
        "A publisher creates a version, sees its test results and activates it; errors are shown at their fields"
    )
    func versions() async throws {
        let (fixture, browser) = try await AdminFixture.visited(by: .publisher)
        let page = try await browser.visit("/screening")
        #expect(page.says("Version 1") && page.says("Default rules"))
        var form = try page.form("Save and test")
        try form.fill("links", "lots")
        try form.fill("terms", "casino = 70\nnothing here")
        try form.fill("note", "")
        let wrong = try await browser.press("Save and test", in: form)
        #expect(wrong.status == 422 && wrong.links.contains { $0.url == "#links" })
        #expect(wrong.links.contains { $0.url == "#terms" } && wrong.links.contains { $0.url == "#note" })
        var again = try wrong.form("Save and test")
        #expect(again.value("links") == "lots" && again.value("terms")?.contains("nothing here") == true)
        try again.fill("links", "4")
        try again.fill("terms", "casino = 70")
        try again.fill("note", "Casinos again")
        let created = try await browser.press("Save and test", in: again)
        #expect(
            created.url == "/screening/2" && created.says("active yet.")
                && created.says("“casino” in title or text: 70 points."))
        let active = try await browser.press("Activate version 2", on: created)
        #expect(active.says("Version 2 is active"))

        let curator = try await fixture.browser(.curator)
        #expect(!(try await curator.visit("/screening").says("Save and test")))
        let id = try await fixture.submit("Casino by the sea")
        #expect(!(try await curator.visit("/queue").says("High risk (")))
        try await screen(fixture)
        let list = try await curator.visit("/queue?sort=score")
        #expect(list.says("High risk (80)") && list.says("contains “casino”"))
        let review = try await curator.visit("/queue/\(id)")
        #expect(
            review.says("High (80)") && review.says("New contributor.") && review.says("rules v2"))
    }

    @Test(
        "Similar submissions are listed with their score, compared word by word, and marked as duplicates"
    )
    func similar() async throws {
        let fixture = try await AdminFixture.make()
        let body: [String: JSONValue] = [
            "body": "<p>The ferry leaves at nine, and comes back when the tide lets it, says the harbour master.</p>"
        ]
        let first = try await fixture.submit("The ferry runs again", fields: body)
        let linked = try await fixture.submit("A page", fields: ["url": "https://a.example.org/page/"])
        try await screen(fixture)
        let id = try await fixture.submit("The ferry runs again - Pier News", fields: body)
        let same = try await fixture.submit(
            "Another title", fields: ["url": "http://www.a.example.org/page?utm_source=x"])
        let browser = try await fixture.browser(.curator)
        let page = try await browser.visit("/queue/\(id)")
        #expect(page.says("Similar") && page.says("0.96"))
        #expect(try page.link("The ferry runs again") == "/queue/\(first)")
        let compareURL = "/queue/\(id)/similar/\(first)"
        let link = "href=\"\(compareURL)\" aria-label=\"Compare with The ferry runs again\" data-compare>"
        #expect(page.html.contains(link))
        #expect(page.html.contains("<template id=\"comparison-panel\">"))
        #expect(!(try await browser.visit("/queue/\(first)")).says("Close comparison"), "only the script shows it")
        let compared = try await browser.visit(compareURL)
        // What the script takes from the page has the differences and the form.
        let taken = try #require(compared.html.firstRange(of: "<div id=\"comparison\"")).upperBound
        let outside = compared.html[..<taken]
        #expect(!outside.contains("Mark as duplicate") && !outside.contains("Differences"))
        #expect(compared.says("Similarity 0.96") && compared.html.contains("<ins> - Pier News</ins>"))
        let done = try await browser.press("Mark as duplicate of “The ferry runs again”", on: compared)
        #expect(done.says("as a duplicate"))
        #expect(try await fixture.state(id) == .duplicate)

        let banner = try await browser.visit("/queue/\(same)")
        #expect(banner.says("Same URL as"))
        #expect(banner.html.contains("similar/\(linked)\" aria-label=\"Compare with A page\" data-compare>"))
        #expect(try await browser.visit("/queue/\(same)/similar/\(linked)").says("Same URL"))
        #expect(try await browser.visit("/queue/\(same)/similar/\(UUIDv7.make())").status == 404)
    }

    @Test(
        "Stages are edited on their page; a submission shows its required approvals, which can be given and withdrawn")
    func stages() async throws {
        let (fixture, admin) = try await AdminFixture.visited(by: .administrator)
        var form = try await admin.visit("/review-stages").form("Save stages")
        try form.fill("name_0", "Editors")
        try form.fill("approvals_0", "many")
        let wrong = try await admin.press("Save stages", in: form)
        #expect(wrong.status == 422 && wrong.says("require 1 to 9 approvals"))
        var again = try wrong.form("Save stages")
        #expect(again.value("name_0") == "Editors" && again.value("approvals_0") == "many")
        try again.fill("approvals_0", "2")
        #expect(try await admin.press("Save stages", in: again).says("Editors: 2 approvals by editors"))

        let id = try await fixture.submit("A walk")
        let ann = try await fixture.browser(.editor, name: "Ann")
        let page = try await ann.visit("/queue/\(id)")
        #expect(
            page.says("0 of 2 approvals by editors; 2 people can approve")
                && page.says("2 more approvals are required."))
        #expect(page.says("Several people approve the same text") && !page.says("Edit before approving"))
        let cat = try await fixture.browser(.curator, name: "Cat").visit("/queue/\(id)")
        #expect(cat.says("The stage “Editors” requires approvals by editors. Your role (curator) can't approve it."))
        #expect(cat.form(id: "approve").isEmpty && cat.hasButton("Reject"))
        let approved = try await ann.press("Approve", on: page)
        #expect(approved.says("Approval of “A walk” recorded."))
        let seen = try await ann.visit("/queue/\(id)")
        #expect(try await ann.visit("/queue").says("1 of 2 approvals"))
        #expect(seen.says("You already approved this. Another person must approve it too."))
        #expect(seen.form(id: "approve").isEmpty && seen.hasButton("Reject"))
        #expect(seen.says("1 of 2 approvals by editors") && seen.says("You have approved this."))
        #expect(try await ann.press("Withdraw approval", on: seen).says("Approval withdrawn."))
        _ = try await ann.press("Approve", on: try await ann.visit("/queue/\(id)"))
        let eve = try await fixture.browser(.editor, name: "Eve")
        let last = try await eve.visit("/queue/\(id)")
        #expect(last.says("One more approval is required.") && last.says("Ann"))
        #expect(try await eve.press("Approve", on: last).says("Approved “A walk”"))
        #expect(try await fixture.state(id) == .approved)
    }

    @Test("If configured, publishing now is delayed, and can be undone before it happens")
    func delayedPublication() async throws {
        let fixture = try await AdminFixture.make(settings: ["VITRINE_REVIEW_PUBLISH_DELAY_SECONDS": "60"])
        let feed = try await fixture.feed()
        let id = try await fixture.submit("A walk")
        let browser = try await fixture.browser(.publisher)
        let done = try await browser.press(
            "Approve and publish", on: browser.visit("/queue/\(id)"), ticking: ["field.feeds": feed.description])
        #expect(done.says("Scheduled for") && done.says("in release 1"))
        let entry = try #require(try await fixture.test.database.submissions.find(id)?.entry)
        #expect(try await fixture.test.database.revisions.live(of: entry) == nil)
        #expect(try await browser.press("Undo", on: done).status == 200)
        #expect(try await fixture.state(id) == .pending)
        let held: Int = try await fixture.test.client.query("select count(*) as n from curation.release_item")[0]("n")
        #expect(held == 0)
    }
}
