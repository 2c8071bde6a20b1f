// Tests the list of the queue: order, pages, filters, counts, and what it says when it is empty.
import Domain
import FoundationEssentials
import Store
import TestSupport
import Testing

@Suite("The queue page", .databases)
struct QueuePagesTests {
    private func titles(_ page: BrowserPage) -> [String] {
        page.links.filter { $0.address.hasPrefix("/queue/0") }.map(\.words)
    }

    @Test("The oldest comes first, 25 to a page; each page leads on, and back to the start")
    func pages() async throws {
        let desk = try await Desk.make()
        for number in 1...26 { try await desk.submit("Part \(number)") }
        let browser = try await desk.browser(.curator)
        let first = try await browser.visit("/queue")
        #expect(first.says("26 waiting"))
        #expect(titles(first) == (1...25).map { "Part \($0)" })
        let second = try await browser.click("Newer »", on: first)
        #expect(titles(second) == ["Part 26"])
        #expect(throws: PageForm.NoControl.self) { try second.link("Newer »") }
        #expect(titles(try await browser.click("« First page", on: second)).count == 25)
    }

    @Test("A full page that is the last one does not lead on")
    func fullPage() async throws {
        let desk = try await Desk.make()
        for number in 1...25 { try await desk.submit("Part \(number)") }
        let page = try await desk.browser(.curator).visit("/queue")
        #expect(titles(page).count == 25)
        #expect(throws: PageForm.NoControl.self) { try page.link("Newer »") }
    }

    @Test("Filters by words, type, client, category and claim; the filter stays in the addresses of the rows")
    func filters() async throws {
        let desk = try await Desk.make()
        let other = try await desk.test.clientActor()
        try await desk.submit("A harbour walk")
        try await desk.submit("A harbour film", type: "video")
        try await desk.submit("Pizza", category: "Food & drink")
        let taken = try await desk.submit("Ramen", by: other)
        let browser = try await desk.browser(.curator)
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
        #expect(films.says("1 match"))
        let rows = films.links.map(\.address).filter { $0.hasPrefix("/queue/0") }
        #expect(rows.count == 1 && rows.allSatisfy { $0.hasSuffix("?type=video&q=harbour") })
        #expect(titles(try await filtered([("category", "Food & drink")])) == ["Pizza"])
        let client = ID<APIClient>(try #require(other.id)).description
        #expect(titles(try await filtered([("client", client)])) == ["Ramen"])
        #expect(titles(try await filtered([("holder", "mine")])) == [])
        _ = try await browser.press("Take it", on: try await browser.visit("/queue/\(taken)"))
        let mine = try await filtered([("holder", "mine")])
        #expect(titles(mine) == ["Ramen"])
        #expect(mine.says("taken by you"))
        #expect(mine.says("1 taken by you"))
    }

    @Test("An empty queue and a filter without a match say what to do")
    func empty() async throws {
        let desk = try await Desk.make()
        let browser = try await desk.browser(.curator)
        #expect(try await browser.visit("/queue").says("Nothing is waiting"))
        try await desk.submit()
        let page = try await browser.visit("/queue?q=nothing")
        #expect(page.says("Nothing matches") && page.says("0 match"))
        #expect(try page.link("Clear filters") == "/queue")
    }

    @Test("The count stops at a thousand")
    func count() async throws {
        let desk = try await Desk.make()
        let browser = try await desk.browser(.curator)
        try await withThrowingTaskGroup { group in
            for number in 1...1000 { group.addTask { _ = try await desk.submit("Part \(number)") } }
            try await group.waitForAll()
        }
        #expect(try await browser.visit("/queue").says("1000 waiting"))
        try await desk.submit("One more")
        #expect(try await browser.visit("/queue").says("1,000+ waiting"))
    }

    @Test("A place that is none of ours in the address is a refusal in words", arguments: ["x", "0", "AAAA", "'"])
    func badPlace(_ place: String) async throws {
        let page = try await Desk.make().browser(.curator).visit("/queue?after=\(place)")
        #expect(page.status == 422)
        #expect(page.says("Begin again"))
    }
}
