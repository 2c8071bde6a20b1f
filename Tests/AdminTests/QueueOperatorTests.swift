// Tests the search operators of the queue and of decided submissions, and bulk actions on such searches.
@testable import Admin
import Domain
import FoundationEssentials
import Operations
import Store
import TestSupport
import Testing

@Suite("Search operators of the queue", .databases)
struct QueueOperatorTests {
    private func titles(_ page: BrowserPage) -> [String] {
        page.links.filter { $0.url.hasPrefix("/queue/0") }.map(\.text)
    }

    private func queue(_ query: String, _ browser: Browser) async throws -> [String] {
        titles(try await browser.visit(AdminURL.queue(query: ["q": query])))
    }

    private func screen(_ fixture: AdminFixture) async throws {
        while try await fixture.test.database.work(
            as: Actor(kind: .system, name: "schedule"), { try await ScreenSubmissions.screen(fixture.test.rules, $0) })
        {}
    }

    @Test("Each operator filters as the menus do; words are found in title, text and contributor")
    func each() async throws {
        let (fixture, browser) = try await AdminFixture.visited(by: .curator)
        try await fixture.submit(
            "Free prize", contributor: "seller", fields: ["body": "<p>casino bonus, free phone</p>"])
        try await fixture.submit(
            "Five benches", category: "Walks", contributor: "m.okafor", email: "mo@example.org",
            fields: ["body": "<p>Along the towpath, see https://www.city.example/benches.</p>"])
        try await fixture.submit("A film", type: "video", contributor: "reader-4")
        #expect(try await queue("film", browser) == ["A film"], "the title is found before screening")
        try await screen(fixture)
        let name = fixture.client.name
        for (query, found) in [
            ("towpath", ["Five benches"]), ("okafor", ["Five benches"]), ("benches okafor towpath", ["Five benches"]),
            ("by:okaf", ["Five benches"]), ("by:mo@example.org", ["Five benches"]), ("by:nobody", []),
            ("domain:city.example", ["Five benches"]), ("domain:https://www.city.example/other", ["Five benches"]),
            ("domain:ity.example", []), ("type:video", ["A film"]), ("type:Videos", ["A film"]),
            ("category:walks", ["Five benches"]), ("risk:high", ["Free prize"]), ("risk:<60 benches", ["Five benches"]),
            ("is:claimed", []), ("is:overdue", []), ("is:appeal", []), ("age:>1h", []),
            ("is:unassigned film", ["A film"]),
            ("source:\"\(name)\" is:unclaimed age:<1h film", ["A film"]), ("risk:high type:video", []),
        ] {
            #expect(try await queue(query, browser) == found, "\(query)")
        }
        #expect(try await queue("source:\(name.prefix(3))", browser).count == 3)
        // The text wins over the menus.
        let page = try await browser.visit(AdminURL.queue(query: ["q": "type:video", "type": "article"]))
        #expect(titles(page) == ["A film"])
        for (query, text) in [
            ("sorce:x", "“sorce:” is not an operator"), ("source:nowhere", "No source is named “nowhere”"),
            ("type:poem", "No content type is named “poem”"), ("risk:severe", "“risk:” can't be “severe”"),
        ] {
            let page = try await browser.visit(AdminURL.queue(query: ["q": query]))
            #expect(page.status == 200 && page.says(text) && titles(page).isEmpty, "\(query)")
            #expect(page.html.contains("value=\"\(query)\""), "\(query): nothing typed is lost")
        }
    }

    @Test("A rejected submission is found in one step, by words of its text, and by what it links to")
    func decided() async throws {
        let fixture = try await AdminFixture.make()
        let curator = try await fixture.test.actor(.curator, name: "Bea")
        let browser = try await fixture.browser(.curator)
        let pills = try await fixture.submit(
            "Cheap pills", category: "Walks", contributor: "seller",
            fields: ["body": "<p>At https://pills.example, delivered overnight</p>"])
        let early = try await fixture.submit("Early bird", contributor: "ada")
        func list(_ query: String) async throws -> [String] {
            titles(try await browser.visit(AdminURL.decided(query: ["q": query])))
        }
        func reject(_ id: ID<Submission>) async throws {
            _ = try await fixture.test.services.decideSubmission(
                id, Decision.Draft(verdict: .reject, reason: .spam), version: 0, by: curator)
        }
        // Decided before it was screened, so that only the title is known.
        try await reject(early)
        #expect(try await list("early") == ["Early bird"])
        #expect(try await list("hello").isEmpty)
        try await screen(fixture)
        #expect(try await list("hello") == ["Early bird"], "the text follows")
        try await reject(pills)
        let found = try await browser.visit(AdminURL.queue(query: ["q": "is:rejected overnight"]))
        #expect(titles(found) == ["Cheap pills"] && found.says("Decided submissions"))
        for (query, expected) in [
            ("domain:pills.example", ["Cheap pills"]), ("by:seller", ["Cheap pills"]),
            ("by:sel overnight", ["Cheap pills"]),
            ("early", ["Early bird"]), ("ada", ["Early bird"]), ("is:approved", []), ("is:appeal", []),
            ("category:walks type:article", ["Cheap pills"]), ("risk:>=0", ["Cheap pills"]),
            ("age:<1h seller", ["Cheap pills"]),
            ("source:nothing", []), ("farewell", []),
        ] {
            #expect(try await list(query) == expected, "\(query)")
        }
        #expect(try await browser.visit(AdminURL.decided(query: ["q": "foo:bar"])).says("“foo:” is not an operator"))
        // What is pending is in the queue.
        let pending = try await browser.visit(AdminURL.decided(query: ["q": "is:unclaimed"]))
        #expect(pending.says("No pending submissions"))
        // After an undo it is found in the queue, once it is screened again.
        _ = try await browser.post("/queue/\(pills)/undo", [("version", "1")])
        try await screen(fixture)
        #expect(try await queue("overnight", browser) == ["Cheap pills"])
        #expect(try await list("overnight").isEmpty)
    }

    @Test("A bulk action on a search that can't be read concerns nothing")
    func bulk() async throws {
        let (fixture, browser) = try await AdminFixture.visited(by: .curator)
        for number in 1...3 { try await fixture.submit("Part \(number)") }
        let page = try await browser.visit("/queue")
        let csrf = page.form(id: "bulk-action").first { $0.0 == "csrf" }?.1 ?? ""
        for (query, count) in [("sorce:x", 0), ("is:rejected", 0), ("part", 3), ("part 2", 1)] {
            _ = try await browser.send(
                "POST", AdminURL.bulkActions(query: ["q": query]), [("csrf", csrf), ("all", "1"), ("action", "reject")])
            let planned: Int = try await fixture.test.client.one(
                """
                select count(i.*)::integer as n from curation.bulk_action a
                left join curation.bulk_action_item i on i.bulk_action_id = a.id
                where a.id = (select id from curation.bulk_action order by created_at desc limit 1)
                """)("n")
            #expect(planned == count, "\(query)")
        }
    }
}
