// Tests the pages of reports: lists, the page of a case, every outcome, and the counts on other pages.
@testable import Admin
import Domain
import FoundationEssentials
import Operations
import Platform
import Postgres
import Store
import TestSupport
import Testing

@Suite("Report pages", .databases)
struct ReportPagesTests {
    private struct Site {
        let fixture: AdminFixture
        let app: Actor

        static func make() async throws -> Site {
            let fixture = try await AdminFixture.make()
            return Site(fixture: fixture, app: try await fixture.test.clientActor([.report]))
        }

        func report(
            _ entry: ID<Entry>, _ reason: ReportReason = .spam, text: String? = nil, by reporter: String? = nil
        ) async throws {
            _ = try await fixture.test.services.receiveReport(
                ReportDraft(.id(entry), reason, text: text, reporter: reporter), by: app)
        }

        func submitted(_ title: String = "Ten cafés") async throws -> ID<Entry> {
            let feed = try await fixture.feed()
            let id = try await fixture.submit(title, contributor: "m.okafor")
            _ = try await fixture.test.services.decideSubmission(
                id, Decision.Draft(verdict: .approve, feeds: [feed], publishTiming: .now), version: 0,
                by: try await fixture.test.actor(.publisher))
            return try #require(try await fixture.test.database.submissions.find(id)?.entry)
        }

        func isLive(_ entry: ID<Entry>) async throws -> Bool {
            try await fixture.test.database.reports.isLive(entry)
        }
    }

    private func decide(
        _ visit: Browser, _ page: BrowserPage, _ outcome: String, note: String = "Checked",
        _ more: [(String, String)] = []
    ) async throws -> BrowserPage {
        let form = try page.form("Save decision")
        return try await visit.follow(
            try await visit.fill(page, form.action, [("outcome", outcome), ("note", note)] + more))
    }

    @Test("Open reports are listed and counted in the navigation and on the home page, page by page")
    func list() async throws {
        let site = try await Site.make()
        let visit = try await site.fixture.browser(.curator)
        let empty = try await visit.visit("/reports")
        #expect(empty.status == 200 && empty.says("No open reports"))
        #expect(try await visit.visit("/reports?state=decided").says("No decided reports"))
        for number in 1...27 {
            try await site.report(try await site.fixture.article("Walk no. \(number)."), .inaccurate)
        }
        let most = try await site.submitted("Buy my book")
        for name in ["Ada", "Bea"] { try await site.report(most, .spam, by: name) }
        try await site.report(most, .illegal)
        let first = try await visit.visit("/reports")
        #expect(first.says("Buy my book") && first.says("3 reports") && first.says("Spam or advertising 2 · Illegal 1"))
        #expect(first.says("Open (28)") && first.says("Walk no. 1.") && !first.says("Walk no. 27."))
        let second = try await visit.visit(try first.link("Next »"))
        #expect(second.says("Walk no. 27.") && !second.says("Buy my book"))
        let oldest = try await visit.visit("/reports?sort=oldest")
        #expect(oldest.says("Walk no. 1.") && !oldest.says("Buy my book"))
        let illegal = try await visit.visit("/reports?reason=illegal")
        #expect(illegal.says("Buy my book") && !illegal.says("Walk no. 1."))
        #expect(illegal.holds("<summary>Filters: 1</summary>") && oldest.holds("<summary>Filters</summary>"))
        #expect(try await visit.visit("/reports?reason=copyright").says("No matching reports"))
        #expect(try await visit.visit("/reports?cursor=x").status == 422)
        let home = try await visit.visit("/")
        #expect(home.says("Reported entries") && home.says("Most reported: Buy my book, 3 reports"))
        #expect(try home.link("Reports 28") == "/reports")
        // Curators decide; without the permission to decide nothing on the home page asks for it.
        #expect(try await visit.visit("/reports?type=article").says("Buy my book"))
    }

