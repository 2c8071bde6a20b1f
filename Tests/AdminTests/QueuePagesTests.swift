// Tests the queue page: sort order, pagination, filters, counts and empty states.
import Domain
import FoundationEssentials
import Operations
import Store
import TestSupport
import Testing

@Suite("The queue page", .databases)
struct QueuePagesTests {
    private func titles(_ page: BrowserPage) -> [String] {
        page.links.filter { $0.url.hasPrefix("/queue/0") }.map(\.text)
    }

    @Test("Submissions are listed oldest first, 25 per page; each page links to the next and to the first")
    func pages() async throws {
        let fixture = try await AdminFixture.make()
        for number in 1...26 { try await fixture.submit("Part \(number)") }
        let browser = try await fixture.browser(.curator)
        let first = try await browser.visit("/queue")
        #expect(first.says("All pending 26"))
        #expect(titles(first) == (1...25).map { "Part \($0)" })
        let second = try await browser.click("Newer »", on: first)
        #expect(titles(second) == ["Part 26"])
        #expect(throws: PageForm.NoControl.self) { try second.link("Newer »") }
        #expect(titles(try await browser.click("« First page", on: second)).count == 25)
    }

    @Test("A full last page has no link to a next page")
    func fullPage() async throws {
        let fixture = try await AdminFixture.make()
        for number in 1...25 { try await fixture.submit("Part \(number)") }
        let page = try await fixture.browser(.curator).visit("/queue")
        #expect(titles(page).count == 25)
        #expect(throws: PageForm.NoControl.self) { try page.link("Newer »") }
    }

