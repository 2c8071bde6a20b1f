// Tests the list of decided submissions, and what the queue shows beside titles: excerpts, contributors, tabs and viewers.
@testable import Admin
import Domain
import FoundationEssentials
import Operations
import Store
import TestSupport
import Testing

@Suite("Decided submissions", .databases)
struct DecidedPagesTests {
    private func titles(_ page: BrowserPage) -> [String] {
        page.links.filter { $0.url.hasPrefix("/queue/0") }.map(\.text)
    }

    private func decide(
        _ fixture: AdminFixture, _ id: ID<Submission>, _ draft: Decision.Draft, version: Int = 0, by actor: Actor
    ) async throws {
        _ = try await fixture.test.services.decideSubmission(id, draft, version: version, by: actor)
    }

    @Test(
        "They are listed newest decision first, mine and everybody's, by decision, type and words, and undone in place")
    func list() async throws {
        let (fixture, browser) = try await AdminFixture.visited(by: .curator, name: "Ann")
        #expect(try await browser.visit("/queue/decided").says("No decisions yet."))
        let curator = try await fixture.test.actor(.curator, name: "Bea")
        let (spam, film) = (try await fixture.submit("Cheap pills"), try await fixture.submit("A film", type: "video"))
        let more = try await fixture.submit("A walk")
        try await fixture.submit("Still pending")
        try await decide(fixture, spam, Decision.Draft(verdict: .reject, reason: .spam), by: curator)
        try await decide(fixture, film, Decision.Draft(verdict: .reject, reason: .offTopic), by: curator)
        try await decide(fixture, more, Decision.Draft(verdict: .requestChanges, message: "More, please."), by: curator)

        let all = try await browser.visit("/queue/decided")
        #expect(titles(all) == ["A walk", "A film", "Cheap pills"])
        #expect(all.says("Spam") && all.says("Changes requested") && all.says("Bea"))
        #expect(titles(try await browser.visit("/queue/decided?verdict=reject")) == ["A film", "Cheap pills"])
        #expect(titles(try await browser.visit("/queue/decided?verdict=reject&type=video")) == ["A film"])
        #expect(titles(try await browser.visit("/queue/decided?q=pills")) == ["Cheap pills"])
        #expect(try await browser.visit("/queue/decided?q=nothing").says("No matching decisions"))
        #expect(titles(try await browser.visit("/queue/decided?by=me")) == [])
        #expect(try await browser.visit("/queue/decided?cursor=x").status == 422)

        // The button of a row returns to the same list.
        let rejected = try await browser.visit("/queue/decided?verdict=reject")
        let row = try #require(rejected.forms.first { $0.action == "/queue/\(spam)/undo" })
        let undone = try await browser.press("Undo", in: row)
        #expect(undone.url == "/queue/decided?verdict=reject" && undone.says("Decision undone."))
        #expect(undone.links.contains { $0.text == "A film" } && !undone.links.contains { $0.text == "Cheap pills" })
        let compact = try await browser.click("Compact rows", on: undone)
        #expect(compact.url == "/queue/decided?verdict=reject" && compact.html.contains("class=\"rows compact\""))
        #expect(titles(try await browser.visit("/queue/decided")) == ["A walk", "A film"])
        #expect(try await browser.visit("/queue").says("Cheap pills"))
        // Decided once more, by the signed-in person.
        let page = try await browser.visit("/queue/\(spam)")
        _ = try await browser.press("Reject", on: page, filling: ["reason": "spam"])
        #expect(titles(try await browser.visit("/queue/decided?by=me")) == ["Cheap pills"])
    }

    @Test("There is an undo only where it is not refused; the page of the submission says why there is none")
    func refusedUndo() async throws {
        let fixture = try await AdminFixture.make()
        let publisher = try await fixture.test.actor(.publisher, name: "Pat")
        let (live, spam) = (try await fixture.submit("Live"), try await fixture.submit("Cheap pills"))
        try await decide(fixture, live, Decision.Draft(verdict: .approve, publishTiming: .now), by: publisher)
        try await decide(fixture, spam, Decision.Draft(verdict: .reject, reason: .spam), by: publisher)
        func undos(_ browser: Browser) async throws -> Set<String> {
            Set(try await browser.visit("/queue/decided").forms.map(\.action).filter { $0.hasSuffix("/undo") })
        }
        let (one, other) = ("/queue/\(live)/undo", "/queue/\(spam)/undo")
        let curator = try await fixture.browser(.curator)
        #expect(try await undos(curator) == [other])
        #expect(try await undos(try await fixture.browser(.publisher)) == [one, other])
        let reader = try await fixture.browser(try await fixture.test.role("reader", [.readQueue]))
        #expect(try await undos(reader) == [])
        let page = try await curator.visit("/queue/\(live)")
        #expect(page.says("Only a publisher can undo its approval now") && !page.hasButton("Undo decision"))
        #expect(try await curator.post(one, [("version", "1")]).status == 403)
        #expect(try await fixture.state(live) == .approved)
    }

