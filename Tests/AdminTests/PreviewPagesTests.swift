// Tests preview links without an account: the snapshot of a date, approval by name, revocation.
import Domain
import Operations
import Store
import TestSupport
import Testing

@Suite("Preview pages", .databases)
struct PreviewPagesTests {
    @Test("A link shows upcoming content and accepts an approval; nothing of it is published")
    func line() async throws {
        let (site, editor) = try await AdminFixture.visited(by: .editor)
        let (feed, _) = try await site.feedAndCategory()
        let id = try await site.create(
            "article",
            [
                "title": "A walk of tomorrow", "body": "<p>Slowly <b>uphill</b>.</p>",
                "feeds": .array([.string(feed.description)]),
                "categories": .array(["00000000-0000-7000-8000-000000000013"]),
            ], .at(WallTime(local: "2099-05-01T10:00", zone: "Europe/London")))
        let bad = try await editor.post(
            "/previews", [("title", ""), ("local", "2099-05-01T10:00"), ("zone", "UTC"), ("days", "0")])
        #expect(bad.status == 422 && bad.holds("1 to 300 characters") && bad.holds("Enter 1 to 90 days."))
        let made = try await editor.post(
            "/previews", [("title", "May"), ("local", "2099-05-01T10:00"), ("zone", "Europe/London"), ("days", "7")])
        #expect(made.status == 201)
        let mark = made.html.firstRange(of: "/preview/")?.lowerBound ?? made.html.startIndex
        let address = String(made.html[mark...].prefix { $0 != "\"" }.dropLast())
        let stranger = try await site.browser(nil)
        for url in [address, address + "/"] {
            let page = try await stranger.get(url)
            #expect(page.status == 200 && page.holds("A walk of tomorrow"))
            #expect(page.headers["X-Robots-Tag"] == "noindex")
        }
        let item = try await stranger.get("\(address)/items/\(id)")
        #expect(item.holds("<b>uphill</b>") && item.holds("what readers will see, based on current approvals"))
        #expect(try await stranger.get("\(address)/feeds/\(feed)").holds("/items/\(id)"))
        #expect(try await stranger.get("\(address)/items/\(feed)").status == 404)
        #expect(try await site.rows("item", "title") == [])
        // The day before, it is not published.
        let before = try await editor.post(
            "/previews", [("title", "April"), ("local", "2099-04-30T10:00"), ("zone", "UTC"), ("days", "7")])
        let start = before.html.firstRange(of: "/preview/")?.lowerBound ?? before.html.startIndex
        let earlier = String(before.html[start...].prefix { $0 != "\"" }.dropLast())
        #expect(try await stranger.get(earlier).holds("No differences."))
        #expect(try await stranger.get("\(earlier)/items/\(id)").status == 404)

        let page = try await stranger.get(address)
        let empty = try await stranger.fill(page, "\(address)/approve", [("name", " ")])
        #expect(empty.status == 422 && empty.holds("Enter your name"))
        let said = try await stranger.fill(page, "\(address)/approve", [("name", "Ada"), ("note", "<i>Fine</i>")])
        #expect(try await stranger.follow(said).holds("Thank you."))
        let list = try await editor.get("/previews")
        #expect(list.holds(">Ada</span>") && list.holds("&lt;i&gt;Fine&lt;/i&gt;"))
        let forged = try await stranger.post("\(address)/approve", [("csrf", "x"), ("name", "Eve")])
        #expect(forged.status == 403)

        // The same name from the same network replaces its approval.
        _ = try await stranger.fill(page, "\(address)/approve", [("name", "ada"), ("note", "Even better")])
        let again = try await editor.get("/previews")
        #expect(again.holds(">ada</span>") && again.holds("Even better") && !again.holds(">Ada</span>"))

        let preview = try #require(try await site.test.database.previews.all().last).id
        _ = try await editor.post("/previews/\(preview)/revoke", [])
        #expect(try await stranger.get(address).status == 404)
        #expect(try await stranger.get("/preview/nonsense").status == 404)
    }

    @Test("R5: a link names entries as they are published at its date, never by newer drafts")
    func references() async throws {
        let rules = try TestDatabase.rulesWithRelatedArticles()
        let site = try await AdminFixture.make(rules: rules)
        let renamed = try await site.article("Old walk")
        try await site.edit(renamed, ["title": "Secret walk"], publishTiming: .draft)
        let draft = try await site.article("Secret draft", .draft)
        let soon = try await site.article("Soon", .at(WallTime(local: "2099-05-01T09:00", zone: "UTC")))
        let fields: [String: JSONValue] = [
            "title": "A walk", "body": "<p>b</p>", "categories": .entries([SeedEntry.unsorted]),
            "related": .entries([renamed, draft, soon]),
        ]
        let item = try await site.test.services(content: rules).writeEntry.create(
            type: "article", fields: fields, publishTiming: .now, by: TestDatabase.administrator
        ).entry
        let created = try await site.test.services.managePreview.create(
            title: "May", at: WallTime(local: "2099-05-01T10:00", zone: "UTC"), days: 7,
            by: try await site.test.actor(.editor))
        let page = try await site.stranger.visit("/preview/\(created.token.text)/items/\(item)")
        #expect(page.status == 200 && page.says("Old walk") && page.says("Soon") && !page.says("Secret"))
    }

    @Test("S47: a link takes 100 approvals and no more, and 20 from one network in 15 minutes")
    func limited() async throws {
        let site = try await AdminFixture.make()
        let services = site.test.services
        let created = try await services.managePreview.create(
            title: "May", at: WallTime(local: "2099-05-01T10:00", zone: "UTC"), days: 7,
            by: try await site.test.actor(.editor))
        func approve(_ name: String, from address: String) async throws -> String? {
            guard let preview = try await services.managePreview.open(created.token) else { return "missing" }
            do {
                try await services.managePreview.approve(preview, name: name, note: "", from: address)
                return nil
            } catch Failure.refused(let code, _) {
                return code
            }
        }
        for number in 1...20 { #expect(try await approve("Visitor \(number)", from: "192.0.2.1") == nil) }
        #expect(try await approve("Visitor 21", from: "192.0.2.1") == "too_many_attempts")
        for number in 21...100 {
            #expect(try await approve("Visitor \(number)", from: "198.51.100.\(number)") == nil)
        }
        #expect(try await approve("Visitor 101", from: "198.51.100.101") == "rule")
        // Who has approved may still change it.
        #expect(try await approve("visitor 100", from: "198.51.100.100") == nil)
        #expect(try await site.test.database.previews.approvals(of: [created.id]).count == 100)
    }
}