    @Test("Filters by title, type, source, category and claim; the URLs of the rows keep the filter")
    func filters() async throws {
        let fixture = try await AdminFixture.make()
        let other = try await fixture.test.clientActor()
        try await fixture.submit("A harbour walk")
        try await fixture.submit("A harbour film", type: "video")
        try await fixture.submit("Pizza", category: "Food & drink")
        let claimed = try await fixture.submit("Ramen", by: other)
        try await name("City Blog", "Pizza", fixture)
        let browser = try await fixture.browser(.curator)
        let all = try await browser.visit("/queue")
        #expect(titles(all).count == 4)

        func filtered(_ changes: [(String, String)]) async throws -> BrowserPage {
            var form = try all.form("Filter")
            for (name, value) in changes { try form.fill(name, value) }
            return try await browser.press("Filter", in: form)
        }
        #expect(titles(try await filtered([("q", "harbour")])) == ["A harbour walk", "A harbour film"])
        let films = try await filtered([("q", "harbour"), ("type", "video")])
        #expect(titles(films) == ["A harbour film"])
        #expect(films.says("1 matching"))
        let rows = films.links.map(\.url).filter { $0.hasPrefix("/queue/0") }
        #expect(rows.count == 1 && rows.allSatisfy { $0.hasSuffix("?type=video&q=harbour") })
        #expect(titles(try await filtered([("category", "Food & drink")])) == ["Pizza"])
        let client = ID<APIClient>(try #require(other.id)).description
        #expect(titles(try await filtered([("source", client)])) == ["Ramen"])
        let blog = try await filtered([("source", "City Blog")])
        #expect(titles(blog) == ["Pizza"] && blog.holds("<option value=\"City Blog\" selected>City Blog</option>"))
        #expect(blog.links.contains { $0.url.hasPrefix("/queue/0") && $0.url.hasSuffix("?source=City%20Blog") })
        #expect(titles(try await filtered([("claim", "mine")])) == [])
        _ = try await browser.press("Claim", on: try await browser.visit("/queue/\(claimed)"))
        let mine = try await filtered([("claim", "mine")])
        #expect(titles(mine) == ["Ramen"])
        #expect(mine.says("Claimed by you"))
        #expect(mine.says("Claimed by you 1"))
    }

    @Test("Each filter that is set is a link to the list without it; the search text and the sort order stay")
    func chips() async throws {
        let fixture = try await AdminFixture.make()
        try await fixture.submit("A harbour film", type: "video", category: "Walks")
        let browser = try await fixture.browser(.curator)
        let none = try await browser.visit("/queue?q=harbour&sort=newest")
        #expect(!none.main.contains("class=\"chip\""), "the search text is in its field")
        #expect(none.holds("<summary>Filters</summary>"))
        let page = try await browser.visit(
            "/queue?type=video&category=Walks&q=harbour&claim=none&age=-24&sort=newest")
        func chips(_ page: BrowserPage) -> [String: String] {
            let links = page.links.filter { $0.text.hasSuffix(" ×") }.map { (String($0.text.dropLast(2)), $0.url) }
            return Dictionary(links) { first, _ in first }
        }
        let found = chips(page)
        let all = ["Type: Video", "Suggested category: Walks", "Claim: Unclaimed", "Age: Under 1 day"]
        #expect(Set(found.keys) == Set(all))
        #expect(page.holds("<summary>Filters: 4</summary>"), "they are folded on phones")
        #expect(found["Claim: Unclaimed"] == "/queue?type=video&category=Walks&q=harbour&age=-24&sort=newest")
        #expect(!page.main.contains("<details class=\"more-filters\" open"), "the chips say what is folded")
        let wider = try await browser.visit(try #require(found["Type: Video"]))
        #expect(Set(chips(wider).keys) == Set(all.dropFirst()))
        #expect(titles(wider) == ["A harbour film"])

        let decided = try await browser.visit("/queue/decided?by=me&verdict=reject&type=video&q=harbour")
        #expect(Set(chips(decided).keys) == ["Decision: Rejected", "Type: Video"])
        #expect(decided.holds("<summary>Filters: 2</summary>"))
        #expect(chips(decided)["Type: Video"] == "/queue/decided?by=me&verdict=reject&q=harbour")
    }

    /// Names the source of a submission, as an import does.
    private func name(_ source: String, _ title: String, _ fixture: AdminFixture) async throws {
        try await fixture.test.client.execute(
            "update curation.queue_item set source_name = \(source) where title = \(title)")
    }

    @Test("The menu of sources has the import and its feeds; a chosen one stays; restricted accounts see no feeds")
    func sources() async throws {
        let fixture = try await AdminFixture.make()
        for (source, title) in [("City Blog", "One"), ("City Blog", "Two"), ("Art Blog", "Three")] {
            try await fixture.submit(title)
            try await name(source, title, fixture)
        }
        func feeds(_ page: BrowserPage) -> [String] {
            page.html.matches(of: #/<option value="(\w+ Blog)"( selected)?>/#).map { String($0.1) }
        }
        let ann = try await fixture.browser(.curator, name: "Ann")
        let page = try await ann.visit("/queue")
        #expect(feeds(page) == ["Art Blog", "City Blog"])
        #expect(page.holds(">import</option>") && page.holds(">portal</option>"))
        let gone = try await ann.visit("/queue?source=Old+Blog")
        #expect(titles(gone).isEmpty && feeds(gone) == ["Art Blog", "City Blog", "Old Blog"])
        #expect(gone.holds("<option value=\"Old Blog\" selected>"))
        let account = try #require(try await fixture.test.database.accounts.list().first { $0.name == "Ann" })
        try await fixture.test.services.manageAccount.setScope(
            account, AccessScope(types: ["article"], groups: []), by: TestDatabase.administrator)
        #expect(try await feeds(ann.visit("/queue")).isEmpty)
    }

    @Test("An empty queue and a filter without matches say what to do")
    func empty() async throws {
        let (fixture, browser) = try await AdminFixture.visited(by: .curator)
        #expect(try await browser.visit("/queue").says("No pending submissions"))
        try await fixture.submit()
        let page = try await browser.visit("/queue?q=nothing")
        #expect(page.says("No matching submissions") && page.says("0 matching"))
        #expect(page.says("Pending without filters: 1."))
        #expect(try page.link("Clear filters") == "/queue")
        // What is snoozed is not among the pending.
        #expect(try await browser.visit("/queue?snoozed=1").says("Pending without filters: 1."))
    }

    @Test("Counts stop at 1,000")
    func count() async throws {
        let (fixture, browser) = try await AdminFixture.visited(by: .curator)
        try await concurrently(1...1000) { try await fixture.submit("Part \($0)") }
        #expect(try await browser.visit("/queue").says("All pending 1,000"))
        try await fixture.submit("One more")
        #expect(try await browser.visit("/queue").says("All pending 1,000+"))
    }

    @Test("An invalid cursor in the URL is rejected with a message", arguments: ["x", "0", "AAAA", "'"])
    func invalidCursor(_ cursor: String) async throws {
        let page = try await AdminFixture.make().browser(.curator).visit("/queue?after=\(cursor)")
        #expect(page.status == 422)
        #expect(page.says("Start again"))
    }
}