    @Test("The page shows the entry as readers see it, the reports as plain text, and its contributor's record")
    func show() async throws {
        let site = try await Site.make()
        let entry = try await site.submitted()
        try await site.report(entry, .other, text: "<script>alert(1)</script> & <b>bold</b>", by: "Ada")
        try await site.report(entry, .spam)
        let visit = try await site.fixture.browser(.curator)
        let page = try await visit.click("Ten cafés", on: try await visit.visit("/reports"))
        #expect(page.says("Hello world") && page.says("Ada") && page.says("Anonymous"))
        #expect(page.says("<script>alert(1)</script> & <b>bold</b>") && !page.html.contains("<script>alert"))
        #expect(page.says("m.okafor") && page.says("Approval rate") && page.says("All (2)"))
        // The entry first, then its reports, then the decision, also on phones.
        let places = ["class=\"card reading\"", "id=\"reports\"", "id=\"outcome\""].compactMap {
            page.html.firstRange(of: $0)?.lowerBound
        }
        #expect(places.count == 3 && places == places.sorted())
        #expect(page.main.split(separator: ">Ten cafés</").count == 2, "the title is there once")
        let spam = try await visit.visit(try page.link("Spam or advertising (1)"))
        #expect(spam.says("Anonymous") && !spam.says("<script>"))
        #expect(
            !page.says("Confirm the edit") && !page.html.contains(#"value="unpublish""#), "what a curator may not do")
        let publisher = try await site.fixture.browser(.publisher)
        #expect(try await publisher.visit(page.url).html.contains(#"value="unpublish""#))
        #expect(try await visit.visit("/reports/\(UUIDv7.make())").status == 404)
    }

    @Test("No action: a note is required, what was typed stays, the case moves to the decided ones")
    func noAction() async throws {
        let site = try await Site.make()
        let entry = try await site.fixture.article()
        try await site.report(entry, by: "Ada")
        let visit = try await site.fixture.browser(.curator, name: "Nora")
        let page = try await visit.click("A walk", on: try await visit.visit("/reports"))
        let missing = try await decide(visit, page, "no_action", note: " ")
        #expect(missing.status == 422 && missing.says("Enter a note that explains the decision."))
        let unchosen = try await decide(visit, page, "", note: "Typed before")
        #expect(unchosen.status == 422 && unchosen.says("Choose an outcome.") && unchosen.html.contains("Typed before"))
        let done = try await decide(visit, page, "no_action", note: "It is correct")
        #expect(done.says("Reports of “A walk” decided: No action.") && done.says("No open reports"))
        let decided = try await visit.click("A walk", on: try await visit.visit("/reports?state=decided"))
        #expect(decided.says("Decision: No action") && decided.says("It is correct") && decided.says("Nora"))
        #expect(!decided.hasButton("Save decision"))
        // Somebody else is late.
        let late = try await decide(try await site.fixture.browser(.publisher), page, "no_action")
        #expect(late.status == 403 || late.status == 409)
        try await site.report(entry, by: "Bea")
        let again = try await visit.visit("/reports")
        #expect(again.says("Reviewed before: No action"))
        #expect(try await visit.click("A walk", on: again).says("Other reviews of this entry"))
    }

    @Test("A decision that is too late shows who decided what, and changes nothing")
    func conflict() async throws {
        let site = try await Site.make()
        let entry = try await site.fixture.article()
        try await site.report(entry)
        let nora = try await site.fixture.browser(.curator, name: "Nora")
        let pia = try await site.fixture.browser(.publisher, name: "Pia")
        let (hers, theirs) = (
            try await nora.click("A walk", on: try await nora.visit("/reports")),
            try await pia.click("A walk", on: try await pia.visit("/reports"))
        )
        let plan = try await decide(pia, theirs, "unpublish", note: "Spam")
        #expect(plan.says("Unpublish A walk?") && plan.says("Unpublished"))
        let plain = plan.main.prefix(upTo: try #require(plan.main.firstRange(of: "Show database rows")).lowerBound)
        #expect(plain.contains("<span class=\"muted\">Article</span>") && !plain.contains("item_full"))
        _ = try await decide(nora, hers, "no_action")
        let late = try await pia.press("Unpublish now", on: plan)
        #expect(
            late.status == 409 && late.says("Nora has already decided these reports: No action. Nothing was changed."))
        #expect(try await site.isLive(entry))
    }

    @Test("Edit: the outcome is offered once a newer version is published")
    func edit() async throws {
        let site = try await Site.make()
        let entry = try await site.fixture.article()
        try await site.report(entry)
        let visit = try await site.fixture.browser(.curator)
        let page = try await visit.click("A walk", on: try await visit.visit("/reports"))
        #expect(try page.link("Edit entry") == "/entries/\(entry)/revisions" && !page.says("Confirm the edit"))
        #expect(try await decide(visit, page, "edit").says("Edit and publish it first"))
        try await site.fixture.edit(entry, ["title": "A short walk"])
        #expect(try await visit.visit("/reports").says("Edited since"))
        let edited = try await visit.visit(page.url)
        // Digits choose the outcomes that are offered.
        #expect(page.holds("value=\"no_action\" data-key=\"1\"") && !page.holds("data-key=\"2\""))
        #expect(edited.holds("value=\"no_action\" data-key=\"1\"") && edited.holds("value=\"edit\" data-key=\"2\""))
        #expect(edited.says("Confirm the edit") && edited.says("A short walk"))
        #expect(try await decide(visit, edited, "edit").says("decided: Edited."))
    }

    @Test("Unpublish: the plan is shown first; a plan that has changed is shown again")
    func unpublish() async throws {
        let site = try await Site.make()
        let entry = try await site.submitted()
        try await site.report(entry)
        let visit = try await site.fixture.browser(.publisher)
        let page = try await visit.click("Ten cafés", on: try await visit.visit("/reports"))
        #expect(try await decide(visit, page, "unpublish", note: "").says("Enter a note that explains the decision."))
        let plan = try await decide(visit, page, "unpublish", note: "Advertising")
        #expect(plan.status == 200 && plan.html.contains("Advertising"))
        #expect(try await site.isLive(entry), "nothing has happened")
        try await site.fixture.edit(entry, ["title": "Eleven cafés"])
        let changed = try await visit.press("Unpublish now", on: plan)
        #expect(changed.status == 409 && changed.says("The plan has changed"))
        let done = try await visit.press("Unpublish now", on: changed)
        #expect(done.says("decided: Unpublished.") && done.says("No open reports"))
        #expect(try await !site.isLive(entry))
        #expect(try await site.fixture.isVerified())
    }

    @Test("Block: offered where the entry has a contributor and to people without an access scope; with an end")
    func block() async throws {
        let site = try await Site.make()
        let (own, sent) = (try await site.fixture.article("Our own"), try await site.submitted())
        for entry in [own, sent] { try await site.report(entry) }
        let visit = try await site.fixture.browser(.curator)
        let list = try await visit.visit("/reports")
        #expect(try await !visit.click("Our own", on: list).says("Block contributor"))
        let page = try await visit.click("Ten cafés", on: list)
        let wrong = try await decide(
            visit, page, "block", note: "Ads", [("until", "at"), ("local", "x"), ("zone", "UTC")])
        #expect(wrong.status == 422 && wrong.html.contains("Ads") && wrong.isTimeMarked)
        let nowhere = try await decide(
            visit, page, "block", note: "Ads", [("until", "at"), ("local", "2999-01-01T10:00"), ("zone", "!")])
        #expect(nowhere.isTimeMarked("zone") && nowhere.links.contains { $0.url == "#zone" })
        let done = try await decide(visit, page, "block", note: "Ads", [("until", "168")])
        #expect(done.says("Reports of “Ten cafés” decided: Contributor blocked."))
        #expect(try done.url == list.link("Our own") && done.hasButton("Save decision"), "the next case follows")
        let contributor = try await visit.click("m.okafor", on: try await visit.visit("/contributors"))
        #expect(contributor.says("Blocked") && contributor.says("Ads"))
        #expect(try await site.isLive(sent))
        let statistics = try await visit.visit("/reports?state=decided")
        #expect(statistics.says("Contributor blocked") && statistics.says("Median time to decision"))
    }
}