    @Test("Pages follow one another, and an access scope leaves out what is outside of it")
    func pages() async throws {
        let fixture = try await AdminFixture.make()
        let curator = try await fixture.test.actor(.curator, name: "Bea")
        for number in 1...27 {
            let id = try await fixture.submit("Part \(number)", type: number == 27 ? "video" : "article")
            try await decide(fixture, id, Decision.Draft(verdict: .reject, reason: .spam), by: curator)
        }
        let browser = try await fixture.browser(.curator)
        let first = try await browser.visit("/queue/decided")
        #expect(titles(first).count == 25 && titles(first).first == "Part 27")
        let second = try await browser.visit(try first.link("Older »"))
        #expect(titles(second) == ["Part 2", "Part 1"])
        #expect(throws: PageForm.NoControl.self) { try second.link("Older »") }
        #expect(try await browser.visit(try second.link("« Newest")).says("Part 27"))
        try await fixture.test.writeUnchecked("update ops.account set types = '{video}'")
        #expect(titles(try await browser.visit("/queue/decided")) == ["Part 27"])
    }

    @Test("Rows of the queue show who sent a submission and how it begins, as plain text")
    func excerpts() async throws {
        let fixture = try await AdminFixture.make()
        let id = try await fixture.submit("Untold", contributor: "m.okafor")
        _ = try await fixture.test.client.run(
            """
            update curation.submission set fields = fields || jsonb_build_object('body', '<p>By &amp; by the <b>harbor</b>.</p>')
            where id = \(id)
            """)
        let browser = try await fixture.browser(.curator)
        let page = try await browser.visit("/queue")
        #expect(page.says("m.okafor") && page.says("By & by the harbor."))
        _ = try await fixture.test.client.run(
            "update curation.submission set fields = fields || jsonb_build_object('body', repeat('ab ', 200)) where id = \(id)"
        )
        let long = try await browser.visit("/queue")
        #expect(long.says(String(repeating: "ab ", count: 53) + "a…"), "160 characters")
        _ = try await fixture.test.client.run(
            "update curation.submission set fields = fields || jsonb_build_object('summary', 'Short.') where id = \(id)"
        )
        #expect(try await browser.visit("/queue").says("Short."))
    }

    @Test("Tabs count up to ten saved views and what everybody needs; density is remembered")
    func tabs() async throws {
        let fixture = try await AdminFixture.make()
        try await fixture.submit("One")
        try await fixture.submit("A film", type: "video")
        let browser = try await fixture.browser(.curator)
        for number in 10...20 {
            _ = try await browser.press(
                "Save view", on: browser.visit("/queue?type=video"), filling: ["name": "View \(number)"])
        }
        let page = try await browser.visit("/queue?type=video")
        #expect(page.says("All pending 2") && page.says("View 10 1") && page.says("View 19 1"))
        #expect(page.says("Claimed by you 0") && page.says("Appeals 0"), "a tab without submissions says so")
        let counts = try await browser.visit("/queue/counts")
        #expect(counts.holds("\"pending\":\"2\"") && counts.holds("\"mine\":\"0\"") && counts.holds("\"new\":\"\""))
        #expect(page.says("View 20") && !page.says("View 20 1"), "only in the menu")
        #expect(try page.link("Decided") == "/queue/decided")
        let compact = try await browser.follow(try await browser.visit(try page.link("Compact rows")))
        #expect(compact.html.contains("class=\"rows compact\"") && compact.url == "/queue?type=video")
        let comfortable = try await browser.follow(try await browser.visit(try compact.link("Comfortable rows")))
        #expect(!comfortable.html.contains("class=\"rows compact\""))
    }

    @Test("People who have the same submission open see each other until they leave")
    func viewers() async throws {
        let fixture = try await AdminFixture.make()
        let id = try await fixture.submit("Popular")
        let (ann, bob) = (
            try await fixture.browser(.curator, name: "Ann"), try await fixture.browser(.curator, name: "Bob")
        )
        func others(_ browser: Browser, left: Bool = false) async throws -> String {
            try await browser.post("/queue/\(id)/viewers", [("left", left ? "1" : "")]).html
        }
        #expect(try await others(ann) == "{\"text\":\"\"}")
        #expect(try await others(bob) == "{\"text\":\"Ann has this open\"}")
        #expect(try await others(ann) == "{\"text\":\"Bob has this open\"}")
        #expect(try await ann.visit("/queue/counts").html.contains("\"viewers\":{\"\(id)\":\"Bob\"}"))
        _ = try await others(bob, left: true)
        #expect(try await others(ann) == "{\"text\":\"\"}")
        _ = try await others(bob)
        _ = try await fixture.test.client.run("update curation.viewer set seen_at = now() - interval '7 seconds'")
        #expect(try await others(ann) == "{\"text\":\"\"}", "a closed browser is forgotten")
    }
}
